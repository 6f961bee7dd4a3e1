"""What many tests share: where the public data is, and how an event loop's stores are opened and closed."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from desk import Desk, OpenDesk, open_desk

from rag_core.adapters.catalog import SqliteCatalog

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def public_data() -> Path:
    """The folder of public data sets; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the public data sets are not here")
    return folder


@pytest.fixture(scope="session")
def examples() -> Path:
    """The example PDFs of the repository."""
    return ROOT / "examples"


@pytest.fixture
async def catalog(tmp_path: Path) -> AsyncIterator[SqliteCatalog]:
    """An empty catalog."""
    opened = await SqliteCatalog.open(tmp_path / "home" / "catalog.sqlite3")
    yield opened
    await opened.close()


@pytest.fixture
async def desks(tmp_path: Path) -> AsyncIterator[OpenDesk]:
    """Opens desks on one data folder, as several processes would, and closes them all."""
    async with AsyncExitStack() as stack:

        async def opened(**given: Any) -> Desk:  # noqa: ANN401 - what `open_desk` takes
            desk = await open_desk(tmp_path / "home", **given)
            stack.push_async_callback(desk.catalog.close)
            stack.push_async_callback(desk.store.close)
            return desk

        yield opened


@pytest.fixture
async def desk(desks: OpenDesk) -> Desk:
    """One desk."""
    return await desks()
