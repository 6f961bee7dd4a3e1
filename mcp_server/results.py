"""A value to what a tool returns: the same as structure and as text. Pure."""

from __future__ import annotations

from mcp.types import CallToolResult, ContentBlock, TextContent

from mcp_server.schemas import Schema


def result(value: Schema, text: str, *more: ContentBlock) -> CallToolResult:
    """Both forms of one value: some clients show their model only the text, others only the structure."""
    return CallToolResult(
        content=[TextContent(type="text", text=text), *more], structured_content=value.model_dump(mode="json")
    )
