"""The MCP server: tools with which other agents ask documents and have their own text verified."""
