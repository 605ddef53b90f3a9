"""Sentences that the page, a lesson or a link offers: each one comes out right and likely right.

tests/shown-sentences.tsv holds each with a German that a reader judged right.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_plus

from by_node import needs_node
from remarks import recorded, remarks_on

from explorer.drawer.patch.panel import PARTNERS
from explorer.lessons.running import shipped_lessons
from explorer.lessons.url_state import parse_experiment
from explorer.recording.examples import examples, story_examples
from model.checkpoints.checkpoint import SHIPPED, STORY

ROOT = Path(__file__).parents[2]
READ_RIGHT = dict(
    line.split("\t")
    for line in (ROOT / "tests" / "shown-sentences.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
FIELDS = ("sentence", "sentences", "other", "drawer.patch-sentence")


def sentences_in(value: object, field: str = "") -> Iterator[str]:
    """Every sentence in a lesson or a part of one."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from sentences_in(part, name)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from sentences_in(part, field)
    elif isinstance(value, str) and field in FIELDS:
        yield value
    elif isinstance(value, str) and field == "change":
        change = parse_experiment({"change": value})
        yield from filter(None, (change.source, change.patch and change.patch.sentence))


def linked_sentences() -> Iterator[str]:
    for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for sentence in re.findall(r"[?&]sentence=([^&)`\s]+)", path.read_text(encoding="utf-8")):
            yield unquote_plus(sentence)


def test_every_sentence_that_is_offered_was_read():
    offered = {example["sentence"] for example in (*examples(), *story_examples(Path(SHIPPED) / STORY))}
    offered.update(PARTNERS, PARTNERS.values(), linked_sentences())
    offered.update(sentences_in([lesson.model_dump(by_alias=True) for lesson in shipped_lessons().values()]))
    assert offered == READ_RIGHT.keys()


@needs_node
def test_every_sentence_that_is_offered_comes_out_right_and_likely_right(shipped):
    traces = recorded(shipped, [*READ_RIGHT])
    for trace, remarks in zip(traces, remarks_on(shipped, traces), strict=True):
        sentence, judged = trace.sentence, remarks.likelihood
        assert trace.translation == READ_RIGHT[sentence], "read it, and change shown-sentences.tsv or the sentence"
        assert judged and judged.word == "right", f"choose another sentence than {sentence!r}: {judged}"
        assert remarks.warnings == [], sentence
