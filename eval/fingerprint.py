"""All that a run's figures depend on, to short names that change whenever it does."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path

from eval.datasets import Dataset
from rag_core.adapters.entailment import PackagedEntailment
from rag_core.settings import Settings
from rag_core.types import IndexState

CODE = (Path(__file__).parents[1] / "rag_core", Path(__file__).parent / "systems")
"""Whatever makes an answer."""
MACHINE = ("machine", "python")
"""Figures of speed depend on these, and nothing else does: a run may go on elsewhere."""
KEPT = (
    "writer", "policy", "passages", "gate", "reranker", "ocr", "embedding_model", "embedding_dtype", "groq_model",
    "openai_model", "openai_base_url", "llm_window",
)  # fmt: skip
"""Settings that an answer may depend on; no secret is among them."""


def fingerprint(
    settings: Settings, dataset: Dataset, documents: Mapping[str, str], index: IndexState | None
) -> dict[str, str]:
    """By name, in a fixed order."""
    known = settings.model_dump(include=set(KEPT))
    said = {f"setting {name}": str(known[name]) for name in KEPT if name in known}
    return {
        "pincite": importlib.metadata.version("pincite"),
        "code": _digest(_sources()),
        "set": dataset.digest,
        "documents": _digest(sorted({*documents.values()})),
        "embedding": index.embedding if index else "none",
        "chunker": index.chunker if index else "none",
        "verifier": PackagedEntailment().version,
        **said,
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
        "python": platform.python_version(),
    }


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What is not as it was, but for the machine."""
    return sorted(name for name in {*before, *now} if name not in MACHINE and before.get(name) != now.get(name))


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _sources() -> list[str]:
    files = sorted(file for folder in CODE for file in folder.rglob("*.py"))
    return [f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}" for file in files]
