"""Where the server listens over HTTP, and by which names it may be called there.

A browser can be led to this machine's ports by a page of anybody (DNS rebinding), so the names in a request's Host and
Origin have to be the server's own.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rag_core.errors import SettingsError

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette

    from mcp_server.service import PinciteServer

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Hosts that only this machine can reach."""
IDLE_SECONDS = 600.0
"""After which a session that nobody uses is forgotten: most clients never say that they go."""
MOST_SESSIONS = 2000
MOST_BODY = 30 * 2**20
"""Bytes of one request: the longest base64 that a tool takes, and what stands around it."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port to listen on, and the address that clients use, where it is another."""

    host: str
    port: int
    url: str

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @property
    def hosts(self) -> list[str]:
        """What a request's Host may be."""
        return [*_names(LOOPBACK if self.loopback else ()), urlsplit(self.url).netloc]

    @property
    def origins(self) -> list[str]:
        """What its Origin may be, where a browser sends one."""
        public = urlsplit(self.url)
        own = [f"http://{name}" for name in _names(LOOPBACK if self.loopback else ())]
        return [*own, f"{public.scheme}://{public.netloc}"]


def address_of(text: str, *, url: str | None = None, authenticated: bool = False) -> Address:
    """The address to listen on, from `HOST:PORT`.

    >>> address_of("127.0.0.1:8000").url, address_of("[::1]:8000").host
    ('http://127.0.0.1:8000/mcp', '::1')

    Raises:
        SettingsError: It is none, or others could reach it and nobody would ask them who they are.
    """
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isascii() or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise SettingsError(f"--http {text!r} is no HOST:PORT, such as 127.0.0.1:8000.")
    if host not in LOOPBACK and not authenticated:
        raise SettingsError(
            f"--http {text!r} would serve the documents to whoever can reach {host!r}: add --auth, so that clients "
            f"show a token (`pincite token create`), or use one of {', '.join(LOOPBACK)}."
        )
    if host not in LOOPBACK and url is None:
        raise SettingsError(
            f"--http {text!r} needs --url, the address that clients use (https://pincite.example/mcp): requests that "
            "name another host are refused."
        )
    if url is not None and (urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).netloc):
        raise SettingsError(f"--url {url!r} is no address, such as https://pincite.example/mcp.")
    bracketed = f"[{host}]" if ":" in host else host
    return Address(host, int(port), url or f"http://{bracketed}:{port}/mcp")


def security_of(address: Address) -> TransportSecuritySettings:
    """The SDK's check of each request's Host and Origin."""
    from mcp.server.transport_security import TransportSecuritySettings

    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=address.hosts, allowed_origins=address.origins
    )


def app_of(server: PinciteServer, address: Address) -> Starlette:
    """Streamable HTTP at `/mcp`, in all revisions of the protocol: which one a client speaks, its headers say."""
    return server.streamable_http_app(
        host=address.host,
        transport_security=security_of(address),
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=MOST_BODY,
    )


async def serve(server: PinciteServer, address: Address) -> None:
    """Serve until the process is told to stop, or this is cancelled: what is being answered then is let finish.

    Where clients find it is said on standard error, once it listens.

    Raises:
        SettingsError: Nothing can listen there.
    """
    import typer
    import uvicorn

    class Listener(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            try:
                await super().startup(sockets)
            except SystemExit as exc:  # by which uvicorn ends the program, once it has logged why
                raise SettingsError(
                    f"Nothing can listen at {address.host}:{address.port}; the line above says why. Is another "
                    "program there? Name another port with --http."
                ) from exc
            typer.echo(f"The MCP server is at {address.url}", err=True)

    app = app_of(server, address)
    # Without a log configuration of its own, uvicorn writes through ours: to standard error.
    config = uvicorn.Config(app, host=address.host, port=address.port, log_config=None, timeout_graceful_shutdown=5)
    listener = Listener(config)
    serving = asyncio.create_task(listener.serve())
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        listener.should_exit = True
        await serving
        raise


def _names(hosts: tuple[str, ...]) -> list[str]:
    return [f"[{host}]:*" if ":" in host else f"{host}:*" for host in hosts]
