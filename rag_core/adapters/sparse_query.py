"""What a question asks to a query of the keyword index, over the documents that the asker may see."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rag_core.finding.queries import Asked, Code, is_character
from rag_core.types import DocumentId

if TYPE_CHECKING:
    import tantivy

INDEXED = "indexed"
"""The stems of a chunk's headings and text, one field as the embedder sees it: a word in both is not counted twice."""
TITLE = "title"
"""The stems of its document's title."""
LITERAL = "literal"
"""The words of the text as written, for phrases."""
ABOVE = "above"
"""The same of what stands above the text: headings and title."""
EXACT = "exact"
"""Codes, large numbers, dates and lone characters of headings and text."""

TITLE_WEIGHT = 0.5
NEIGHBOUR_WEIGHT = 0.1
EXACT_WEIGHT = 0.25
CODE_WEIGHT = 0.5
"""Of each way to write a code. It stands for the numbers in it; where there are none ("FY2019", an address) all of its
pieces are words, and it is worth what neighbours are."""
QUOTED_SCORE = 1000.0
"""For a quotation in the text itself: more than words can make up for, and small enough for 32 bits to tell scores."""
WINDOW = 6
"""Words that may stand between neighbours: the window of the sequential dependence model (Metzler and Croft, 2005)."""
MAX_TERMS = 200
"""A question's distinct words past this many are dropped; a pasted page finds its source with far fewer."""
LOOKED_AT = 32
"""Chunks that hold a quotation or a code, of which one may be in the scope."""
FEW = 16
"""Up to so many documents, words are weighed by how rare they are in these, not in the whole library: in a handbook of
Contoso, "Contoso" says nothing. With more, the gain is within the noise and asking costs more."""


@dataclass(frozen=True, slots=True)
class Analyzers:
    """What the fields' words went through: a term of the index is found by the same."""

    plain: tantivy.TextAnalyzer
    stems: tantivy.TextAnalyzer

    def fold(self, word: str) -> str:
        """`word` as the literal fields have it, without accents."""
        return next(iter(self.plain.analyze(word)), word)

    def stem(self, word: str) -> str:
        """`word` as the other fields have it."""
        return next(iter(self.stems.analyze(word)), word)


class Question:
    """Builds the query of one question for one scope, asking the index how common its words are there."""

    def __init__(
        self,
        schema: tantivy.Schema,
        searcher: tantivy.Searcher,
        analyzers: Analyzers,
        within: Collection[DocumentId],
    ) -> None:
        self._schema = schema
        self._searcher = searcher
        self._analyzers = analyzers
        self._within = within
        self._few = len(within) <= FEW
        self._total = searcher.num_docs
        self._seen = self._count(self._visible) if self._few else self._total
        self._rarity: dict[str, float] = {}

    def query(self, asked: Asked) -> tantivy.Query | None:
        """Chunks that hold any of what is asked, and the quotations if any of the scope does; None if nothing is asked.

        A question of nothing but codes is a quotation of them. It is not bound to the scope: see `scoped`.
        """
        import tantivy

        optional: list[tantivy.Query] = []
        words = list(asked.words)
        found = []
        for code in asked.codes:
            writings = self._writings(code)
            weight = CODE_WEIGHT if code.alone != code.pieces else NEIGHBOUR_WEIGHT
            optional += [self._weighed(query, weight) for query in writings]
            optional += [self._literal(EXACT, token, weight) for token in code.tokens[1:]]
            held = next(filter(self._holds, writings), None)
            words += code.pieces if held is None else code.alone
            found += [] if held is None else [held]
        for stem in list(dict.fromkeys(map(self._analyzers.stem, words)))[:MAX_TERMS]:
            optional += self._word(stem)
        optional += [self._literal(EXACT, word, EXACT_WEIGHT) for word in asked.words if is_character(word)]
        optional += [self._literal(EXACT, token, EXACT_WEIGHT) for token in asked.exact]
        optional += [query for a, b in asked.neighbours for query in self._near(a, b)]
        if not optional:
            return None
        required = self._quoted(asked)
        optional += [
            tantivy.Query.const_score_query(self._side_by_side(LITERAL, words), QUOTED_SCORE) for words in asked.phrases
        ]
        if not required and found and not asked.words:
            required = [self._any_of(found)]
        return self._all_of(required, optional) if required else self._any_of(optional)

    def scoped(self, query: tantivy.Query) -> tantivy.Query:
        """What `query` finds in the scope, with the same scores. Of many documents that takes ten times as long."""
        return self._all_of([self._visible, query])

    def _quoted(self, asked: Asked) -> list[tantivy.Query]:
        """The quotations that a chunk must hold: all, or any when no chunk holds all; none when none holds any."""
        phrases = [phrase for words in asked.phrases if self._holds(phrase := self._phrase(words))]
        if len(phrases) > 1 and not self._holds(self._all_of(phrases)):
            return [self._any_of(phrases)]
        return phrases

    def _word(self, stem: str) -> list[tantivy.Query]:
        rarity = self._rarity_of(stem)
        return [self._term(INDEXED, stem, rarity), self._term(TITLE, stem, TITLE_WEIGHT * rarity)]

    def _near(self, a: str, b: str) -> list[tantivy.Query]:
        import tantivy

        first, second = self._analyzers.stem(a), self._analyzers.stem(b)
        if first == second:
            return []
        weight = NEIGHBOUR_WEIGHT * (self._rarity_of(first) + self._rarity_of(second)) / 2
        pairs = ([first, second], [second, first])
        return [
            self._weighed(tantivy.Query.phrase_query(self._schema, INDEXED, pair, WINDOW), weight) for pair in pairs
        ]

    def _writings(self, code: Code) -> list[tantivy.Query]:
        """The code written as one word, then its pieces side by side: "AB 1234" for "AB-1234"."""
        return [self._literal(EXACT, code.whole), self._side_by_side(LITERAL, code.pieces)]

    def _phrase(self, words: tuple[str, ...]) -> tantivy.Query:
        """The words side by side in the text, or above it, which adds nothing to the score."""
        return self._any_of([self._side_by_side(LITERAL, words), self._weighed(self._side_by_side(ABOVE, words), 0.0)])

    def _side_by_side(self, field: str, words: tuple[str, ...]) -> tantivy.Query:
        import tantivy

        if len(words) > 1:
            return tantivy.Query.phrase_query(self._schema, field, [self._analyzers.fold(word) for word in words])
        return self._literal(EXACT if is_character(words[0]) else field, words[0])

    def _literal(self, field: str, word: str, weight: float = 1.0) -> tantivy.Query:
        return self._term(field, self._analyzers.fold(word), weight)

    def _term(self, field: str, term: str, weight: float = 1.0) -> tantivy.Query:
        import tantivy

        return self._weighed(tantivy.Query.term_query(self._schema, field, term), weight)

    @staticmethod
    def _weighed(query: tantivy.Query, weight: float) -> tantivy.Query:
        import tantivy

        return tantivy.Query.boost_query(query, weight)

    def _rarity_of(self, stem: str) -> float:
        """What makes the stem's weight in the library its weight in the scope: 1 where they are the same."""
        if not self._few:
            return 1.0
        if stem not in self._rarity:
            everywhere = self._searcher.doc_freq(INDEXED, stem)
            here = self._count(self.scoped(self._term(INDEXED, stem))) if everywhere else 0
            self._rarity[stem] = _idf(here, self._seen) / _idf(everywhere, self._total)
        return self._rarity[stem]

    def _holds(self, query: tantivy.Query) -> bool:
        """Whether a chunk of the scope does; a look at a few that do is cheaper than to read the scope."""
        if not self._few:
            found = self._searcher.search(query, LOOKED_AT, count=False).hits
            if any(self._searcher.doc(a).get_first("document_id") in self._within for _, a in found):
                return True
            if len(found) < LOOKED_AT:
                return False
        return self._count(self.scoped(query)) > 0

    def _count(self, query: tantivy.Query) -> int:
        return int(self._searcher.search(query, 1, count=True).count or 0)

    @cached_property
    def _visible(self) -> tantivy.Query:
        """The chunks of the scope, which adds nothing to a score. It is built when it is needed."""
        import tantivy

        if self._few:  # for a few, this is much the faster of the two
            found = self._any_of([self._term("document_id", document) for document in sorted(self._within)])
        else:
            found = tantivy.Query.term_set_query(self._schema, "document_id", sorted(self._within))
        return tantivy.Query.const_score_query(found, 0.0)

    @staticmethod
    def _all_of(required: Iterable[tantivy.Query], optional: Iterable[tantivy.Query] = ()) -> tantivy.Query:
        import tantivy

        must = [(tantivy.Occur.Must, query) for query in required]
        return tantivy.Query.boolean_query([*must, *((tantivy.Occur.Should, query) for query in optional)])

    @staticmethod
    def _any_of(found: Iterable[tantivy.Query]) -> tantivy.Query:
        import tantivy

        return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in found])


def _idf(holding: int, of: int) -> float:
    """How rare a word is, as BM25 has it. What was removed may still be among the holding, and no longer among `of`."""
    return math.log(1 + (max(of, holding) - holding + 0.5) / (holding + 0.5))
