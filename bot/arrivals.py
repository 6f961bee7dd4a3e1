"""Files on their way into a place: a question asked there meanwhile waits for them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Arrivals:
    """Counts, for each place, the messages whose files are still being taken in."""

    def __init__(self) -> None:
        self._coming: Counter[int] = Counter()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def at(self, place_id: int) -> AsyncIterator[None]:
        """For as long as files are taken in there."""
        self._coming[place_id] += 1
        try:
            yield
        finally:
            async with self._changed:
                self._coming[place_id] -= 1
                if not self._coming[place_id]:
                    del self._coming[place_id]
                self._changed.notify_all()

    async def over(self, place_id: int) -> None:
        """Until nothing is on its way there."""
        async with self._changed:
            await self._changed.wait_for(lambda: place_id not in self._coming)
