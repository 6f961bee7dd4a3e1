"""Settings come from the environment, bounded, and what is unknown is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_core.errors import SettingsError
from rag_core.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    for name in [name for name in os.environ if name.startswith("PINCITE_") or name.endswith(("_KEY", "_TOKEN"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_an_argument_beats_the_environment_beats_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """The nearest wins."""
    (tmp_path / ".env").write_text("PINCITE_PASSAGES=3\nPINCITE_MAX_PAGES=7\nPINCITE_THREADS=1\n")
    monkeypatch.setenv("PINCITE_PASSAGES", "4")
    monkeypatch.setenv("PINCITE_MAX_PAGES", "8")
    settings = load_settings(passages=5)
    assert (settings.passages, settings.max_pages, settings.threads) == (5, 8, 1)


@pytest.mark.parametrize("where", ["environment", "file"])
def test_a_mistyped_setting_is_refused_with_the_right_name(where: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A limit that is silently ignored is no limit."""
    if where == "file":
        (tmp_path / ".env").write_text("PINCITE_MAX_PAGE=7\n")
    else:
        monkeypatch.setenv("PINCITE_MAX_PAGE", "7")
    with pytest.raises(SettingsError, match=r"PINCITE_MAX_PAGE is no setting.*PINCITE_MAX_PAGES"):
        load_settings()


@pytest.mark.parametrize(("name", "value"), [("MAX_PAGES", "0"), ("GATE", "2"), ("POLICY", "lax"), ("PASSAGES", "x")])
def test_a_value_out_of_bounds_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch):
    """The message says which setting, and is the only thing raised."""
    monkeypatch.setenv(f"PINCITE_{name}", value)
    with pytest.raises(SettingsError, match=f"PINCITE_{name}"):
        load_settings()


def test_other_programs_settings_are_none_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A shared .env does not break us."""
    (tmp_path / ".env").write_text("DATABASE_URL=postgres://\n")
    monkeypatch.setenv("SOMETHING_ELSE", "1")
    assert load_settings().policy == "strict"


@pytest.mark.parametrize("name", ["DISCORD_TOKEN", "GROQ_API_KEY", "PINCITE_OPENAI_BASE_URL", "PINCITE_LLM_WINDOW"])
def test_an_optional_setting_that_is_empty_is_not_set(name: str, tmp_path: Path):
    """As in a `.env` that has still to be filled in; the bot would go to Discord with no token, again and again."""
    (tmp_path / ".env").write_text(f'{name}=""\nPINCITE_GROQ_FALLBACK_MODEL=\n')
    settings = load_settings()
    assert getattr(settings, name.removeprefix("PINCITE_").lower()) is None
    assert settings.groq_fallback_model == "", "which means that there is none"


def test_secrets_are_never_shown(monkeypatch: pytest.MonkeyPatch):
    """Neither by printing the settings nor by dumping them."""
    monkeypatch.setenv("GROQ_API_KEY", "gsk-very-secret")
    monkeypatch.setenv("DISCORD_TOKEN", "token-very-secret")
    settings = load_settings()
    assert settings.groq_api_key is not None
    assert settings.groq_api_key.get_secret_value() == "gsk-very-secret"
    assert "very-secret" not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_settings_do_not_change():
    """They are read once."""
    settings = load_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.passages = 3  # type: ignore[misc]


def test_every_setting_is_described():
    """`doctor` and the README can say what each is for; the secrets' names say it themselves."""
    silent = {name for name, field in Settings.model_fields.items() if not field.description}
    assert silent == {"groq_api_key", "openai_api_key", "discord_token"}
