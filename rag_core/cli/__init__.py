"""`pincite …`: one file a command. Parses, calls the library once, prints; rules live elsewhere."""


def main() -> None:
    """The entry point of the `pincite` command."""
    from rag_core.cli.app import run

    run()
