"""`python -m rag_core` is `pincite`."""

from rag_core.cli import main

if __name__ == "__main__":
    main()
