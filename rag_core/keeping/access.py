"""Who is let in: tokens made, listed, taken back, and looked up by what a caller shows."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from rag_core.errors import NotAllowed, TokenNotFound
from rag_core.protocols import Tokens
from rag_core.types import CollectionName
from rag_core.types.credentials import ENTROPY, Token, collection_of, digest_of, permissions_of, principal_of, secret_of


class Access:
    """Makes tokens and knows them again."""

    def __init__(
        self,
        tokens: Tokens,
        *,
        now: Callable[[], datetime],
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._tokens = tokens
        self._now = now
        self._entropy = entropy

    async def issue(
        self,
        name: str,
        *,
        permissions: Iterable[str] = ("read",),
        collection: CollectionName | None = None,
        lifetime: timedelta | None = None,
    ) -> tuple[Token, str]:
        """A new token and its secret, which nobody can read again.

        Without a collection it has one of its own, the same whenever a token of that name is made.

        Raises:
            NotAllowed: The name is none, or taken; or a permission does not exist.
        """
        principal, allowed, now = principal_of(name), permissions_of(permissions), self._now()
        token = Token(
            name=principal,
            collection=collection or collection_of(principal),
            permissions=allowed,
            created_at=now,
            expires_at=None if lifetime is None else now + lifetime,
        )
        secret = secret_of(self._entropy(ENTROPY))
        if not await self._tokens.add(token, digest_of(secret)):
            raise NotAllowed(f"There is a token {name!r} already: revoke it first, or take another name.")
        return token, secret

    async def admitted(self, secret: str) -> Token | None:
        """The token of this secret, while it is good."""
        token = await self._tokens.find(digest_of(secret))
        return token if token is not None and token.good(self._now()) else None

    async def tokens(self) -> list[Token]:
        """All tokens, expired ones too, by name."""
        return await self._tokens.all()

    async def revoke(self, name: str) -> None:
        """Take a token back; from now on its secret lets nobody in. Its principal's documents stay.

        Raises:
            TokenNotFound: There is none of that name.
        """
        if not await self._tokens.remove(name):
            raise TokenNotFound(f"There is no token {name!r}: `pincite token list` shows those there are.")
