"""A streamed completion, line by line, to a completion: one reader for every server that speaks the chat API."""

from __future__ import annotations

from collections.abc import AsyncIterable

from rag_core.errors import Overloaded
from rag_core.protocols import Completion, Heard
from rag_core.types.meters import Reading
from rag_core.writing import replies


async def transcribe(
    lines: AsyncIterable[str], *, server: str, heard: Heard | None, readings: tuple[Reading, ...]
) -> Completion:
    """All that is said in the lines. A stream that ends before the model does was cut, and is no reply.

    Raises:
        Overloaded: The stream was cut.
        MalformedReply: A line is no part of a completion.
    """
    text, finish, read, written = "", None, None, None
    async for line in lines:
        piece = replies.piece(line, server=server)
        if piece is None:
            continue
        # What is said after the reason for stopping is how many tokens that took.
        finish = finish or piece.finish
        read = piece.input_tokens if piece.input_tokens is not None else read
        written = piece.output_tokens if piece.output_tokens is not None else written
        if piece.text:
            text += piece.text
            if heard is not None:
                await heard(text)
    if finish is None:
        raise Overloaded(f"{server} broke off in the middle of its reply.")
    return Completion(replies.whole(text, finish), read, written, readings)


def whole(body: str, *, server: str, readings: tuple[Reading, ...]) -> Completion:
    """The completion of a server that does not stream, or was not asked to."""
    piece = replies.completion(body, server=server)
    return Completion(replies.whole(piece.text, piece.finish), piece.input_tokens, piece.output_tokens, readings)
