"""A stand-in for a language model: a loopback server that quotes the passages it is given, and now and then is wrong.

`python -m eval.bench.quoting_model` serves OpenAI's chat API until its standard input ends, and first prints its
address. It shows what the product does around a model (prompts, streams, checks, what is withheld), without one.

Its drafts are the sentences of the passages that share most words with the question, each with its citation. In one
draft of three a number of the last sentence is changed, as models do; a question of which no passage has a word gets
what the prompt asks for then. What is no question about passages, as a follow-up to be rephrased, comes back as it is.
The same prompt always gets the same draft.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from eval.bench.chat_server import Reply, Request, chat_server, says
from rag_core.writing.prompts import SENTINEL

SENTENCES = 3
"""Of a draft, at most."""
WRONG_ONE_IN = 3
BEFORE_SECONDS = 0.3
"""Until the first word, as a fast service takes."""
BETWEEN_SECONDS = 0.01
"""A hundred words a second, or two sentences in half a second."""

_PASSAGE = re.compile(r"<passage (?P<label>\d+) \w+>\n[^\n]*\n(?P<text>.*?)\n</passage ", re.DOTALL)
_QUESTION = re.compile(r"^(?:Question|Last question): (?P<question>.*)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n]{20,300}[.!?](?=\s|$)")
_WORD = re.compile(r"\w{4,}")


def draft(prompt: str) -> str:
    """What the stand-in says to a prompt of the product's."""
    asked = _QUESTION.findall(prompt)
    question = asked[-1] if asked else ""
    passages = [(match["label"], match["text"]) for match in _PASSAGE.finditer(prompt)]
    if not passages:
        return question
    wanted = _words(question)
    sentences = [(text.strip(), label) for label, whole in passages for text in _SENTENCE.findall(whole)]
    near = sorted(sentences, key=lambda sentence: -len(_words(sentence[0]) & wanted))
    chosen = [sentence for sentence in near[:SENTENCES] if _words(sentence[0]) & wanted]
    if not chosen:
        return SENTINEL
    if zlib.crc32(question.encode()) % WRONG_ONE_IN == 0:
        text, label = chosen[-1]
        chosen[-1] = (re.sub(r"\d+", lambda number: str(int(number[0]) + 1), text, count=1), label)
    return " ".join(f"{text[:-1]} [{label}]{text[-1]}" for text, label in chosen)


def reply(request: Request) -> Reply:
    """The draft to a request, at a model's pace."""
    text = draft(request.prompt)
    usage = (len(request.prompt) // 4, len(text) // 4)
    return says(text, usage=usage, before=BEFORE_SECONDS, between=BETWEEN_SECONDS)


@contextmanager
def served() -> Iterator[str]:
    """The address of a stand-in that runs in a process of its own, so that it takes nobody's time but its own."""
    command = [sys.executable, "-m", "eval.bench.quoting_model"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None, "it is a pipe"
        yield process.stdout.readline().strip()


async def _serve() -> None:
    async with chat_server() as chat:
        chat.answer = reply
        print(f"{chat.address}/v1", flush=True)
        await asyncio.to_thread(sys.stdin.read)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


if __name__ == "__main__":
    asyncio.run(_serve())
