"""A tool as clients are told of it: closed against arguments that it does not have, and in no more words than it takes.

Every client reads all of it before it has asked anything, so what says nothing is left out. Pure.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

from mcp.types import Tool


def described(tool: Tool) -> Tool:
    """The tool with a schema of its arguments that is short and closed; what it takes stays the same."""
    return tool.model_copy(
        update={
            "description": cleandoc(tool.description or ""),
            "input_schema": {**short(tool.input_schema), "additionalProperties": False},
        }
    )


def short(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema without titles, and without defaults that are null.

    >>> short({"title": "Args", "properties": {"title": {"title": "Title", "default": None, "type": "string"}}})
    {'properties': {'title': {'type': 'string'}}}
    """
    return {key: _short(key, value) for key, value in schema.items() if not _silent(key, value)}


def _silent(key: str, value: object) -> bool:
    return (key == "title" and isinstance(value, str)) or (key == "default" and value is None)


def _short(key: str, value: Any) -> Any:  # noqa: ANN401 - JSON
    match value:
        case dict() if key in {"properties", "$defs"}:  # its keys are names
            return {name: short(one) for name, one in value.items()}
        case dict():
            return short(value)
        case list():
            return [short(one) if isinstance(one, dict) else one for one in value]
        case _:
            return value
