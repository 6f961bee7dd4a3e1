"""A document's tree of pages, mended where it contradicts itself. Runs only in the worker process.

The engine believes what the tree says of itself: how many pages each branch has, and what hangs from what. A branch
that counts too few loses its pages in silence, and one that hangs from itself loses all. So the tree is walked once,
at two look-ups a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

BRANCHES_A_PAGE = 4
"""A tree with more branches than this for every page that may be read is no tree that anybody meant."""

_REFERENCE = re.compile(r"(\d+) \d+ R")


class _Walk:
    """The pages of a tree, in order, and whether the tree agrees with itself."""

    def __init__(self, document: Any, root: int, most: int) -> None:  # noqa: ANN401 -- PyMuPDF has no types
        self._document = document
        self.leaves: list[int] = []
        self.wrong_parents: dict[int, int] = {}
        self.sound = document.xref_get_key(root, "Parent")[0] == "null"
        path: list[tuple[int, int, Iterator[int]]] = [(root, 0, iter(self._kids(root)))]
        on_path = {root}
        left = BRANCHES_A_PAGE * most
        while path and left and len(self.leaves) <= most:
            node, before, kids = path[-1]
            kid = next(kids, None)
            if kid is None:
                path.pop()
                on_path.discard(node)
                self.sound &= document.xref_get_key(node, "Count") == ("int", str(len(self.leaves) - before))
            elif kid in on_path:
                self.sound = False
            elif self._is_branch(kid):
                left -= 1
                self._hangs(kid, node)
                path.append((kid, len(self.leaves), iter(self._kids(kid))))
                on_path.add(kid)
            else:
                self._hangs(kid, node)
                self.leaves.append(kid)

    def _hangs(self, kid: int, node: int) -> None:
        kind, parent = self._document.xref_get_key(kid, "Parent")
        if kind != "xref" or int(parent.split()[0]) != node:
            self.wrong_parents[kid] = node

    def _is_branch(self, xref: int) -> bool:
        kind = self._document.xref_get_key(xref, "Type")
        if kind in {("name", "/Pages"), ("name", "/Page")}:
            return bool(kind[1] == "/Pages")
        return bool(self._document.xref_get_key(xref, "Kids")[0] != "null")

    def _kids(self, node: int) -> list[int]:
        kind, value = self._document.xref_get_key(node, "Kids")
        if kind == "xref":
            inner = self._document.xref_object(int(value.split()[0])).strip()
            value, kind = (inner, "array") if inner.startswith("[") else (value, kind)
        self.sound &= kind == "array"
        last = self._document.xref_length()
        return [xref for xref in map(int, _REFERENCE.findall(value)) if 0 < xref < last]


def mend(document: Any, most: int) -> bool:  # noqa: ANN401 -- PyMuPDF has no types
    """Whether the tree was wrong; then every page that can be found hangs under its root, `most` + 1 of them at most.

    Where the tree leads to no page at all, the pages are those objects of the file that say they are one.
    """
    try:
        return _mend(document, most)
    except ValueError:  # the engine found the file damaged on the way, and numbered its objects anew
        return _mend(document, most)


def _mend(document: Any, most: int) -> bool:  # noqa: ANN401 -- PyMuPDF has no types
    root = _root(document)
    walk = _Walk(document, root, most)
    leaves = walk.leaves
    if walk.sound and leaves and _counts(document):
        return False
    if not leaves:
        leaves = [x for x in range(1, document.xref_length()) if document.xref_get_key(x, "Type") == ("name", "/Page")]
        walk.wrong_parents = dict.fromkeys(leaves, root)
        if not leaves:
            return False
    leaves = leaves[: most + 1]
    document.xref_set_key(
        root, "Count", "0"
    )  # the engine takes no change to a file that claims more pages than it has objects
    for xref, parent in walk.wrong_parents.items():
        if document.xref_object(xref).startswith("<<"):
            document.xref_set_key(xref, "Parent", f"{parent} 0 R")
    document.xref_set_key(root, "Parent", "null")
    document.xref_set_key(root, "Kids", "[" + " ".join(f"{x} 0 R" for x in _apart(document, leaves)) + "]")
    document.xref_set_key(root, "Count", str(len(leaves)))
    return True


def _root(document: Any) -> int:  # noqa: ANN401 -- PyMuPDF has no types
    """The root of the tree; a new one where the catalogue names none."""
    catalogue = document.pdf_catalog()
    if not (0 < catalogue < document.xref_length() and document.xref_object(catalogue).startswith("<<")):
        catalogue = _made(document, "<</Type/Catalog>>")
        document.xref_set_key(-1, "Root", f"{catalogue} 0 R")
    kind, value = document.xref_get_key(catalogue, "Pages")
    root = int(value.split()[0]) if kind == "xref" else 0
    if 0 < root < document.xref_length() and document.xref_object(root).startswith("<<"):
        return root
    root = _made(document, "<</Type/Pages/Kids[]/Count 0>>")
    document.xref_set_key(catalogue, "Pages", f"{root} 0 R")
    return root


def _apart(document: Any, leaves: list[int]) -> Iterator[int]:  # noqa: ANN401 -- PyMuPDF has no types
    """The leaves, with copies where a page appears again: the engine takes that for a loop."""
    met: set[int] = set()
    for leaf in leaves:
        if leaf in met:
            yield _made(document, document.xref_object(leaf))
        else:
            met.add(leaf)
            yield leaf


def _made(document: Any, text: str) -> int:  # noqa: ANN401 -- PyMuPDF has no types
    xref = int(document.get_new_xref())
    document.update_object(xref, text)
    return xref


def _counts(document: Any) -> bool:  # noqa: ANN401 -- PyMuPDF has no types
    """Whether the engine agrees that the tree can be counted."""
    try:
        return int(document.page_count) >= 0
    except RuntimeError:
        return False
