"""The answer as a view: run by a real browser, fed by a real client, in the smallest host there can be."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp.client import advertise
from mcp.types import TextResourceContents
from mcp_house import ADD, House, structure, text_of
from PIL import Image as Picture

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOST = Path(__file__).with_name("host.html").read_text(encoding="utf-8")
PATIENCE = 120
"""Seconds that a browser may take on a busy machine; never waited out."""
SLY = "<img src=http://evil.example/x><script>parent.owned = 1</script>"


async def recorded(house: House, question: str) -> dict[str, Any]:
    """What a host has in hand: the view, the tool's result, and the page that a click asks for."""
    async with house.client(extensions=[advertise("io.modelcontextprotocol/ui", {})]) as client:
        tool = next(tool for tool in (await client.list_tools()).tools if tool.name == "ask")
        [view] = (await client.read_resource(tool.meta["ui"]["resourceUri"])).contents  # type: ignore[index]
        result = await client.call_tool("ask", {"question": question})
        page = await client.call_tool("get_page", {"document": "handbook", "page": 1, "quote": ADD})
    assert isinstance(view, TextResourceContents)
    assert view.mime_type == "text/html;profile=mcp-app"
    plain = {"mode": "json", "by_alias": True}
    return {"html": view.text, "result": result.model_dump(**plain), "page": page.model_dump(**plain)}


def shown(what: dict[str, Any], folder: Path, *, sandbox: str = "allow-scripts allow-same-origin") -> dict[str, Any]:
    """What the host saw, once a browser has run it all."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    data = json.dumps(what).replace("</", "<\\/")
    page = folder / "host.html"
    page.write_text(HOST.replace("SANDBOX", sandbox).replace("RECORDED", data), encoding="utf-8")
    command = [
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'browser'}"),
        # A frame in a process of its own has a clock of its own: the page's five seconds pass before it has spoken.
        "--disable-features=IsolateSandboxedIframes",
        *("--virtual-time-budget=5000", "--dump-dom", page.as_uri()),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2000:]
    seen: dict[str, Any] = json.loads(html.unescape(found[1]))
    return seen


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """A PNG that a browser can draw, as base64."""
    import base64

    Picture.new("RGB", (3, 2), "white").save(tmp_path / "page.png")
    return base64.b64encode((tmp_path / "page.png").read_bytes()).decode()


async def test_a_click_shows_the_page_with_the_quote(house: House, handbook: str, tmp_path: Path, picture: str):
    """The claim has its verdict's colour; the click asks for the very page and quote, and the picture is drawn."""
    what = await recorded(house, "How many days is annual leave?")
    what["page"]["content"][1]["data"] = picture
    seen = shown(what, tmp_path)
    assert ADD in seen["text"]
    [claim] = seen["claims"]
    assert claim["verdict"] == "supported"
    assert claim["colour"] == "rgb(95, 208, 143)", "the dark theme's green"
    assert seen["calls"] == [{"name": "get_page", "arguments": {"document": handbook, "page": 1, "quote": ADD}}]
    assert seen["image"]["drawn"] == 3
    assert ADD in seen["image"]["alt"]
    assert "ui/notifications/size-changed" in seen["messages"]


async def test_it_needs_nothing_of_its_host_but_messages(house: House, handbook: str, tmp_path: Path):
    """In a frame of an origin of its own, as real hosts run it, it introduces itself and takes the answer."""
    what = await recorded(house, "How many days is annual leave?")
    seen = shown(what, tmp_path, sandbox="allow-scripts")
    assert seen["initialized"]["protocolVersion"] == "2026-01-26"
    assert "ui/notifications/initialized" in seen["messages"]
    assert handbook


async def test_document_text_is_never_markup(house: House, handbook: str, tmp_path: Path):
    """Whatever a page says, the view shows its letters: no element of it, no script, no request."""
    what = await recorded(house, "How many days is annual leave?")
    claim = what["result"]["structuredContent"]["claims"][0]
    claim["text"] = claim["citations"][0]["quote"] = claim["citations"][0]["title"] = SLY
    claim["verdict"] = "contradicted"
    seen = shown(what, tmp_path)
    assert SLY in seen["text"]
    assert seen["injected"] == 0
    assert seen["claims"][0]["colour"] == "rgb(255, 138, 128)"
    assert handbook


async def test_a_refusal_and_an_error_are_shown_as_such(house: House, handbook: str, tmp_path: Path):
    """With the reason; and a page that cannot be had leaves a sentence instead of a picture."""
    refused = shown(await recorded(house, "Which penguins nest in Antarctica?"), tmp_path)
    assert "Refused:" in refused["text"]
    what = await recorded(house, "How many days is annual leave?")
    what["page"] = {"isError": True, "content": [{"type": "text", "text": "not_found: It was removed."}]}
    gone = shown(what, tmp_path)
    assert "not_found: It was removed." in gone["text"]
    what["result"] = {"isError": True, "content": [{"type": "text", "text": "busy: Call again."}]}
    assert "busy: Call again." in shown(what, tmp_path)["text"]
    assert handbook


async def test_a_host_without_views_has_text_and_picture(house: House, handbook: str):
    """The same tool says it all in words, and get_page draws the proof."""
    async with house.client() as client:
        answer = await client.call_tool("ask", {"question": "How many days is annual leave?"})
        [citation] = structure(answer)["claims"][0]["citations"]
        page = await client.call_tool("get_page", {"document": handbook, "page": 1, "quote": citation["quote"]})
    assert f"[1] ⟦handbook⟧, page 1: ⟦{ADD}⟧" in text_of(answer)
    assert [block.type for block in page.content] == ["text", "image"]
