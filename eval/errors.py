"""What can go wrong with an eval, on the product's own tree of errors. Pure."""

from __future__ import annotations

from rag_core.errors import ModelUnavailable, NotAllowed, NotFoundError, SettingsError


class BadSet(SettingsError):
    """A set that cannot be read; its text names the file and the line."""


class UnknownSystem(SettingsError):
    """No system has this name; the text lists those that there are."""


class SystemUnavailable(ModelUnavailable):
    """A system needs a package or a model that is not here; the text says which."""


class RunNotFound(NotFoundError):
    """There is no such run, or not for this owner."""


class RunUnderWay(NotAllowed):
    """The run is being worked on already, by this process or another."""


class RunOutOfDate(NotAllowed):
    """What the run was begun with has changed since, so its rest would not be of one piece."""


class NotComparable(NotAllowed):
    """Two runs share no question."""
