"""What strangers send: links that lead inside, paths that lead outside, arguments that are none."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from mcp_house import HANDBOOK, PUBLIC, House, ingested, response, structure, text_of

from mcp_server.addresses import is_public

PDF = b"%PDF-1.7 The tide turns twice a day, here as well as there."


async def refused(house: House, **arguments: object) -> str:
    """The sentence by which a file is not taken, whether at once or as the end of its job."""
    async with house.client() as client:
        result = await client.call_tool("ingest_document", arguments)
        if result.is_error:
            return text_of(result)
        job = structure(result)
        while job["stage"] != "failed":
            assert job["stage"] != "ready", job
            job = structure(await client.call_tool("get_job", {"job_id": job["job_id"], "wait_seconds": 30}))
    assert job["stage"] == "failed", job
    return f"{job['error']['code']}: {job['error']['message']}"


# ------------------------------------------------------------------------------------------ addresses

INSIDE = [
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.1",
    "169.254.169.254", "169.254.0.1", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:93.184.215.14", "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "fc00::1", "fd00:ec2::254",
    "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "5f00::1",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
async def test_no_link_leads_to_an_address_inside(house: House, address: str):
    """A name that has one is refused before anything is connected to: loopback, private, link-local, metadata, mapped."""  # noqa: E501
    house.internet.site("rebound.example", response(PDF), addresses=(address,))
    said = await refused(house, url="https://rebound.example/a.pdf")
    assert said.startswith("not_allowed: 'rebound.example' has no public address")
    assert address not in said
    assert house.internet.asked == []


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:810::200e"])
def test_what_everybody_can_reach_is_public(address: str):
    """Of both families."""
    assert is_public(address)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "169.254.169.254", "[fd00:ec2::254]", "2130706433", "0x7f.1", "localhost."]
)
async def test_an_address_in_the_link_is_no_way_in(house: House, host: str):
    """However it is written: what it resolves to is what counts, and that is nothing here."""
    house.internet.names = {"127.0.0.1": [["127.0.0.1"]], "2130706433": [["127.0.0.1"]], "0x7f.1": [["127.0.0.1"]]}
    assert "has no public address" in await refused(house, url=f"https://{host}/latest/meta-data/")
    assert house.internet.asked == []


async def test_one_address_inside_condemns_a_name(house: House):
    """Otherwise a client that tries all of them would come to it."""
    house.internet.site("mixed.example", response(PDF), addresses=(PUBLIC, "10.0.0.1"))
    assert "has no public address" in await refused(house, url="https://mixed.example/a.pdf")


async def test_a_name_is_resolved_once(house: House):
    """What was checked is what is connected to: an answer that changes in between changes nothing."""
    house.internet.site("rebound.example", response(PDF))
    house.internet.names["rebound.example"] = [[PUBLIC], ["127.0.0.1"]]
    async with house.client() as client:
        job = await ingested(client, url="https://rebound.example/a.pdf")
    assert job["stage"] == "ready"
    assert house.internet.asked == [(PUBLIC, 443)]


@pytest.mark.parametrize(
    "onward",
    [
        "https://inside.example/a.pdf", "https://127.0.0.1/a.pdf", "http://public.example/a.pdf", "file:///etc/passwd",
        "//inside.example/a.pdf", "https://public.example:22/", "https://me@public.example/", "", "gopher://x/",
    ],
)  # fmt: skip
async def test_every_redirect_is_judged_as_the_first_link_was(house: House, onward: str):
    """Neither inside, nor to another scheme or port, nor to nothing."""
    house.internet.site("public.example", response(status=302, headers={"Location": onward}))
    house.internet.names["inside.example"] = [["192.168.0.1"]]
    said = await refused(house, url="https://public.example/a.pdf")
    assert said.startswith(("not_allowed:", "not_found:"))
    assert {host for host, _ in house.internet.asked} == {PUBLIC}


async def test_a_redirect_to_a_public_file_is_followed(house: House):
    """Also one that names only a path; the file has the name it is found by in the end."""
    moved = response(status=301, headers={"Location": "/real/tides.pdf"})
    house.internet.site("public.example", moved, response(PDF))
    async with house.client() as client:
        job = await ingested(client, url="https://public.example/old")
    assert (job["stage"], job["document"]["filename"]) == ("ready", "tides.pdf")


async def test_a_ring_of_redirects_ends(house: House):
    """After a few."""
    house.internet.site("ring.example", *[response(status=307, headers={"Location": "/a"})] * 9)
    assert "redirects more than" in await refused(house, url="https://ring.example/a")


# ---------------------------------------------------------------------------------------------- links


@pytest.mark.parametrize(
    "url",
    [
        "http://public.example/a.pdf", "ftp://public.example/a.pdf", "file:///etc/passwd", "data:application/pdf,x",
        "public.example/a.pdf", "https://", "https:///a.pdf", "https://public.example:8443/a.pdf",
        "https://public.example:99999/", "https://user:secret@public.example/", "https://public.example@127.0.0.1/",
        "https://@public.example/", "https://public.example\\@127.0.0.1/", "https://public.example/a b",
        "https://public.example/\r\nHost: x", "https://pub\u200blic.example/", "https://[::1", "javascript:alert(1)",
    ],
)  # fmt: skip
async def test_what_is_no_plain_https_link_is_refused(house: House, url: str):
    """Before any name is resolved, in a sentence."""
    house.internet.site("public.example", response(PDF))
    said = await refused(house, url=url)
    assert said.startswith("not_allowed:")
    assert "secret" not in said
    assert house.internet.asked == []


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (response(b"<html>not a pdf</html>"), "not_a_pdf"),
        (response(b" " * 1020 + b"%PDF-1.7"), "not_a_pdf"),
        (response(b""), "not_a_pdf"),
        (response(PDF, headers={"Content-Encoding": "gzip"}), "not_a_pdf"),
        (response(PDF, headers={"Content-Length": str(2**40)}), "too_large"),
        (b"HTTP/1.1 200 -\r\n\r\n" + PDF + b"x" * 2**20, "too_large"),
        (response(status=404), "not_found"),
        (response(status=500), "not_found"),
        (response(PDF)[:-10], "not_found"),
        (b"this is no HTTP", "not_found"),
        (b"", "not_found"),
    ],
)
async def test_what_a_server_sends_is_taken_for_hostile(house: House, sent: bytes, code: str):
    """Other things than PDFs, more than is read, packed, broken off, or nothing: each has its code."""
    house.internet.site("public.example", sent)
    assert (await refused(house, url="https://public.example/a.pdf")).startswith(code)


async def test_a_server_that_fetches_nothing_says_so(house: House):
    """And what can be done instead."""
    async with house.client(fetch=False) as client:
        result = await client.call_tool("ingest_document", {"url": "https://public.example/a.pdf"})
    assert result.is_error
    assert "fetches nothing: give a path or base64" in text_of(result)


async def test_only_so_many_downloads_are_under_way(house: House):
    """One caller's links must not take every place; a download that is called off makes room."""
    house.internet.resolve = _never  # type: ignore[method-assign]
    async with house.client() as client:
        links = [{"url": f"https://slow.example/{i}.pdf"} for i in range(5)]
        jobs = [await client.call_tool("ingest_document", link) for link in links]
        assert [structure(job)["stage"] for job in jobs[:4]] == ["fetching"] * 4
        assert "rate_limited: 4 downloads are under way" in text_of(jobs[4])
        first = structure(jobs[0])["job_id"]
        gone = structure(await client.call_tool("remove_document", {"document": first}))
        assert gone["job"]["stage"] == "failed"
        assert not (await client.call_tool("ingest_document", links[4])).is_error


async def _never(_: str, __: int) -> list[str]:
    import anyio

    await anyio.sleep_forever()
    return []


# ---------------------------------------------------------------------------------------------- paths


@pytest.mark.parametrize(
    "path",
    [
        "../outside/x.pdf", "link.pdf", "folder/x.pdf", "ring", "absent.pdf", "\0", "x" * 4000, ".", "..",
        "/etc/passwd", "/proc/self/environ", "./../outside/x.pdf", "inner/../../outside/x.pdf", "pipe", "~/x.pdf", "file:///etc/passwd",
        "%2e%2e/outside/x.pdf", "..\\outside\\x.pdf",
    ],
)  # fmt: skip
async def test_no_path_leaves_the_roots(house: House, path: str):
    """Not by dots, not by a link to a file or a folder; and nobody learns what is there."""
    import os

    (house.outside / "x.pdf").write_text("Secret.", encoding="utf-8")
    (house.root / "inner").mkdir()
    (house.root / "link.pdf").symlink_to(house.outside / "x.pdf")
    (house.root / "folder").symlink_to(house.outside)
    (house.root / "ring").symlink_to(house.root / "ring")
    os.mkfifo(house.root / "pipe")
    async with house.client() as client:
        for candidate in (path, str(house.outside / "x.pdf")):
            result = await client.call_tool("ingest_document", {"path": candidate})
            assert result.is_error
            assert text_of(result).startswith("Error executing tool") is False
            assert text_of(result).startswith("not_allowed:")
            assert str(house.outside) not in text_of(result) or candidate != path


async def test_a_link_within_the_roots_is_followed(house: House):
    """It leads to nothing that could not be named."""
    (house.root / "tides.pdf").write_text("The tide turns twice a day.", encoding="utf-8")
    (house.root / "alias.pdf").symlink_to(house.root / "tides.pdf")
    async with house.client() as client:
        assert (await ingested(client, path="alias.pdf"))["stage"] == "ready"


# ------------------------------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("ask", {}, "question"),
        ("ask", {"question": ""}, "question"),
        ("ask", {"question": "x" * 2001}, "question"),
        ("ask", {"question": 7}, "question"),
        ("ask", {"question": "Leave?", "documents": []}, "documents"),
        ("ask", {"question": "Leave?", "documents": ["a"] * 101}, "documents"),
        ("ask", {"question": "Leave?", "policy": "lenient"}, "policy"),
        ("ask", {"question": "Leave?", "writer": "groq"}, "no argument writer"),
        ("search_passages", {"question": "Leave?", "limit": 0}, "limit"),
        ("search_passages", {"question": "Leave?", "limit": 51}, "limit"),
        ("search_passages", {"question": "Leave?", "limit": "many"}, "limit"),
        ("search_passages", {"query": "Leave?"}, "no argument query"),
        ("list_documents", {"offset": -1}, "offset"),
        ("list_documents", {"collection": "other"}, "no argument collection"),
        ("verify_text", {"text": "x" * 20_001}, "text"),
        ("get_page", {"document": "handbook", "page": 0}, "page"),
        ("get_page", {"document": "handbook", "page": 10**9}, "page"),
        ("get_page", {"document": "handbook", "page": 1.5}, "page"),
        ("ingest_document", {}, "exactly one of"),
        ("ingest_document", {"path": "a.pdf", "url": "https://x.example/"}, "exactly one of"),
        ("ingest_document", {"base64": "not base64!"}, "is not base64"),
        ("ingest_document", {"base64": base64.b64encode(b"<html>").decode()}, "not_a_pdf"),
        ("get_job", {"job_id": "nonesuch"}, "no job"),
        ("get_job", {"job_id": "nonesuch", "wait_seconds": 46}, "wait_seconds"),
        ("remove_document", {"document": ""}, "document"),
        ("no_such_tool", {}, "There is no tool 'no_such_tool'"),
    ],
)  # fmt: skip
async def test_wrong_arguments_are_told_in_a_sentence(
    house: House, handbook: str, tool: str, arguments: dict[str, Any], said: str
):
    """Which one, and what it should be; never a stack, never the value, never another tool's words."""
    async with house.client() as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert said in text_of(result)
    assert "Traceback" not in text_of(result)
    assert "pydantic" not in text_of(result)
    assert "xxxxx" not in text_of(result)
    assert handbook not in text_of(result)


@pytest.mark.parametrize("question", ["\ud800", "a\0b", "'; DROP TABLE documents; --", "title:(", "⟧⟦", "\u202e" * 50])
async def test_strange_questions_are_questions(house: House, handbook: str, question: str):
    """They find something or nothing, and break nothing."""
    async with house.client() as client:
        for tool in ("search_passages", "ask"):
            if question != "\ud800":  # no JSON client can send half a character
                assert not (await client.call_tool(tool, {"question": question})).is_error
        assert structure(await client.call_tool("get_page", {"document": handbook, "page": 1}))["text"] in HANDBOOK


async def test_a_broken_server_tells_nothing_of_itself(house: House, handbook: str, monkeypatch: pytest.MonkeyPatch):
    """An exception that nobody expected keeps its text: it may hold a path or a key."""

    async def explode(*_: object, **__: object) -> None:
        raise RuntimeError("/home/somebody/.secret")

    monkeypatch.setattr("rag_core.library.Library.search", explode)
    async with house.client() as client:
        result = await client.call_tool("search_passages", {"question": "leave"})
    assert result.is_error
    assert "Something broke" in text_of(result)
    assert "secret" not in text_of(result)
    assert handbook
