"""The answer as hosts show it: a page of HTML that a host runs in a frame and hands the tool's result to (MCP Apps)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from mcp.server.apps import Apps, ResourceCsp

from mcp_server.offers import Offer

URI = "ui://pincite/answer.html"


def view_of(shown: Iterable[Offer]) -> Apps:
    """The extension with the tools whose results are shown as an answer.

    A host that shows no views has the tool's text and structure, and the pictures that get_page returns.
    """
    apps = Apps()
    for offer in shown:
        apps.tool(resource_uri=URI, annotations=offer.annotations, structured_output=True)(offer.run)
    # No domain at all: the page has what it needs in it, and asks the host for everything else.
    apps.add_html_resource(
        URI,
        html(),
        name="answer",
        title="A verified answer",
        description="Claims in the colours of their verdicts; a click shows the page with the quote highlighted.",
        csp=ResourceCsp(connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[]),
        prefers_border=True,
    )
    return apps


@cache
def html() -> str:
    """The page, all in one."""
    return files("mcp_server").joinpath("answer.html").read_text(encoding="utf-8")
