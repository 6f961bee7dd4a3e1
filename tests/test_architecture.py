"""The shape of the code is kept by tests, and the README by the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import typer.main

from eval.runs import open_evals
from mcp_server.roots import Roots
from mcp_server.server import Allowed, build_server
from rag_core.bootstrap import open_library
from rag_core.cli.app import build
from rag_core.errors import RagError
from rag_core.settings import PREFIX, Settings
from rag_core.types import CollectionName

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

CODES = {
    "not_a_pdf", "damaged", "encrypted", "too_large", "too_many_pages", "no_text", "timed_out", "out_of_memory",
    "not_found", "not_allowed", "busy", "index_out_of_date", "rate_limited", "model_unavailable", "quota_exhausted",
    "bad_settings",
}  # fmt: skip
WORLD = {"asyncio", "os", "pathlib", "socket", "sqlite3", "subprocess", "tempfile", "time", "threading", "pymupdf"}
"""What a pure module must not import: it touches the world, or waits for it."""


def sources(folder: str) -> list[Path]:
    """The modules below a folder of the repository."""
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level names of all that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


PURE = [path for path in sources("rag_core") if re.search(r'\A""".*?\bPure\b.*?"""', path.read_text(), re.DOTALL)]


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.name)
def test_what_calls_itself_pure_touches_nothing(path: Path):
    """No file, no clock, no thread, no adapter."""
    assert imported(path) & WORLD == set()
    assert "rag_core.adapters" not in path.read_text(encoding="utf-8")


def test_most_of_the_core_is_pure():
    """The list above is not empty by accident."""
    assert len(PURE) >= 15


def test_the_readme_names_every_command():
    """As it is typed."""
    commands = typer.main.get_command(build()).commands  # type: ignore[attr-defined]
    assert [name for name in commands if f"`pincite {name}" not in README] == []


def test_the_readme_names_every_setting():
    """By its variable, and none that does not exist."""
    there = {PREFIX + name.upper() for name in Settings.model_fields}
    named = set(re.findall(r"`(PINCITE_[A-Z_]+)`", README))
    assert named == there


async def test_the_readme_names_every_tool(tmp_path: Path):
    """Each tool that an MCP client may be offered."""
    settings = Settings(home=tmp_path)
    server = build_server(
        lambda: open_library(settings),
        open_evals=lambda library: open_evals(settings, library),
        collection=CollectionName("local"),
        allowed=Allowed(Roots([tmp_path])),
    )
    tools = [tool.name for tool in await server.list_tools()]
    assert tools
    assert [name for name in tools if f"`{name}`" not in README] == []


def test_every_error_has_a_code_of_the_contract():
    """Programs read it; a new one is a change of the contract."""

    def below(kind: type[RagError]) -> set[type[RagError]]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__()))

    codes = {kind.__name__: kind.code for kind in below(RagError) if hasattr(kind, "code")}
    assert set(codes.values()) <= CODES
    leaves = {kind for kind in below(RagError) if not kind.__subclasses__()}
    assert [kind.__name__ for kind in leaves if not hasattr(kind, "code")] == []


def test_tests_are_no_package():
    """An `__init__.py` in `tests/bot` would hide the real `bot`."""
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_no_module_is_named_for_its_place_in_a_pattern():
    """A name says what the thing is."""
    vague = {"utils", "util", "helpers", "helper", "manager", "base", "models", "common", "misc"}
    found = [p for folder in ("rag_core", "bot", "mcp_server", "eval") for p in sources(folder) if p.stem in vague]
    assert found == []
