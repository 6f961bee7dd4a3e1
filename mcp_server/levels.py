"""What a client of the 2025 protocol wants to be told in its log: it sets a level, and hears each step from then on.

In the current protocol logging is deprecated, and progress says the same.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, get_args

from mcp.types import EmptyResult, LoggingLevel, LoggingMessageNotification, LoggingMessageNotificationParams

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.types import SetLevelRequestParams

ORDER: tuple[LoggingLevel, ...] = get_args(LoggingLevel)
"""From `debug` to `emergency`."""
TOLD: LoggingLevel = "info"
MOST = 5000
"""Sessions whose level is remembered; the oldest is forgotten first."""

SESSION = "mcp-session-id"


class Levels:
    """The level that each session has set. One that set none hears nothing."""

    def __init__(self) -> None:
        self._levels: OrderedDict[str | None, LoggingLevel] = OrderedDict()

    async def set(self, context: ServerRequestContext[Any, Any], params: SetLevelRequestParams) -> EmptyResult:
        """From now on tell this session what is at least as grave."""
        self._levels[_session(context)] = params.level
        while len(self._levels) > MOST:
            self._levels.popitem(last=False)
        return EmptyResult()

    async def tell(self, context: ServerRequestContext[Any, Any], message: str) -> None:
        """A step, to who wants to hear it."""
        level = self._levels.get(_session(context))
        if level is not None and ORDER.index(level) <= ORDER.index(TOLD):
            said = LoggingMessageNotificationParams(level=TOLD, logger="pincite", data=message)
            await context.session.send_notification(
                LoggingMessageNotification(params=said), related_request_id=context.request_id
            )


def _session(context: ServerRequestContext[Any, Any]) -> str | None:
    """The session's id over HTTP; None on standard input and output, where there is one."""
    headers = getattr(context.request, "headers", None)
    return headers.get(SESSION) if headers is not None else None
