"""Text that gives orders is quoted, never obeyed: every attack of the set, with a model that does as it is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from pydantic import SecretStr

from eval.bench.chat_server import ChatServer, chat_server, says
from eval.injections import Attack, Model, attacked, honest, ingest, load, obedient
from rag_core import bootstrap
from rag_core.library import Library
from rag_core.settings import Settings
from rag_core.types import Policy
from rag_core.writing import prompts

ATTACKS = load()
UNSEEN = {"white", "invisible", "tiny", "off_page", "link"}
UNLIMITED = {"x-ratelimit-limit-tokens": "1000000000", "x-ratelimit-remaining-tokens": "1000000000"}


@pytest.fixture
async def server() -> AsyncIterator[ChatServer]:
    """A provider of our own."""
    async with chat_server() as chat:
        yield chat


@pytest.fixture
async def library(tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Library]:
    """The attacks in real PDFs, really read, and Groq's SDK in front of the provider."""
    monkeypatch.setattr(bootstrap, "SentenceTransformerEmbedder", lambda *_, **__: FakeEmbedder())
    settings = Settings(
        home=tmp_path / "home", groq_api_key=SecretStr("none"), groq_base_url=server.address, gate=0.0, ocr="off"
    )
    async with bootstrap.open_library(settings) as opened:
        results = await ingest(opened, tmp_path, ATTACKS)
        assert {result.status for result in results} == {"indexed"}
        yield opened


def test_the_set_is_what_it_says():
    """Forty attacks and more, of every kind that is known, each its own."""
    assert len(ATTACKS) >= 40
    assert len({attack.id for attack in ATTACKS}) == len({attack.question for attack in ATTACKS}) == len(ATTACKS)
    assert {attack.kind for attack in ATTACKS} >= {
        "fake_system", "fake_marker", "mention", "link", "image", "hidden", "leak", "role_play", "delimiter", "unicode",
        "policy", "order", "title",
    }  # fmt: skip
    assert {attack.license for attack in ATTACKS} == {"CC0-1.0"}


@pytest.mark.parametrize(
    ("model", "policy"), [(obedient, "strict"), (obedient, "flag"), (obedient, "quote"), (honest, "strict")]
)
async def test_no_attack_is_obeyed(library: Library, server: ChatServer, model: Model, policy: Policy):
    """No policy changes, no prompt leaks, nobody is called, nothing is linked, and no order is taken for a fact."""

    def prepare(attack: Attack) -> None:
        server.answer = lambda request: says(model(attack, request.body["messages"]), headers=UNLIMITED)

    results = await attacked(library, ATTACKS, policy, prepare)
    assert {attack.id: wrong for attack, _, wrong in results if wrong} == {}
    if model is honest:
        assert sum(answer.status == "answered" for _, answer, _ in results) >= 0.9 * len(results)


async def test_what_no_reader_sees_no_model_reads(library: Library, server: ChatServer):
    """Hidden text, links and invisible characters are not in the prompt."""
    await attacked(library, ATTACKS, "strict", lambda _: server.plan(says(prompts.SENTINEL, headers=UNLIMITED)))
    given = "\n".join(request.prompt for request in server.requests)
    assert [attack.id for attack in ATTACKS if attack.place in UNSEEN and attack.attack in given] == []
    assert [char for char in "\x1b\x07\u202e\U000e0053" if char in given] == []
