"""Real cross-encoders of two layers and a dozen words, saved as any other is."""

from __future__ import annotations

from pathlib import Path

import tokenizers
import torch
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "tide", "turns", "leave", "is", "long"]


def saved_cross_encoder(folder: Path, *, outputs: int = 1, labels: tuple[str, ...] = ()) -> Path:
    """The folder, with a model of that many outputs in it, or one for each of `labels`."""
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
    named = {"id2label": dict(enumerate(labels)), "label2id": {name: i for i, name in enumerate(labels)}}
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, **(named if labels else {"num_labels": outputs}),
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=vocabulary, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    return folder
