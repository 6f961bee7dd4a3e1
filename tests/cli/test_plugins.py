"""Commands that other packages bring."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest
import typer.main

from rag_core.cli import app


@pytest.mark.parametrize("value", ["no_such_package:command", "bot.command:no_such_command"])
def test_a_command_that_cannot_be_loaded_takes_no_other_down(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """It is named on standard error, and the others are there."""
    broken = EntryPoint(name="broken", value=value, group=app.PLUGINS)
    monkeypatch.setattr(app, "entry_points", lambda **_: [broken])
    commands = typer.main.get_command(app.build()).commands  # type: ignore[attr-defined]
    assert "doctor" in commands
    assert "broken" not in commands
    said = capsys.readouterr()
    assert "'broken' cannot be loaded" in said.err
    assert said.out == ""
