"""Who is let in over HTTP: a bearer token of the catalog, or one that an OAuth server vouches for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl

from mcp_server.callers import Caller
from rag_core.errors import NotAllowed
from rag_core.types import CollectionName
from rag_core.types.credentials import PERMISSIONS, PREFIX, Permission
from rag_core.types.jobs import Principal

if TYPE_CHECKING:
    from mcp_server.desk import Desk
    from mcp_server.introspection import Introspection


class Admitted(AccessToken):
    """A token that was looked up, with whom it lets in."""

    principal: Principal
    collection: CollectionName
    may: frozenset[Permission]


class Doorkeeper:
    """Looks up each request's token. Implements the SDK's `TokenVerifier`."""

    def __init__(self, *, url: str, introspection: Introspection | None = None) -> None:
        self._url = url
        self._introspection = introspection
        self._desk: Desk | None = None

    @property
    def settings(self) -> AuthSettings:
        """What the SDK wants to know. Only with an OAuth server does it tell clients where tokens come from."""
        if self._introspection is None:
            return AuthSettings(issuer_url=AnyHttpUrl(self._url), resource_server_url=None)
        return AuthSettings(
            issuer_url=AnyHttpUrl(self._introspection.issuer),
            resource_server_url=AnyHttpUrl(self._url),
            validate_token_resource=True,
        )

    def ask_at(self, desk: Desk) -> None:
        """Look tokens up in this desk's library."""
        self._desk = desk

    async def verify_token(self, token: str) -> Admitted | None:
        """The token with whom it lets in; None when it lets in nobody."""
        if not token.startswith(PREFIX):
            return await self._vouched_for(token)
        assert self._desk is not None, "the server tells its desk before it serves"
        known = await (await self._desk.library()).access.admitted(token)
        if known is None:
            return None
        return self._admitted(token, known.name, known.collection, known.permissions)

    async def _vouched_for(self, token: str) -> Admitted | None:
        if self._introspection is None:
            return None
        grant = await self._introspection.grant(token)
        if grant is None or self._url.removesuffix("/") not in grant.audience:
            return None
        principal = Principal(f"oauth:{grant.subject}")
        allowed = frozenset(one for one in PERMISSIONS if one in grant.scopes)
        return self._admitted(token, principal, CollectionName(principal), allowed)

    def _admitted(
        self, token: str, principal: Principal, collection: CollectionName, may: frozenset[Permission]
    ) -> Admitted:
        return Admitted(
            token=token,
            client_id=principal,
            subject=principal,
            scopes=sorted(may),
            resource=self._url,
            principal=principal,
            collection=collection,
            may=may,
        )

    def who(self) -> Caller:
        """The caller of the request that is being answered.

        Raises:
            NotAllowed: Nobody was let in.
        """
        token = get_access_token()
        if not isinstance(token, Admitted):
            raise NotAllowed("This server answers only those who show a token.")
        return Caller(token.principal, token.collection, token.may)
