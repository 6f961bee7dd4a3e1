"""Files on their way into a place: a question asked there meanwhile waits until it finds them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Landed = Callable[[], Awaitable[None]]
"""Is called when questions need not wait for a file any longer; a second call changes nothing."""


class Arrivals:
    """Counts, for each place, the files that no question finds yet."""

    def __init__(self) -> None:
        self._coming: Counter[int] = Counter()
        self._changed = asyncio.Condition()

    def coming(self, place_id: int) -> Landed:
        """A file is on its way there from now on, until it has landed."""
        self._coming[place_id] += 1
        flying = True

        async def landed() -> None:
            nonlocal flying
            if not flying:
                return
            flying = False
            async with self._changed:
                self._coming[place_id] -= 1
                if not self._coming[place_id]:
                    del self._coming[place_id]
                self._changed.notify_all()

        return landed

    @asynccontextmanager
    async def at(self, place_id: int) -> AsyncIterator[Landed]:
        """For as long as a file is taken in there, or until it has landed."""
        landed = self.coming(place_id)
        try:
            yield landed
        finally:
            await landed()

    async def over(self, place_id: int) -> None:
        """Until nothing is on its way there."""
        async with self._changed:
            await self._changed.wait_for(lambda: place_id not in self._coming)
