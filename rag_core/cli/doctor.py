"""`pincite doctor`: what is set, what is missing, and what to do about it."""

from __future__ import annotations

import typer

from rag_core.cli import options, output

SIGNS = {"ok": "ok  ", "hint": "hint", "broken": "FAIL"}


def doctor(home: options.Home = None, json: options.Json = False) -> None:
    """Examine the installation; it runs when everything else is broken."""
    import asyncio

    from rag_core.diagnosis import diagnose

    broken = 0
    for finding in asyncio.run(diagnose(home)):
        broken += finding.state == "broken"
        if json:
            output.emit(
                {
                    "check": finding.check,
                    "state": finding.state,
                    "detail": finding.detail,
                    "advice": finding.advice,
                }
            )
        else:
            output.say(f"{SIGNS[finding.state]}  {finding.check}: {finding.detail}")
            if finding.advice:
                output.say(f"      {finding.advice}")
    raise typer.Exit(1 if broken else 0)
