"""Who may do what over HTTP: tokens, their scopes, and collections that nobody else sees."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from mcp_house import HANDBOOK, House, http_client, ingested, served, structure, text_of
from pydantic import SecretStr

from mcp_server.auth import Doorkeeper
from mcp_server.introspection import Introspection
from mcp_server.listening import address_of
from rag_core.types import CollectionName, Scope
from rag_core.types.jobs import Principal
from rag_core.types.quotas import Quota

URL = "https://pincite.example/mcp"
ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"Accept": "application/json, text/event-stream"}


@asynccontextmanager
async def guarded(house: House, **more: object) -> AsyncIterator[str]:
    """A server that answers only those who show a token."""
    async with served(house.server(doorkeeper=Doorkeeper(url=URL, **more))) as url:  # type: ignore[arg-type]
        yield url


@pytest.mark.parametrize("shown", [None, "", "Bearer", "Bearer x y", "Bearer pincite_wrong", "Basic cGluY2l0ZQ=="])
async def test_nobody_is_answered_without_a_good_token(house: House, shown: str | None):
    """Whatever they show instead; and the answer says what is missing, as OAuth wants it said."""
    headers = {**HEADERS, **({} if shown is None else {"Authorization": shown})}
    async with guarded(house) as url, httpx.AsyncClient() as client:
        answer = await client.post(url, json=ASKED, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer error=")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_each_principal_has_a_collection_of_its_own(house: House, mode: str):
    """What one brings in, another neither lists, finds, reads nor removes; by no name it has."""
    first, second = await house.token("first"), await house.token("second")
    (house.root / "handbook.pdf").write_text(HANDBOOK, encoding="utf-8")
    async with guarded(house) as url, http_client(url, first, mode=mode) as a, http_client(url, second, mode=mode) as b:
        job = await ingested(a, path="handbook.pdf")
        document = job["document"]["document_id"]
        answer = structure(await a.call_tool("ask", {"question": "How many days is annual leave?"}))
        assert structure(await a.call_tool("list_documents", {}))["total"] == 1
        assert structure(await b.call_tool("list_documents", {}))["total"] == 0
        assert structure(await b.call_tool("search_passages", {"question": "annual leave"}))["passages"] == []
        assert structure(await b.call_tool("ask", {"question": "How long is annual leave?"}))["status"] == "refused"
        for tool, arguments in (
            ("get_page", {"document": document, "page": 1}),
            ("remove_document", {"document": "handbook"}),
            ("get_job", {"job_id": job["job_id"]}),
            ("remove_document", {"document": job["job_id"]}),
            ("ask", {"question": "Leave?", "documents": [document]}),
        ):
            refused = await b.call_tool(tool, arguments)
            assert refused.is_error
            assert text_of(refused).startswith("not_found:")
        for uri in (f"pincite://documents/{document}", f"pincite://answers/{answer['answer_id']}"):
            assert (await a.read_resource(uri)).contents
            with pytest.raises(Exception, match="not_found"):
                await b.read_resource(uri)


async def test_a_shared_collection_is_seen_by_all_who_have_it(house: House):
    """One brings a document in, the other asks it."""
    first = await house.token("first", collection="team")
    second = await house.token("second", "read", collection="team")
    (house.root / "handbook.pdf").write_text(HANDBOOK, encoding="utf-8")
    async with guarded(house) as url, http_client(url, first) as a, http_client(url, second) as b:
        await ingested(a, path="handbook.pdf")
        answer = structure(await b.call_tool("ask", {"question": "How many days is annual leave?"}))
    assert answer["status"] == "answered"


@pytest.mark.parametrize(
    ("scopes", "there", "not_there"),
    [
        (["read"], "ask", "ingest_document"),
        (["write"], "ingest_document", "ask"),
        (["eval"], None, "ask"),
    ],
)
async def test_a_token_is_offered_what_its_scopes_allow(
    house: House, scopes: list[str], there: str | None, not_there: str
):
    """The other tools are neither listed nor answered, and a resource is as little."""
    token = await house.token("narrow", *scopes)
    async with guarded(house) as url, http_client(url, token) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert (there in names) is (there is not None)
        assert not_there not in names
        refused = await client.call_tool(not_there, {})
        assert refused.is_error
        assert "scopes do not allow" in text_of(refused)
        if "read" not in scopes:
            with pytest.raises(Exception, match="needs the scope read"):
                await client.read_resource("pincite://documents")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ask", {"question": "How many days is annual leave?"}),
        ("search_passages", {"question": "leave"}),
        ("verify_text", {"text": "Leave is 25 days."}),
    ],
)
async def test_a_principal_asks_within_its_quota(house: House, tool: str, arguments: dict[str, Any]):
    """One question too many is refused with when to call again; what was refused, or only looks things up, is free."""
    token = await house.token("eager", "read")
    async with house.library() as library:
        await library.set_quota(Principal("eager"), Quota(questions_an_hour=1))
    async with guarded(house) as url, http_client(url, token) as client:
        unknown = await client.call_tool(tool, {**arguments, "documents": ["nonesuch"]})
        first, second = await client.call_tool(tool, arguments), await client.call_tool(tool, arguments)
        listed = await client.call_tool("list_documents", {})
    assert text_of(unknown).startswith("not_found:")
    assert [first.is_error, second.is_error, listed.is_error] == [False, True, False]
    assert re.fullmatch(
        r"rate_limited: 1 questions an hour are allowed, and 1 were made: .*\. Call again in \d+ s\.", text_of(second)
    )


async def test_a_revoked_token_is_refused_in_the_middle_of_a_session(house: House):
    """Every request is judged, not only the first."""
    token = await house.token("brief")
    async with guarded(house) as url, http_client(url, token) as client, house.library() as library:
        assert not (await client.call_tool("list_documents", {})).is_error
        await library.access.revoke("brief")
        with pytest.raises(Exception, match="error response"):
            await client.call_tool("list_documents", {})


async def test_a_session_belongs_to_its_token(house: House):
    """Whoever learns its id and has a token of their own still cannot use it."""
    mine, yours = await house.token("mine"), await house.token("yours")
    initialize = {
        **ASKED,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    async with guarded(house) as url, httpx.AsyncClient(headers=HEADERS) as client:
        opened = await client.post(url, json=initialize, headers={"Authorization": f"Bearer {mine}"})
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-11-25"}
        for token, status in ((yours, 404), (mine, 200)):
            headers = {**session, "Authorization": f"Bearer {token}"}
            assert (await client.post(url, json=ASKED, headers=headers)).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:8000"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
    ],
)
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_another_host_or_origin_is_refused(house: House, headers: dict[str, str], status: int, version: str):
    """A page in a browser must not reach this machine's server by a name of its own; in either protocol."""
    async with served(house.server()) as url, httpx.AsyncClient(headers=HEADERS) as client:
        answer = await client.post(url, json=ASKED, headers={**headers, "Mcp-Protocol-Version": version})
    assert answer.status_code == status


async def test_behind_its_public_name_it_is_called_by_that(house: House):
    """And by no other: what a proxy hands on has the name that clients used."""
    address = address_of("0.0.0.0:8000", url=URL, authenticated=True)
    async with served(house.server(), address) as url, httpx.AsyncClient(headers=HEADERS) as client:
        named = await client.post(url, json=ASKED, headers={"Host": "pincite.example"})
        other = await client.post(url, json=ASKED)
    assert named.status_code != 421
    assert other.status_code == 421


# ---------------------------------------------------------------------------------------------- OAuth


class OAuthServer(http.server.BaseHTTPRequestHandler):
    """Says of each token what it was told to."""

    grants: dict[str, Any] = {}  # noqa: RUF012 - one server a test

    def do_POST(self) -> None:
        """Introspection."""
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        allowed = self.headers["Authorization"] == "Basic cGluY2l0ZTpzM2NyZXQ="
        body = json.dumps(self.grants.get(form["token"][0], {"active": False})).encode()
        self.send_response(200 if allowed else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def oauth() -> Iterator[Introspection]:
    """An OAuth server on this machine."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), OAuthServer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        endpoint = f"http://127.0.0.1:{server.server_port}/introspect"
        secret = SecretStr("s3cret")
        yield Introspection(
            issuer="https://login.example", endpoint=endpoint, client_id="pincite", client_secret=secret
        )
        server.shutdown()
        thread.join()


GRANT = {"active": True, "sub": "ada", "scope": "read write openid", "aud": URL, "iss": "https://login.example"}


async def test_an_oauth_server_vouches_for_its_tokens(house: House, oauth: Introspection):
    """Its subject is the principal, with a collection of their own, and may do what the scopes say."""
    OAuthServer.grants = {"good": GRANT}
    (house.root / "handbook.pdf").write_text(HANDBOOK, encoding="utf-8")
    async with guarded(house, introspection=oauth) as url, http_client(url, "good") as client:
        await ingested(client, path="handbook.pdf")
        async with house.library() as library:
            [document] = await library.documents(Scope.of("oauth:ada"))
    assert document.collections == (CollectionName("oauth:ada"),)


@pytest.mark.parametrize(
    "grant",
    [
        {**GRANT, "active": False},
        {**GRANT, "active": "true"},
        {**GRANT, "aud": "https://other.example/mcp"},
        {**GRANT, "aud": []},
        {**GRANT, "iss": "https://evil.example"},
        {**GRANT, "sub": ""},
        {**GRANT, "sub": 7},
        [],
        "yes",
    ],
)
async def test_what_an_oauth_server_does_not_vouch_for_is_refused(house: House, oauth: Introspection, grant: object):
    """Not active, for another server, of another issuer, for nobody, or no answer that makes sense."""
    OAuthServer.grants = {"bad": grant}
    async with guarded(house, introspection=oauth) as url, httpx.AsyncClient() as client:
        answer = await client.post(url, json=ASKED, headers={**HEADERS, "Authorization": "Bearer bad"})
    assert answer.status_code == 401


async def test_clients_are_told_where_tokens_come_from(house: House, oauth: Introspection):
    """By the resource's metadata (RFC 9728), to which a refusal points; own tokens are taken all the same."""
    token = await house.token("own")
    async with guarded(house, introspection=oauth) as url, httpx.AsyncClient() as client:
        refused = await client.post(url, json=ASKED, headers=HEADERS)
        base = url.removesuffix("/mcp")
        metadata = (await client.get(f"{base}/.well-known/oauth-protected-resource/mcp")).json()
        async with http_client(url, token) as own:
            assert (await own.list_tools()).tools
    assert "https://pincite.example/.well-known/oauth-protected-resource/mcp" in refused.headers["www-authenticate"]
    assert metadata["resource"].startswith("https://pincite.example")
    assert metadata["authorization_servers"] == ["https://login.example/"]
