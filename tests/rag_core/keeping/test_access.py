"""Who is let in: tokens, of which the data folder knows only the digest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.token_store import SqliteTokens
from rag_core.errors import NotAllowed, TokenNotFound
from rag_core.keeping.access import Access
from rag_core.types import CollectionName


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The time that tokens go by."""
    return Clock()


@pytest.fixture
def access(catalog: SqliteCatalog, clock: Clock) -> Access:
    """Tokens in a catalog of their own."""
    return Access(SqliteTokens(catalog.file), now=clock)


async def test_a_secret_lets_its_owner_in_and_nobody_else(access: Access):
    """By default to read, in a collection that is theirs alone; another secret, or half of it, is nobody's."""
    token, secret = await access.issue("research")
    assert await access.admitted(secret) == token
    assert (token.permissions, token.collection) == ({"read"}, "mcp:research")
    for other in (secret[:-1], secret + "x", "", token.name, "\ud800"):
        assert await access.admitted(other) is None


async def test_no_secret_is_in_the_data_folder(access: Access, tmp_path: Path):
    """Whoever reads the disk cannot come in."""
    _, secret = await access.issue("research")
    files = _contents(tmp_path)
    assert files
    assert not any(secret.encode() in content for content in files)


def _contents(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


async def test_secrets_are_never_the_same(access: Access):
    """Each is made of fresh randomness, and begins with a word that scanners know."""
    secrets = {(await access.issue(f"agent-{i}"))[1] for i in range(20)}
    assert len(secrets) == 20
    assert all(secret.startswith("pincite_") and len(secret) == 51 for secret in secrets)


async def test_a_revoked_token_lets_nobody_in(access: Access):
    """The name is free again, and its new owner has another secret."""
    _, secret = await access.issue("research")
    await access.revoke("research")
    assert await access.admitted(secret) is None
    assert await access.tokens() == []
    _, other = await access.issue("research")
    assert await access.admitted(secret) is None
    assert await access.admitted(other) is not None


async def test_a_token_expires(access: Access, clock: Clock):
    """Until the moment it is good, from then on it is not; the list still has it."""
    token, secret = await access.issue("research", lifetime=timedelta(days=1))
    clock.now += timedelta(days=1, seconds=-1)
    assert await access.admitted(secret) == token
    clock.now += timedelta(seconds=1)
    assert await access.admitted(secret) is None
    assert await access.tokens() == [token]


async def test_a_collection_can_be_shared(access: Access):
    """Two tokens of one collection see the same documents; each keeps its own name."""
    first, _ = await access.issue("first", permissions=["read", "write"], collection=CollectionName("team"))
    second, _ = await access.issue("second", collection=CollectionName("team"))
    assert first.collection == second.collection == "team"
    assert await access.tokens() == [first, second]


@pytest.mark.parametrize("name", ["", "Research", "a b", "-a", "a" * 65, "a/b", "ä", "a\n"])
async def test_a_name_that_could_be_mistaken_is_refused(access: Access, name: str):
    """Names are one plain word, so that no two look alike."""
    with pytest.raises(NotAllowed, match="is no name for a token"):
        await access.issue(name)


async def test_what_cannot_be_done_is_said(access: Access):
    """A name that is taken, no permission at all, and a token that is not there."""
    await access.issue("research")
    with pytest.raises(NotAllowed, match="already"):
        await access.issue("research")
    with pytest.raises(NotAllowed, match="one of these at least"):
        await access.issue("other", permissions=[])
    with pytest.raises(TokenNotFound, match="token list"):
        await access.revoke("other")
