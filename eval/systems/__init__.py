"""The systems that are measured: Pincite by stage, the designs that it grew out of, and a LangChain pipeline."""
