"""Whatever stands in a file from outside gives what it should hold, or a sentence; never much memory."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from damage import altered, bounded, damaged
from fuzzing import SENTENCES, examples, guarded, is_sentence, odd
from hypothesis import given
from hypothesis import strategies as st

from explorer.lessons.lesson import read_lesson
from explorer.recording.sentence import examples as read_examples
from model.errors import UserError
from model.training.data import read_pairs

LESSON = Path("assets/lessons")
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
YAMLS = [
    *[BOMB, "&a [*a]", "a: &a {<<: *a}", "[" * 5000, "{a: " * 3000, "- " * 3000],
    *["!!python/object/apply:os.system [ls]", "2001-99-99", "1:99:99", ".inf", ".nan", "0x" + "f" * 5000],
    *["9" * 5000, "? [a]\n: b", "{1: 2}", "--- a\n--- b", "\t"],
    *[f"!!{kind} {value}" for kind in ("binary", "timestamp", "int", "float", "bool", "null") for value in ("x", "''")],
    *["!!set {a}", "!!omap [a]", "!!pairs [a]", "%YAML 9.9\n---\na", "*b", "a: b: c", "=", "<<"],
    "!<tag:yaml.org,2002:int> ''",
    *["title: !!int -", "? {a: 1}\n: 1", "? &a [*a]\n: 1"],
]


def answers(read: Callable[[], Any], *refusals: type[Exception]) -> Any:
    """What is read, or None where it is refused in a sentence."""
    try:
        with guarded(), bounded():
            return read()
    except refusals as refusal:
        is_told(str(refusal))
        return None


def is_told(text: str) -> None:
    """As at a command's end, where a sentence may do without its mark."""
    is_sentence(f"{text.rstrip('.')}.")


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("files")


lessons = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(LESSON.glob("*.yaml"))]
lesson_bytes = sorted(LESSON.glob("*.yaml"))[0].read_bytes()
plain = st.sampled_from(lessons).flatmap(altered)


@examples(120)
@given(content=st.one_of(plain, plain, damaged(lesson_bytes), odd))
def test_a_lesson_is_read_or_refused(place, content):
    path = place / "lesson.yaml"
    path.write_bytes(as_yaml(content))
    lesson = answers(lambda: read_lesson(path), UserError)
    if lesson:
        json.dumps(lesson.to_json("lesson", "de"))


def as_yaml(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    text = content if isinstance(content, str) else yaml.safe_dump(content, allow_unicode=True)
    return text.encode("utf-8", "surrogatepass")


def test_every_odd_yaml_is_refused(place):
    for content in YAMLS:
        path = place / "lesson.yaml"
        path.write_text(content, encoding="utf-8")
        assert answers(lambda path=path: read_lesson(path), UserError) is None, content[:80]


examples_json = json.loads(Path("assets/examples.json").read_text(encoding="utf-8"))
whole_examples = json.dumps(examples_json).encode()


@examples(60)
@given(
    content=st.one_of(
        altered(examples_json).map(json.dumps).map(str.encode),
        damaged(whole_examples),
        damaged("\n".join(SENTENCES).encode()),
        odd.map(json.dumps).map(str.encode),
    )
)
def test_examples_are_read_or_refused(place, content):
    path = place / "examples.json"
    path.write_bytes(content)
    found = answers(lambda: read_examples(path), UserError)
    assert found is None or all(example["sentence"] is not None for example in found)


tsv = "\n".join(f"{sentence}\t{sentence}" for sentence in SENTENCES).encode()


@examples(60)
@given(
    content=st.one_of(
        damaged(tsv), st.text().map(lambda text: text.encode("utf-8", "surrogatepass")), damaged(gzip.compress(tsv))
    ),
    packed=st.booleans(),
)
def test_pairs_are_read_or_refused(place, content, packed):
    path = place / ("pairs.tsv.gz" if packed else "pairs.tsv")
    path.write_bytes(content)
    answers(lambda: read_pairs([path]), UserError, OSError)
