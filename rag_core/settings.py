"""The only reader of the environment: `PINCITE_…` variables and `.env` to one frozen, bounded object.

Precedence: what a caller passes, the environment, `.env` in the working folder, the defaults below. A variable that
starts with `PINCITE_` and is no setting is refused, because a mistyped limit that is silently ignored is no limit.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import platformdirs
from dotenv import dotenv_values
from pydantic import AliasChoices, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from rag_core.errors import SettingsError
from rag_core.types import OcrMode, Policy, WriterName

PREFIX = "PINCITE_"

PACKAGED_MODEL = "packaged"
"""The name of the embedding model that comes as a package: all-MiniLM-L6-v2."""


def _secret(*names: str) -> SecretStr | None:
    field: SecretStr | None = Field(None, validation_alias=AliasChoices(*names))
    return field


class Settings(BaseSettings):
    """Every setting there is. `pincite doctor` shows what each is set to, and from where."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=".env", extra="ignore", frozen=True, validate_default=True, populate_by_name=True
    )

    home: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("pincite", appauthor=False),
        description="The data folder: catalog, PDFs and both indexes.",
    )

    embedding_model: str = Field(
        PACKAGED_MODEL,
        min_length=1,
        description="A sentence-transformers model by name or path; 'packaged' is all-MiniLM-L6-v2.",
    )
    embedding_dtype: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="Number format of the model's weights; 'auto' takes bfloat16 where the CPU computes in it."
    )
    embedding_batch: int = Field(8, ge=1, le=1024, description="Texts a batch.")
    threads: int = Field(0, ge=0, le=256, description="Threads of the models; 0 leaves it to PyTorch.")

    reranker: str | None = Field(
        None, description="A cross-encoder by name or path, to reorder what was found; without it, a fast formula does."
    )

    entailment: str = Field(
        PACKAGED_MODEL,
        min_length=1,
        description="A cross-encoder for language inference by name or path; 'packaged' is our own small model.",
    )

    max_bytes: int = Field(200 * 2**20, ge=1024, description="The largest PDF that is read, in bytes.")
    max_pages: int = Field(5000, ge=1, description="The longest PDF that is read, in pages.")
    extract_seconds: float = Field(300.0, gt=0, le=86_400, description="How long reading one PDF may take.")
    extract_memory_mb: int = Field(2048, ge=256, description="How much memory reading one PDF may take.")
    ocr: OcrMode = Field("auto", description="OCR of pages without a text layer: auto, on (every page) or off.")
    lock_seconds: float = Field(
        600.0, ge=0, description="How long to wait for another process that is writing to the data folder."
    )

    writer: WriterName = Field(
        "auto", description="Who drafts answers; 'auto' is the language model that is configured, else 'quote'."
    )
    policy: Policy = Field("strict", description="What is published: strict, flag or quote.")
    passages: int = Field(8, ge=1, le=50, description="Passages a writer sees.")
    gate: float = Field(
        0.37, ge=0, le=1, description="The least probability that the passages hold an answer; below it is a refusal."
    )

    keep_answers: bool = Field(
        True, description="Answer a question that was answered before from what was kept, while nothing changed."
    )

    groq_api_key: SecretStr | None = _secret("PINCITE_GROQ_API_KEY", "GROQ_API_KEY")
    groq_model: str = Field("llama-3.3-70b-versatile", min_length=1, description="The model asked of Groq.")
    groq_fallback_model: str = Field(
        "llama-3.1-8b-instant",
        description="The model asked when the first one is in trouble or has no allowance left; empty for none.",
    )
    groq_base_url: str | None = Field(None, description="Another server that speaks Groq's API.")
    openai_api_key: SecretStr | None = _secret("PINCITE_OPENAI_API_KEY", "OPENAI_API_KEY")
    openai_base_url: str | None = Field(
        None, description="Any server that speaks OpenAI's chat API, for instance http://localhost:11434/v1."
    )
    openai_model: str | None = Field(None, description="The model asked of that server.")
    openai_fallback_model: str = Field(
        "", description="The model asked of it when the first one is in trouble or has no allowance left."
    )
    llm_seconds: float = Field(60.0, gt=0, le=3600, description="How long one call of a language model may take.")
    llm_patience: float = Field(
        120.0, ge=0, le=3600, description="How long an asker waits for a model's allowance, and for trouble to pass."
    )
    llm_window: int | None = Field(
        None, ge=1024, description="Tokens that the model reads and writes in all, where the table does not know it."
    )
    llm_prices: dict[str, tuple[float, float]] = Field(
        default_factory=dict,
        description='US dollars a million tokens, read and written, by model: {"my-model": [0.1, 0.4]}.',
    )

    judge_model: str | None = Field(
        None, description="The language model that judges answers in evals; never the one that writes them."
    )
    judge_base_url: str = Field(
        "https://api.groq.com/openai/v1", description="Its server, any that speaks OpenAI's chat API."
    )
    judge_api_key: SecretStr | None = Field(None, description="Its key, with an allowance of its own.")
    judge_daily_tokens: int = Field(100_000, ge=0, description="Tokens that it may take in 24 hours.")

    discord_token: SecretStr | None = _secret("PINCITE_DISCORD_TOKEN", "DISCORD_TOKEN")

    mcp_issuer: str | None = Field(
        None, description="The OAuth server whose tokens `pincite mcp --auth` takes, beside those of the catalog."
    )
    mcp_introspection_url: str | None = Field(None, description="Where it says what a token stands for (RFC 7662).")
    mcp_client_id: str | None = Field(None, description="As whom it is asked.")
    mcp_client_secret: SecretStr | None = Field(None, description="And the secret of that.")

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_not_set(cls, value: object, field: ValidationInfo) -> object:
        """An optional setting that is empty is none: `DISCORD_TOKEN=`, where somebody has still to fill it in."""
        optional = field.field_name is not None and cls.model_fields[field.field_name].default is None
        return None if optional and isinstance(value, str) and not value.strip() else value


OF_OTHERS = frozenset({"PINCITE_DATA"})
"""Where the tests and evals look for public data: whoever sets it may run the product, too."""


def load_settings(**given: object) -> Settings:
    """The settings, with what is `given` (and not None) above all other sources.

    Raises:
        SettingsError: A value is out of bounds, or a `PINCITE_` variable is no setting; the message names it.
    """
    try:
        _refuse_unknown({**dotenv_values(".env"), **os.environ})
        return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsError(f"The file .env in this folder cannot be read: {exc}.") from exc
    except ValidationError as exc:
        wrong = "; ".join(
            f"{PREFIX}{'.'.join(map(str, e['loc'])).removeprefix(PREFIX).upper()}: {e['msg']}" for e in exc.errors()
        )
        raise SettingsError(f"Some settings cannot be used: {wrong}. `pincite doctor` lists them all.") from exc


def _refuse_unknown(environment: Mapping[str, str | None]) -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields} | OF_OTHERS
    for name in environment:
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, n=1)
            hint = f" Did you mean {near[0]}?" if near else " `pincite doctor` lists the settings there are."
            raise SettingsError(f"{name} is no setting of Pincite.{hint}")
