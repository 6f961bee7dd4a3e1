"""Any cross-encoder, by name or path."""

from __future__ import annotations

from pathlib import Path

import pytest
import tokenizers
import torch
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from rag_core.adapters.reranker import CrossEncoderReranker
from rag_core.errors import ModelUnavailable
from tests.builders import chunk_of

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "tide", "turns", "leave", "is", "long"]


def saved(folder: Path, *, outputs: int) -> Path:
    """A real cross-encoder of two layers and ten words, saved as any other is."""
    vocabulary = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    vocabulary.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    vocabulary.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, num_labels=outputs,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=vocabulary, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    return folder


async def test_each_chunk_is_read_with_the_question(tmp_path: Path):
    """One score a chunk, the same whatever stands beside it, and another for another question."""
    reranker = CrossEncoderReranker(str(saved(tmp_path, outputs=1)), window=64)
    tide, leave = chunk_of("the tide turns"), chunk_of("the leave is long", page=2)
    both = await reranker.score("the tide", [tide, leave])
    assert both == pytest.approx(
        [*await reranker.score("the tide", [tide]), *await reranker.score("the tide", [leave])]
    )
    assert both != pytest.approx(await reranker.score("long leave", [tide, leave]))
    assert await reranker.score("the tide", []) == []
    await reranker.close()


async def test_a_model_that_does_not_rank_is_refused(tmp_path: Path):
    """A classifier of three classes gives no order, and it is said which setting to change."""
    reranker = CrossEncoderReranker(str(saved(tmp_path, outputs=3)), window=64)
    with pytest.raises(ModelUnavailable, match="PINCITE_RERANKER"):
        await reranker.score("the tide", [chunk_of("the tide turns")])
    await reranker.close()


async def test_a_model_that_is_not_there_is_named(tmp_path: Path):
    """And how to go on without it."""
    reranker = CrossEncoderReranker(str(tmp_path / "none"))
    with pytest.raises(ModelUnavailable, match=r"none.*leave it unset"):
        await reranker.score("the tide", [chunk_of("the tide turns")])
    await reranker.close()
