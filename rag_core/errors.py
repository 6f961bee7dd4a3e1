"""What can go wrong, drawn as a tree. Pure.

An error's text is fit for the person who asked: what happened, to what, and what to do. `code` is the word that
programs read; it is one of the codes of the command-line contract. *Nothing found*, *refused* and *unsupported* are
values, not errors.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from rag_core.types.meters import Reading


class RagError(Exception):
    """Anything that Pincite raises on purpose."""

    code: ClassVar[str]


# ------------------------------------------------------------------------------------------ documents


class DocumentError(RagError):
    """A file that cannot be read as it is."""


class NotAPdf(DocumentError):
    """Something else, whatever its name says."""

    code = "not_a_pdf"


class Damaged(DocumentError):
    """A PDF too broken to repair."""

    code = "damaged"


class Encrypted(DocumentError):
    """A PDF that needs a password, or another one."""

    code = "encrypted"


class TooLarge(DocumentError):
    """More bytes than the settings allow."""

    code = "too_large"


class TooManyPages(DocumentError):
    """More pages than the settings allow."""

    code = "too_many_pages"


class NoText(DocumentError):
    """Not one page has anything to read."""

    code = "no_text"


class ExtractionTimedOut(DocumentError):
    """Reading took longer than the settings allow."""

    code = "timed_out"


class ExtractionOutOfMemory(DocumentError):
    """Reading needed more memory than the settings allow."""

    code = "out_of_memory"


# ------------------------------------------------------------------------------------------- requests


class NotFoundError(RagError):
    """Something asked for by name is not there, or not for this asker to see."""

    code = "not_found"


class DocumentNotFound(NotFoundError):
    """No such document in the scope."""


class JobNotFound(NotFoundError):
    """No such job in the scope."""


class TokenNotFound(NotFoundError):
    """No such token."""


class PageNotFound(NotFoundError):
    """The document has no such page."""


class QuoteNotFound(NotFoundError):
    """The page does not say that."""


class NotAllowed(RagError):
    """The asker may not do this."""

    code = "not_allowed"


# --------------------------------------------------------------------------------------------- stores


class StoreError(RagError):
    """The data folder cannot serve this call."""


class StoreBusy(StoreError):
    """Another process is writing and did not finish in time."""

    code = "busy"


class IndexOutOfDate(StoreError):
    """An index was built by another embedding model, chunker or schema; the message names the command that mends it."""

    code = "index_out_of_date"


class StoreUnavailable(StoreError):
    """The data folder cannot be opened or written."""

    code = "bad_settings"


# --------------------------------------------------------------------------------------------- models


class ModelError(RagError):
    """A model did not do its work."""


class ModelUnavailable(ModelError):
    """It cannot be loaded or reached."""

    code = "model_unavailable"


class Overloaded(ModelUnavailable):
    """It cannot be reached for now, and another attempt may succeed."""


class TooLong(ModelUnavailable):
    """The request is longer than the model takes."""

    def __init__(self, message: str, *, reading: Reading | None = None) -> None:
        super().__init__(message)
        self.reading = reading
        """The meter that the provider named."""


class RateLimited(ModelError):
    """Too many calls for now."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after: float | None = None, reading: Reading | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds until another try is welcome; None when the provider did not say."""
        self.reading = reading
        """The meter that the provider named."""


class QuotaExhausted(ModelError):
    """The day's allowance is gone."""

    code = "quota_exhausted"

    def __init__(
        self,
        message: str,
        *,
        resets_at: datetime | None = None,
        retry_after: float | None = None,
        reading: Reading | None = None,
    ) -> None:
        super().__init__(message)
        self.resets_at = resets_at
        self.retry_after = retry_after
        """Seconds until some of it is there again; None when the provider did not say."""
        self.reading = reading
        """The meter that the provider named."""


class MalformedReply(ModelError):
    """The model answered with something that is no answer."""

    code = "model_unavailable"


class SettingsError(RagError):
    """A setting is unknown, out of bounds or contradicts another."""

    code = "bad_settings"
