"""What the average over many sentences says of this model, in sentences: every number comes from the file."""

from collections.abc import Sequence

import numpy as np

from explorer.experiments.catalogue import names_of
from explorer.experiments.measured import Measured, MeasuredHead
from explorer.tabs.what_if.heads import words
from explorer.ui import words as shared_words
from model.probe import KINDS

FIRST = 12  # heads
POSITIONAL = {"previous", "same", "next"}


def findings(measured: Measured) -> list[str]:
    """A sentence for each: single heads, kinds, heads that look at neighbours, and heads that align."""
    heads = measured.heads
    first = sorted(heads, key=lambda head: -head.drop)[:FIRST]
    best, total = first[0], sum(head.drop for head in heads)
    shares = [
        words.FOUND["share"].format(
            kind=shared_words.KIND_NAMES[kind],
            share=sum(head.drop for head in heads if head.kind == kind) / total,
            first=sum(head.kind == kind for head in first),
        )
        for kind in KINDS
    ]
    found = [
        words.FOUND["single"].format(
            worse=sum(head.low > 0 for head in heads),
            better=sum(head.high < 0 for head in heads),
            heads=len(heads),
            kind=shared_words.KIND_NAMES[best.kind],
            layer=best.layer + 1,
            head=best.head + 1,
            drop=best.drop,
        ),
        words.FOUND["kinds"].format(first=FIRST, shares=", ".join(shares)),
        compared("positional", [head for head in heads if head.kind != "cross"], POSITIONAL),
        compared("aligning", [head for head in heads if head.kind == "cross"], {"aligns"}),
    ]
    return [sentence for sentence in found if sentence]


def compared(name: str, heads: Sequence[MeasuredHead], wanted: set[str]) -> str | None:
    """The mean drop of the heads that have one of the names beside that of the others of their kinds."""
    having = [head for head in heads if wanted & {*names_of(head.kind, head.model_dump())}]
    others = [head for head in heads if head not in having]
    if not having or not others:
        return words.FOUND[f"no_{name}"]
    mean, rest = (float(np.mean([head.drop for head in some])) for some in (having, others))
    return words.FOUND[name].format(count=len(having), mean=mean, others=rest)
