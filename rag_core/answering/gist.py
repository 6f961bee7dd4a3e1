"""A question to what it asks, without what it says of the answer's form or of where to look. Pure.

"According to the details in the balance sheet, how much did Nike owe? Answer in USD millions." asks how much Nike owed:
its other words are on no page that answers it, and on many that do not.
"""

from __future__ import annotations

import re

from rag_core.text.sentences import sentences

_DIRECTS = re.compile(
    r"""(?:please|kindly|answer|respond|reply|round|express|write|provide|give|state|address|calculate|compute|define|base|use
    |assume|note|do\s+not|don't|your\s+answer|the\s+answer\s+should|we\s+(?:need|want)\s+to\s+(?:calculate|compute)
    |if\b.{1,120}\b(?:please|then)\b.{0,30}\b(?:state|say|answer|explain))\b
    | .{1,80}\b(?:is|are)\s+defined\s+as\b""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""A sentence that says how to answer, where another one asks."""
_BEFORE = re.compile(
    r"""(?:here(?:'s|\s+is)\s+(?:the|my)\s+question:\s*
    |(?:according\s+to|based\s+(?:up)?on|basing\s+your|considering|taking\s+into\s+account|when\s+(?:\w+\s+)?referencing
    |referring\s+to|(?:by\s+)?(?:using|relying\s+on)|judging\s+(?:by|from)|as\s+per)\b[^,?\d]{1,120},\s*
    (?=(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could)\b))""",
    re.IGNORECASE | re.VERBOSE,
)
"""Where to look, before what is asked; what has a number (a year, a table) tells more than that."""

_ASKED = re.compile(r"(?<=\?)\s+")
"""Where a question ends; what follows need not begin with a capital."""
_ASKS = re.compile(r"\b(?:what|which|who|whose|when|where|why|how)\b.*\?$", re.IGNORECASE | re.DOTALL)


def gist(question: str) -> str:
    """The sentences of the question that ask or tell something; all of it where none of them asks.

    >>> gist("According to the details in the balance sheet, how much did Nike owe? Answer in USD millions.")
    'how much did Nike owe?'
    >>> gist("I am in grade 5. How long is my notice?"), gist("Please list the grades.")
    ('I am in grade 5. How long is my notice?', 'Please list the grades.')
    """
    every = [part for span in sentences(question) for part in _ASKED.split(span.of(question))]
    kept = [_BEFORE.sub("", part, count=1) for part in every if not _DIRECTS.match(part) or _ASKS.search(part)]
    return " ".join(kept) if any(part.endswith("?") for part in kept) else question
