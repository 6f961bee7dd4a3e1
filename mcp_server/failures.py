"""What went wrong, as a sentence that tells an agent what to do: the one place where an error becomes a message. Pure.

An ordinary exception keeps its text to itself: it may hold a path, a key or another principal's data.
"""

from __future__ import annotations

from collections.abc import Iterable

from mcp.server.mcpserver.exceptions import (
    MCPServerError,
    ResourceError,
    ResourceNotFoundError,
    ToolError,
    UnexpectedToolError,
)
from pydantic import ValidationError

from eval.errors import RunNotFound, RunOutOfDate
from rag_core.errors import (
    DocumentNotFound,
    JobNotFound,
    NotFoundError,
    PageNotFound,
    QuoteNotFound,
    RagError,
    RateLimited,
    StoreBusy,
)

ADVICE: dict[type[RagError], str] = {
    DocumentNotFound: "Call list_documents to see which there are.",
    PageNotFound: "Call list_documents to see how many pages it has.",
    QuoteNotFound: "Quote the page letter by letter, as search_passages returns it.",
    JobNotFound: "Call list_documents to see whether its document is there, or ingest it again.",
    RunNotFound: "Call run_eval with a dataset to begin one; the run_id 'latest' is the last.",
    RunOutOfDate: "Call run_eval with the dataset to begin one.",
    StoreBusy: "Call again in a minute.",
}
"""What an agent can do about an error, where the core's own advice is for people at a command line."""

BROKEN = "Something broke in the server; that says nothing about the documents. Its log has the reason."


def of_tool(name: str, error: ToolError) -> ToolError:
    """The tool's failure as the caller is told it."""
    match error.__cause__:
        case RagError() as cause:
            return ToolError(sentence(cause))
        case ValidationError() as cause:
            return ToolError(f"wrong_arguments: {_wrong(cause)} Call {name} again with that mended.")
        case ToolError() as cause:
            return cause
        case _:
            return UnexpectedToolError(BROKEN) if isinstance(error, UnexpectedToolError) else error


def of_resource(uri: str, error: ResourceError) -> ResourceError:
    """The failure to read a resource as the caller is told it."""
    cause = _first_rag_error(error)
    if isinstance(cause, NotFoundError):
        return ResourceNotFoundError(sentence(cause))
    if cause is not None:
        return ResourceError(sentence(cause))
    if isinstance(error, ResourceNotFoundError):
        return ResourceNotFoundError(f"not_found: There is no resource {uri[:200]!r}. Read pincite://documents.")
    return ResourceError(BROKEN)


def sentence(error: RagError) -> str:
    """The code, what happened, and what to do.

    >>> sentence(StoreBusy("Somebody else is writing."))
    'busy: Somebody else is writing. Call again in a minute.'
    """
    again = ""
    if isinstance(error, RateLimited) and error.retry_after is not None:
        again = f"Call again in {error.retry_after:.0f} s."
    return " ".join(filter(None, (f"{error.code}: {error}", again or ADVICE.get(type(error)))))


def not_offered(name: str, *, exists: bool, offered: Iterable[str]) -> str:
    """That there is no such tool, or none for this caller."""
    there = f"There are: {', '.join(offered)}."
    if exists:
        return f"not_allowed: This token's scopes do not allow {name}. {there}"
    return f"not_found: There is no tool {name[:100]!r}. {there}"


def unknown_arguments(name: str, wrong: set[str], known: set[str]) -> ToolError:
    """An argument that is none would otherwise be dropped, and the call mean less than its caller thinks."""
    there = ", ".join(sorted(known)) or "none"
    return ToolError(f"wrong_arguments: {name} has no argument {', '.join(sorted(wrong))}; it takes: {there}.")


def _wrong(error: ValidationError) -> str:
    """Each argument that is wrong, without its value: that is the caller's, and may be long."""
    found = (f"{'.'.join(map(str, one['loc'])) or 'the arguments'}: {one['msg']}." for one in error.errors())
    return " ".join(dict.fromkeys(found))


def _first_rag_error(error: MCPServerError) -> RagError | None:
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, RagError):
        cause = cause.__cause__
    return cause
