"""A house for each test, with a handbook in it for those that read."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import FakeEmbedder, FakeExtractor
from mcp_house import HANDBOOK, House

from rag_core import bootstrap
from rag_core.settings import Settings


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A library without documents."""
    monkeypatch.setattr(bootstrap, "SentenceTransformerEmbedder", lambda *_, **__: FakeEmbedder())
    extractor = FakeExtractor()
    monkeypatch.setattr(bootstrap, "extractor_of", lambda _: extractor)
    for folder in ("root", "outside"):
        (tmp_path / folder).mkdir()
    settings = Settings(home=tmp_path / "home", writer="quote", gate=0.2)
    return House(settings, tmp_path / "root", tmp_path / "outside")


@pytest.fixture
async def handbook(house: House) -> str:
    """The id of the one document of the house."""
    return await house.add("handbook.pdf", HANDBOOK)
