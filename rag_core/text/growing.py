"""A text that comes word by word, looked at when a statement may have ended in it. Pure.

Cutting it for each of its words would keep the event loop busy.
"""

from __future__ import annotations

import re

_ENDS = re.compile(r"[.!?:\n\]|。！？]")  # noqa: RUF001 - Chinese sentences end by these


class Growing:
    """What of one text was looked at.

    >>> growing = Growing()
    >>> [growing.is_news(text) for text in ("Leave is", "Leave is 25.", "Leave is 25. Staff", "No")]
    [False, True, False, True]
    """

    def __init__(self) -> None:
        self._looked = ""

    def is_news(self, text: str) -> bool:
        """Whether a statement may have ended since the last news, or the text is another one."""
        if text.startswith(self._looked) and not _ENDS.search(text, len(self._looked)):
            return False
        self._looked = text
        return True
