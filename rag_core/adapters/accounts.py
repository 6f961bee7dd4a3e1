"""A model, its server and a key to the name under which its use is counted, which tells nothing of the key."""

from __future__ import annotations

import hashlib

from pydantic import SecretStr


def account(name: str, base_url: str | None, api_key: SecretStr | None) -> str:
    """The model's name and a short digest of the rest: allowances belong to a key, and end with it."""
    key = api_key.get_secret_value() if api_key else ""
    digest = hashlib.sha256(f"{base_url or ''}|{key}".encode()).hexdigest()
    return f"{name}#{digest[:8]}"
