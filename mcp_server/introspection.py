"""An OAuth server's word on a token, asked for by introspection (RFC 7662)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from http import HTTPStatus

import httpx
from pydantic import SecretStr

log = logging.getLogger(__name__)

SECONDS = 10.0
"""A server that does not answer by then vouches for nobody."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Whom an active token stands for, where it may be used, and what for."""

    subject: str
    scopes: frozenset[str]
    audience: frozenset[str]


class Introspection:
    """Asks one OAuth server. Whatever goes wrong, the token is not good: the reason is in the log."""

    def __init__(self, *, issuer: str, endpoint: str, client_id: str, client_secret: SecretStr) -> None:
        self.issuer = issuer
        self._endpoint = endpoint
        self._client_id = client_id
        self._client_secret = client_secret

    async def grant(self, token: str) -> Grant | None:
        """What the token stands for; None when it is not active, of another issuer, or the server does not say."""
        try:
            async with httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client:
                answer = await client.post(
                    self._endpoint,
                    data={"token": token, "token_type_hint": "access_token"},
                    auth=(self._client_id, self._client_secret.get_secret_value()),
                )
            said = answer.json() if answer.status_code == HTTPStatus.OK else None
        except (httpx.HTTPError, ValueError) as exc:
            log.warning("the OAuth server could not be asked about a token: %s", type(exc).__name__)
            return None
        if not isinstance(said, dict) or said.get("active") is not True:
            return None
        if said.get("iss") not in {None, self.issuer, self.issuer.removesuffix("/")}:
            return None
        subject = said.get("sub") or said.get("client_id")
        if not isinstance(subject, str) or not subject:
            return None
        return Grant(subject, frozenset(str(said.get("scope", "")).split()), _audience(said.get("aud")))


def _audience(said: object) -> frozenset[str]:
    many = said if isinstance(said, list) else [said]
    return frozenset(one.removesuffix("/") for one in many if isinstance(one, str))
