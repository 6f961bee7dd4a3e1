"""Any sentence-transformers model, by name or path; the packaged one is the published one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from rag_core.adapters import embedder as embedder_module
from rag_core.adapters.embedder import SentenceTransformerEmbedder, packaged_model_path
from rag_core.errors import ModelUnavailable
from rag_core.types import Span

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "tide", "turns", "leave", "is", "long"]


@pytest.fixture(scope="module")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real model of two layers and ten words, saved as any other is."""
    folder = tmp_path_factory.mktemp("model")
    vocabulary = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    vocabulary.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    vocabulary.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=vocabulary, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=32,
    )  # fmt: skip
    parts = folder / "parts"
    BertModel(config).save_pretrained(parts)
    tokenizer.save_pretrained(parts)
    transformer = Transformer(str(parts), max_seq_length=32)
    SentenceTransformer(modules=[transformer, Pooling(16)]).save(str(folder / "whole"))
    return folder / "whole"


@pytest.fixture
async def small(small_model: Path) -> AsyncIterator[SentenceTransformerEmbedder]:
    """An embedder of the small model."""
    embedder = SentenceTransformerEmbedder(str(small_model), dtype="float32")  # so that sums can be compared
    yield embedder
    await embedder.close()


async def test_a_model_is_loaded_from_a_path(small: SentenceTransformerEmbedder, small_model: Path):
    """Its card says what an index must know of it."""
    card = await small.card()
    assert (card.name, card.dimension, card.window) == (str(small_model), 16, 32)
    assert card.fingerprint.startswith(f"{small_model}:")


async def test_vectors_have_unit_length_and_keep_their_order(small: SentenceTransformerEmbedder):
    """However the texts are batched."""
    texts = ["the tide turns", "leave is long", "the", "the tide turns turns turns"]
    together = await small.embed(texts)
    apart = np.concatenate([await small.embed([text]) for text in texts])
    assert together.shape == (4, 16)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.allclose(together, apart, atol=1e-5)


async def test_no_texts_no_vectors(small: SentenceTransformerEmbedder):
    """The shape still says the dimension."""
    assert (await small.embed([])).shape == (0, 16)


def test_tokens_are_counted_with_the_special_ones(small: SentenceTransformerEmbedder):
    """And past the window, too: that is what the count is for."""
    assert small.count_tokens(["the tide", "", "the " * 50]) == [4, 2, 52]


async def test_other_weights_have_another_fingerprint(small: SentenceTransformerEmbedder, small_model: Path):
    """An index built by the one is not searched by the other."""
    before = (await small.card()).fingerprint
    weights = small_model / "model.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[:-4] + b"\0\0\0\0")
    other = SentenceTransformerEmbedder(str(small_model))
    try:
        assert (await other.card()).fingerprint != before
    finally:
        weights.write_bytes(content)
        await other.close()


async def test_a_model_that_is_not_there_is_said_to_be_missing(tmp_path: Path):
    """With the setting to change."""
    embedder = SentenceTransformerEmbedder(str(tmp_path / "nowhere"))
    with pytest.raises(ModelUnavailable, match="PINCITE_EMBEDDING_MODEL"):
        await embedder.embed(["a"])
    await embedder.close()


def test_the_packaged_model_is_the_published_one(monkeypatch: pytest.MonkeyPatch):
    """Its weights are checked against the published digest, and others are refused."""
    assert (packaged_model_path() / "model.safetensors").is_file()
    monkeypatch.setattr(embedder_module, "PACKAGED_SHA256", "0" * 64)
    with pytest.raises(ModelUnavailable, match="reinstall"):
        packaged_model_path()


async def test_the_packaged_model_knows_what_is_alike():
    """A paraphrase is nearer than another subject."""
    embedder = SentenceTransformerEmbedder()
    holiday, leave, ships = await embedder.embed(
        ["How much holiday do I get?", "Employees receive 25 days of annual leave.", "The boats stay in harbour."]
    )
    await embedder.close()
    assert holiday @ leave > holiday @ ships


async def test_a_part_is_the_mean_of_its_tokens_within_the_text(small: SentenceTransformerEmbedder, small_model: Path):
    """Late chunking: not what the part alone would be, and of unit length like all vectors."""
    text, part = "the tide turns leave is long", Span(0, 14)
    (vectors,) = await small.embed_parts([text], [[part, Span(15, 28)]])
    states = SentenceTransformer(str(small_model)).encode([text], output_value="token_embeddings")[0].numpy()
    mean = states[1:4].mean(axis=0)
    assert np.allclose(vectors[1], mean / np.linalg.norm(mean), atol=1e-5)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert not np.allclose(vectors[1], (await small.embed([part.of(text)]))[0], atol=1e-3)


async def test_the_whole_of_a_text_has_the_vector_that_it_is_searched_by(small: SentenceTransformerEmbedder):
    """In whatever batch it is embedded, and whatever it is padded with."""
    texts = ["the tide turns", "leave", "is long the tide turns leave is long"]
    whole = [vectors[0] for vectors in await small.embed_parts(texts, [[], [], [Span(0, 7)]])]
    assert np.allclose(whole, await small.embed(texts), atol=1e-5)


async def test_a_part_that_the_model_cannot_see_has_its_texts_vector(small: SentenceTransformerEmbedder):
    """Past the window there is nothing better."""
    text = "the tide " * 40
    (vectors,) = await small.embed_parts([text], [[Span(0, 8), Span(len(text) - 9, len(text) - 1)]])
    assert np.allclose(vectors[2], vectors[0])
    assert not np.allclose(vectors[1], vectors[0], atol=1e-3)


async def test_a_model_that_does_not_average_has_no_parts(small_model: Path, tmp_path: Path):
    """The states of a model whose first token speaks for the text are no vectors of their own."""
    transformer = Transformer(str(small_model), max_seq_length=32)
    SentenceTransformer(modules=[transformer, Pooling(16, pooling_mode="cls")]).save(str(tmp_path / "cls"))
    embedder = SentenceTransformerEmbedder(str(tmp_path / "cls"))
    (vectors,) = await embedder.embed_parts(["the tide turns"], [[Span(4, 8)]])
    await embedder.close()
    assert np.array_equal(vectors[1], vectors[0])


async def test_a_question_is_embedded_once(small: SentenceTransformerEmbedder):
    """Each index may ask for its vector; nobody can change the one that is kept."""
    first = await small.embed(["the tide turns"])
    assert (await small.embed(["the tide turns"])) is first
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 0


async def test_a_question_does_not_wait_for_a_long_document(small_model: Path):
    """It is embedded beside it, even where all of the document is one batch that came before."""
    embedder = SentenceTransformerEmbedder(str(small_model), dtype="float32", batch=2000)
    await embedder.card()
    texts = ["the tide turns leave is long " * 5] * 2000
    async with asyncio.TaskGroup() as tasks:
        document = tasks.create_task(embedder.embed_parts(texts, [[] for _ in texts], bulk=True))
        await asyncio.sleep(0)  # it is in its thread
        await embedder.embed(["is leave long"])
        assert not document.done()
    assert len(document.result()) == len(texts)
    await embedder.close()


async def test_what_nobody_waits_for_has_the_same_vectors(small: SentenceTransformerEmbedder):
    """Whoever searches compares the one with the other."""
    texts, parts = ["the tide turns", "leave is long the tide"], [[Span(0, 8)], []]
    for mine, other in zip(
        await small.embed_parts(texts, parts), await small.embed_parts(texts, parts, bulk=True), strict=True
    ):
        assert np.array_equal(mine, other)


async def test_both_threads_embed_at_once(small: SentenceTransformerEmbedder):
    """A tokenizer serves one thread at a time; each has its own."""
    texts = [f"the tide turns {'long ' * (n % 20)}" for n in range(300)]
    async with asyncio.TaskGroup() as tasks:
        bulk = tasks.create_task(small.embed_parts(texts, [[] for _ in texts], bulk=True))
        asked = tasks.create_task(small.embed_parts(texts, [[] for _ in texts]))
    assert np.allclose(np.concatenate(bulk.result()), np.concatenate(asked.result()), atol=1e-5)
