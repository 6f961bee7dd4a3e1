"""A link from a stranger to a PDF on the disk: https alone, from public addresses alone, within limits.

A name is resolved once, every address it has is checked, and the connection goes to one of these: what was checked is
what is connected to. Redirects are followed here, each by the same rules, and no proxy is asked.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import httpcore

from mcp_server.addresses import is_public
from rag_core.errors import NotAllowed, NotAPdf, NotFoundError, TooLarge

SECONDS = 120.0
"""For all of a download, redirects included: a slow server must not hold a place for ever."""
SECONDS_A_STEP = 15.0
"""To connect, and between two pieces."""
MOST_REDIRECTS = 5
MOST_OF_A_LINK = 2048
"""Characters; what servers take."""
HTTPS_PORT = 443
"""No other: a link must not be a way to try what else listens on a host."""
SIGNATURE, SIGNED_WITHIN = b"%PDF-", 1024
"""Where readers look for it: many files have something before."""
REDIRECTS = frozenset(
    {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
)

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""A host name to all its addresses; none when it has none."""


@dataclass(frozen=True, slots=True)
class Link:
    """An https address on the usual port, in the parts that are used."""

    host: str
    target: str

    @classmethod
    def of(cls, text: str) -> Link:
        """The link that `text` is.

        >>> Link.of("https://Example.org/a/b.pdf?x=1#page=2")
        Link(host='example.org', target='/a/b.pdf?x=1')

        Raises:
            NotAllowed: It is no https link, or has something that only serves to mislead.
        """
        if len(text) > MOST_OF_A_LINK or not text.isascii() or not text.isprintable() or set(text) & set(' \\"<>^`{|}'):
            raise NotAllowed(f"The link {_short(text)!r} is too long, or holds characters that a link must not.")
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError as exc:
            raise NotAllowed(f"The link {_short(text)!r} cannot be read.") from exc
        if parts.scheme != "https" or not parts.hostname:
            raise NotAllowed(f"The link {_short(text)!r} is not https://…, and nothing else is fetched.")
        if parts.username is not None or parts.password is not None or "@" in parts.netloc:
            raise NotAllowed("A link with a name or password in it is not fetched.")
        if port not in {None, HTTPS_PORT}:
            raise NotAllowed(f"The link {_short(text)!r} names port {port}; only {HTTPS_PORT} is fetched from.")
        query = f"?{parts.query}" if parts.query else ""
        return cls(parts.hostname, f"{parts.path or '/'}{query}")

    @property
    def filename(self) -> str:
        """What the file is called, as far as the link says."""
        name = unquote(self.target.partition("?")[0].rpartition("/")[2], errors="replace")
        return name if name.strip(". ") else f"{self.host}.pdf"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}{self.target}"


class PublicOnly(httpcore.AsyncNetworkBackend):
    """Connects to public addresses alone, whatever name they are asked for by."""

    def __init__(self, resolve: Resolve, inner: httpcore.AsyncNetworkBackend) -> None:
        self._resolve = resolve
        self._inner = inner

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the protocol's
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to an address of the host that was checked; one that is not public condemns all."""
        addresses = await asyncio.wait_for(self._resolve(host, port), timeout)
        if not addresses or not all(map(is_public, addresses)):
            # One sentence for both: which names exist inside is nothing to tell.
            raise NotAllowed(f"{host!r} has no public address: only what everybody can reach is fetched.")
        return await self._inner.connect_tcp(addresses[0], port, timeout, local_address, socket_options)


class Downloader:
    """Fetches PDFs from public https links."""

    def __init__(
        self, *, max_bytes: int, resolve: Resolve | None = None, backend: httpcore.AsyncNetworkBackend | None = None
    ) -> None:
        self._max_bytes = max_bytes
        self._backend = PublicOnly(resolve or _addresses_of, backend or httpcore.AnyIOBackend())

    async def fetch(self, link: Link, to: Path) -> str:
        """Write the PDF that the link leads to, and return what it is called.

        Raises:
            NotAllowed: The link, or one that it redirects to, leads where nothing is fetched from.
            NotAPdf: What came is none; no more than its beginning was read.
            TooLarge: It has more bytes than are read.
            NotFoundError: Nothing came, or not in time.
        """
        try:
            async with asyncio.timeout(SECONDS), self._pool() as pool:
                for _ in range(MOST_REDIRECTS + 1):
                    onward = await self._one(pool, link, to)
                    if onward is None:
                        return link.filename
                    link = onward
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError) as exc:
            raise NotFoundError(f"{link.host!r} could not be reached, or broke off.") from exc
        except (httpcore.TimeoutException, TimeoutError) as exc:
            raise NotFoundError(f"{link.host!r} did not send the file in time.") from exc
        raise NotAllowed(f"The link redirects more than {MOST_REDIRECTS} times.")

    def _pool(self) -> httpcore.AsyncConnectionPool:
        # Certificates are checked against the name in the link, as the name is what the connection is asked for.
        return httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(), network_backend=self._backend, max_keepalive_connections=0
        )

    async def _one(self, pool: httpcore.AsyncConnectionPool, link: Link, to: Path) -> Link | None:
        steps = dict.fromkeys(("connect", "read", "write", "pool"), SECONDS_A_STEP)
        headers = [("Host", link.host), ("Accept", "application/pdf"), ("Accept-Encoding", "identity")]
        async with pool.stream("GET", str(link), headers=headers, extensions={"timeout": steps}) as response:
            said = {name.lower(): value.decode("latin-1") for name, value in response.headers}
            if response.status in REDIRECTS:
                return Link.of(urljoin(str(link), said.get(b"location", "")))
            if response.status != HTTPStatus.OK:
                raise NotFoundError(f"{link.host!r} answered {response.status} instead of sending a file.")
            if said.get(b"content-encoding", "identity") != "identity":
                raise NotAPdf(f"{link.host!r} sent something packed, and not a PDF.")
            declared = said.get(b"content-length", "")
            if declared.isdecimal():
                self._refuse_more_than(int(declared))
            await self._write(response, to)
        return None

    async def _write(self, response: httpcore.Response, to: Path) -> None:
        written, head = 0, b""
        with await asyncio.to_thread(to.open, "wb") as file:
            async for piece in response.aiter_stream():
                written += len(piece)
                self._refuse_more_than(written)
                if len(head) < SIGNED_WITHIN:
                    head += piece
                    if len(head) >= SIGNED_WITHIN:
                        refuse_unsigned(head)
                await asyncio.to_thread(file.write, piece)
        refuse_unsigned(head)

    def _refuse_more_than(self, size: int) -> None:
        if size > self._max_bytes:
            raise TooLarge(f"The file has more than the {self._max_bytes / 2**20:.0f} MiB that are read.")


def refuse_unsigned(head: bytes) -> None:
    """Nothing, for the beginning of a PDF.

    Raises:
        NotAPdf: It is the beginning of something else.
    """
    if SIGNATURE not in head[:SIGNED_WITHIN]:
        raise NotAPdf("What came is not a PDF: it does not begin like one.")


async def _addresses_of(host: str, port: int) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(address[0]) for *_, address in found]


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"  # noqa: PLR2004 - what an error repeats
