"""A bearer token: what a principal shows to be let in. Only its digest is ever kept. Pure.

The secret is 256 random bits, so nobody guesses it from its digest, and a plain hash is enough: slow ones are for
passwords that people choose.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from rag_core.errors import NotAllowed
from rag_core.types import CollectionName
from rag_core.types.jobs import Principal

Permission = Literal["read", "write", "eval"]
PERMISSIONS: frozenset[Permission] = frozenset(get_args(Permission))

PREFIX = "pincite_"
"""Of every secret, so that scanners of repositories and logs know one when they see it."""
ENTROPY = 32
"""Bytes."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Token:
    """Who is let in by a secret, where their documents are, and what they may do."""

    name: Principal
    collection: CollectionName
    permissions: frozenset[Permission]
    created_at: datetime
    expires_at: datetime | None = None
    """None when it is good until it is revoked."""

    def good(self, now: datetime) -> bool:
        """Whether it has not expired."""
        return self.expires_at is None or now < self.expires_at


def principal_of(name: str) -> Principal:
    """The principal of that name.

    Raises:
        NotAllowed: It is no name for one.
    """
    if not NAME.fullmatch(name):
        raise NotAllowed(
            f"{name!r} is no name for a token: lower-case letters, digits, '.', '_' and '-', at most 64, the first a "
            "letter or digit."
        )
    return Principal(name)


def permissions_of(names: Iterable[str]) -> frozenset[Permission]:
    """What these words allow.

    Raises:
        NotAllowed: One is no permission, or there is none.
    """
    wanted = frozenset(names)
    if not wanted or not wanted <= PERMISSIONS:
        raise NotAllowed(f"A token may have {', '.join(sorted(PERMISSIONS))}, and has one of these at least.")
    return frozenset(one for one in PERMISSIONS if one in wanted)


def collection_of(principal: Principal) -> CollectionName:
    """The collection that is the principal's alone, unless another is named.

    >>> collection_of(Principal("research"))
    'mcp:research'
    """
    return CollectionName(f"mcp:{principal}")


def secret_of(entropy: bytes) -> str:
    """The secret that is shown once.

    >>> secret_of(bytes(32))
    'pincite_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    return PREFIX + urlsafe_b64encode(entropy).decode().rstrip("=")


def digest_of(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
