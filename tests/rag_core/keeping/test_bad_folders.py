"""A folder that cannot be written, or is full: a sentence each time, and nothing that was there is lost."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import troubles

WRITTEN = "can be written"


@pytest.fixture
def home() -> Iterator[Path]:
    """A data folder in a place where anybody may make one; pytest's own is its owner's alone."""
    with tempfile.TemporaryDirectory(prefix="pincite-test-") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder) / "home"


def test_a_part_that_cannot_be_written_fails_the_file_and_loses_none(home: Path):
    """Each of the four folders in turn; once it can be written, the same files are ingested."""
    told = troubles.in_child(troubles.read_only_parts, home)
    assert [said.split(":")[0] for said in told.said] == ["bad_settings"] * 4, told.said
    assert all("ermission denied" in said for said in told.said), told.said
    assert told.titles == ["a", "blobs", "keywords", "uploads", "vectors"]
    assert told.differences == []


def test_a_folder_that_cannot_be_written_is_not_opened(home: Path):
    """It is said what to do, and not a byte of it has changed."""
    told = troubles.in_child(troubles.read_only_whole, home)
    [said] = told.said
    assert said.startswith("bad_settings: ")
    assert WRITTEN in said
    assert (told.changed, told.titles, told.differences) == ([], ["a"], [])


def test_a_disk_that_is_full_spoils_no_upkeep(home: Path):
    """Compacting, rebuilding, exporting and removing fail with a sentence; nothing else is lost, and nothing stays."""
    told = troubles.in_child(troubles.full_upkeep, home)
    assert told.said, "none of the limits was felt"
    assert {said.split(":")[0] for said in told.said} == {"bad_settings"}, told.said
    assert (told.changed, told.titles, told.differences) == ([], ["a"], [])


def test_a_disk_that_is_full_anywhere_fails_the_file_and_loses_none(home: Path):
    """Whichever file it is that cannot grow; once there is room, the same files are ingested."""
    told = troubles.in_child(troubles.full, home)
    assert told.said, "none of the limits was felt"
    assert {said.split(":")[0] for said in told.said} == {"bad_settings"}, told.said
    assert told.titles == sorted(["a", *(str(1 << power) for power in range(10, 18))])
    assert told.differences == []
