"""The four designs that Pincite grew out of, each rebuilt small from its description, without its mistakes of code.

What they differ in is how they find and how they check. So all of them read the pages as Pincite does, use the same
embedding model, and draft in the same way: the sentence of their passages that has most of the question's words. A
language model would write more, and they would check that by the same rules; the table of verdicts shows those alone.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from eval.ranked import ranking
from eval.replies import Cited, Judged, Reply, Statement
from eval.systems.corpus import DEEP, Corpus, Piece, Vectors, within_page
from rag_core.text.sentences import sentences
from rag_core.text.terms import terms
from rag_core.types import DocumentId

SIZE = 800
"""Characters of a chunk."""
CHUNKS = within_page(SIZE)
TOKENS = 500
SEEN = 5
"""Passages that an answer is drafted from."""
LEAST_COSINE = 0.56
RRF_K = 60
K1, B = 1.5, 0.75
"""BM25's usual constants."""

Check = Callable[[str, str], bool]


class Finder(Protocol):
    """A way to find pieces."""

    async def prepare(self, corpus: Corpus) -> float:
        """Index the documents; the seconds that took."""
        ...

    async def find(self, question: str, within: Sequence[DocumentId], k: int) -> list[tuple[Piece, float]]:
        """The k best pieces with their scores, best first."""
        ...


def shared_words(length: int, wanted: int) -> Check:
    """Whether a claim and a text have so many words of so many letters in common.

    >>> shared_words(5, 3)("Annual leave is thirty days.", "Annual leave is twenty days.")
    False
    """
    words = re.compile(rf"[^\W\d_]{{{length},}}")
    return lambda claim, text: len({*words.findall(claim.lower())} & {*words.findall(text.lower())}) >= wanted


def literally(claim: str, text: str) -> bool:
    """Whether the claim is a quotation of the text, but for case and white space.

    >>> literally("It  opened in May.", "So it opened in May.")
    True
    """
    said, wanted = (" ".join(each.casefold().split()) for each in (text, claim))
    return wanted.strip('"“”') in said


@dataclass(slots=True)
class Design:
    """A way to find, a check, and perhaps a line below which it refuses."""

    finder: Finder
    check: Check
    least: float = 0.0
    """The score below which the best piece is about something else."""
    tag: str = "[{}]"
    """How it marks its passages."""

    async def prepare(self, corpus: Corpus) -> Mapping[str, float]:
        """Cut, and index."""
        return {"index": await self.finder.prepare(corpus)}

    async def ask(self, question: str, within: Sequence[DocumentId]) -> Reply:
        """Its draft when its check lets it pass."""
        start = time.perf_counter()
        found = await self.finder.find(question, within, DEEP)
        ms = {"retrieval": (time.perf_counter() - start) * 1000}
        places = ranking((piece.document, piece.page) for piece, _ in found)
        seen = [piece for piece, _ in found[:SEEN]]
        base = Reply("refused", places, ms=ms, passages=tuple(piece.text for piece in seen))
        if not found or found[0][1] <= self.least:
            return self._timed(replace(base, reason="No passage is near enough."), start)
        drafted = nearest_sentence(question, seen)
        if drafted is None:
            return self._timed(replace(base, reason="No passage has a sentence."), start)
        sentence, label = drafted
        piece = seen[label - 1]
        if not self.check(sentence, piece.text):
            return self._timed(replace(base, reason="The draft did not pass the check.", withheld=1), start)
        cited = Cited(piece.document, piece.page, sentence, literally(sentence, piece.text))
        statement = Statement(sentence, "supported", (cited,))
        answer = replace(base, status="answered", text=f"{sentence} {self.tag.format(label)}", statements=(statement,))
        return self._timed(answer, start)

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judged]:
        """Its check alone."""
        judged = []
        for claim, text in pairs:
            start = time.perf_counter()
            ok = self.check(claim, text)
            verdict = "supported" if ok else "unsupported"
            judged.append(Judged(verdict, ok, ms=(time.perf_counter() - start) * 1000))
        return judged

    @staticmethod
    def _timed(reply: Reply, start: float) -> Reply:
        return replace(reply, ms={**reply.ms, "total": (time.perf_counter() - start) * 1000})


def nearest_sentence(question: str, pieces: Sequence[Piece]) -> tuple[str, int] | None:
    """The sentence with most of the question's terms, and the label of its piece; the earlier one of equals."""
    asked = frozenset(terms(question))
    best: tuple[int, str, int] | None = None
    for label, piece in enumerate(pieces, start=1):
        for span in sentences(piece.text):
            sentence = " ".join(span.of(piece.text).split())
            score = len(asked & frozenset(terms(sentence)))
            if best is None or score > best[0]:
                best = (score, sentence, label)
    return (best[1], best[2]) if best else None


class Dense:
    """The pieces with the nearest vectors."""

    def __init__(self, name: str, cut: Callable[[str], Sequence[str]] | None = None) -> None:
        self._name = name
        self._cut = cut
        self._vectors: Vectors | None = None
        self._corpus: Corpus | None = None

    async def prepare(self, corpus: Corpus) -> float:
        """Embed."""
        self._corpus = corpus
        cut = self._cut or by_tokens(corpus.embedder.count_tokens, TOKENS)
        self._vectors = await corpus.vectors(self._name, cut)
        return self._vectors.seconds

    async def find(self, question: str, within: Sequence[DocumentId], k: int) -> list[tuple[Piece, float]]:
        """By cosine."""
        assert self._vectors is not None, "a system is prepared before it is asked"
        assert self._corpus is not None, "as above"
        (query,) = await self._corpus.embedder.embed([question])
        return self._vectors.nearest(query, within, k)


class Words:
    """BM25 (Robertson and Zaragoza, 2009) over lower-case words."""

    def __init__(self) -> None:
        self._pieces: tuple[Piece, ...] = ()
        self._counts: list[Counter[str]] = []
        self._in: Counter[str] = Counter()
        self._mean = 1.0

    async def prepare(self, corpus: Corpus) -> float:
        """Count."""
        start = time.perf_counter()
        self._pieces = await corpus.pieces(CHUNKS)
        self._counts = [Counter(_words(piece.text)) for piece in self._pieces]
        self._in = Counter(word for counts in self._counts for word in counts)
        self._mean = sum(counts.total() for counts in self._counts) / max(len(self._counts), 1)
        return time.perf_counter() - start

    async def find(self, question: str, within: Sequence[DocumentId], k: int) -> list[tuple[Piece, float]]:
        """By score; pieces without a word of the question are not found."""
        asked, allowed = _words(question), frozenset(within)
        scored = [
            (piece, self._score(asked, counts))
            for piece, counts in zip(self._pieces, self._counts, strict=True)
            if piece.document in allowed
        ]
        return sorted((s for s in scored if s[1] > 0), key=lambda item: -item[1])[:k]

    def _score(self, asked: Sequence[str], counts: Counter[str]) -> float:
        longer = K1 * (1 - B + B * counts.total() / self._mean)
        n = len(self._pieces)
        return float(
            sum(
                np.log(1 + (n - self._in[word] + 0.5) / (self._in[word] + 0.5))
                * counts[word] * (K1 + 1) / (counts[word] + longer)
                for word in asked
                if counts[word]
            )
        )  # fmt: skip


class Fused:
    """Two finders, merged by reciprocal rank."""

    def __init__(self, *finders: Finder) -> None:
        self._finders = finders

    async def prepare(self, corpus: Corpus) -> float:
        """Both."""
        return sum([await finder.prepare(corpus) for finder in self._finders])

    async def find(self, question: str, within: Sequence[DocumentId], k: int) -> list[tuple[Piece, float]]:
        """By the sum of 1 / (60 + rank)."""
        scores: dict[Piece, float] = {}
        for finder in self._finders:
            for rank, (piece, _) in enumerate(await finder.find(question, within, k), start=1):
                scores[piece] = scores.get(piece, 0.0) + 1 / (RRF_K + rank)
        return sorted(scores.items(), key=lambda item: -item[1])[:k]


class TfIdf:
    """Cosine of TF-IDF vectors."""

    def __init__(self) -> None:
        self._pieces: tuple[Piece, ...] = ()
        self._vectorizer: Any = None
        self._matrix: Any = None

    async def prepare(self, corpus: Corpus) -> float:
        """Fit on all pieces."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        start = time.perf_counter()
        self._pieces = await corpus.pieces(CHUNKS)
        self._vectorizer = TfidfVectorizer(stop_words="english")
        self._matrix = self._vectorizer.fit_transform([piece.text for piece in self._pieces])
        return time.perf_counter() - start

    async def find(self, question: str, within: Sequence[DocumentId], k: int) -> list[tuple[Piece, float]]:
        """By cosine; pieces without a word of the question are not found."""
        cosines = (self._matrix @ self._vectorizer.transform([question]).T).toarray().ravel()
        allowed = frozenset(within)
        order = np.argsort(-cosines, kind="stable")
        found = [(self._pieces[i], float(cosines[i])) for i in order if cosines[i] > 0]
        return [item for item in found if item[0].document in allowed][:k]


def by_tokens(count: Callable[[Sequence[str]], list[int]], most: int) -> Callable[[str], list[str]]:
    """A cut of a page into runs of at most `most` tokens, whole words each; the model may see less of them."""

    def cut(text: str) -> list[str]:
        words = text.split()
        runs: list[list[str]] = [[]]
        room = most
        for word, tokens in zip(words, count(words), strict=True) if words else ():
            own = max(tokens - 2, 1)  # without the two special ones
            if own > room and runs[-1]:
                runs.append([])
                room = most
            runs[-1].append(word)
            room -= own
        return [" ".join(run) for run in runs if run]

    return cut


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def dense_shared_words() -> Design:
    """Chunks of 800 characters within a page, the five nearest; a sentence must share 3 words of 5 letters."""
    return Design(Dense("800 characters", CHUNKS), shared_words(5, 3))


def hybrid_tags() -> Design:
    """BM25 and dense merged by reciprocal rank, passages tagged `[C4]`; 2 words of 4 letters must be shared."""
    return Design(Fused(Words(), Dense("800 characters", CHUNKS)), shared_words(4, 2), tag="[C{}]")


def tfidf_quotation() -> Design:
    """TF-IDF, and a contract that every statement is a literal quotation."""
    return Design(TfIdf(), literally)


def dense_cosine_gate() -> Design:
    """Chunks of 500 tokens, dense; nothing is answered when the best cosine is under 0.56, and nothing else checked."""
    return Design(Dense("500 tokens"), lambda _claim, _text: True, least=LEAST_COSINE)
