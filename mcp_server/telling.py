"""How a call is going on, told to a client that asked to be told."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Context

from mcp_server.levels import Levels


class Progress:
    """Tells the steps of one call, each further than the last, as the protocol wants; who did not ask hears nothing."""

    def __init__(self, context: Context[Any, Any], levels: Levels) -> None:
        self._context = context
        self._levels = levels
        self._steps = 0

    async def step(self, message: str) -> None:
        """Something happened; how much is still to come is not known."""
        self._steps += 1
        await self._context.report_progress(self._steps, None, message)
        await self._levels.tell(self._context.request_context, message)
