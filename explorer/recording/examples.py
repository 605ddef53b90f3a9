"""Example sentences in the language that the model reads: ours, a teacher's, or a checkpoint's own."""

import gzip
import json
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any
from unicodedata import east_asian_width

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, TypeAdapter
from pydantic_core import from_json
from typing_extensions import TypedDict

from explorer.recording import MAX_CHARACTERS
from explorer.ui.language import LANGUAGE_CONTEXT, Texts, text_in, validate_texts
from explorer.ui.questions import StrictModel, with_path
from model.errors import UserError
from model.files import read_text, shorten
from model.languages import Language

MAX_FILE_BYTES = 1_000_000  # of a file of examples; ours has 11,283
MAX_EXAMPLES = 8  # from a checkpoint
MAX_LABEL_COLUMNS = 24  # of a button whose label is its sentence
ROW_COLUMNS, BUTTON_COLUMNS = (
    148,
    6,
)  # the width of a row of buttons at 1366 px, and of a button around its label


class Example(StrictModel):
    """A clickable sentence, as in the file."""

    shows: Annotated[Texts, AfterValidator(validate_texts)]
    sentence: str
    subject: str = ""


class TabSentences(BaseModel):
    """Sentences that the tab Positions starts with, in one language."""

    order: tuple[str, ...]  # two with the same pieces; empty for scripts without blanks between words


class Story(TypedDict):
    """The part of a training story that is read here."""

    sentences: list["StorySentence"]


class StorySentence(TypedDict):
    sentence: str


def labelled(example: Any) -> Any:
    """A sentence alone, as an example labelled with itself."""
    return {"shows": crop_label(example), "sentence": example} if isinstance(example, str) else example


ExampleList = Annotated[list[Annotated[Example, BeforeValidator(labelled)]], Field(min_length=1)]
EXAMPLE_LIST, EXAMPLES_BY_LANGUAGE = TypeAdapter(ExampleList), TypeAdapter(dict[str, ExampleList])
TAB_SENTENCES, STORY = TypeAdapter(dict[str, TabSentences]), TypeAdapter(Story)
EXAMPLES_FILE = Path(str(files("assets") / "examples.json"))


def primary_subtag(language: Language) -> str:
    """The primary subtag of a language code (RFC 5646): "en" for en-GB."""
    return language.code.partition("-")[0].lower()


def examples(path: Path | None = None, source: Language | None = None) -> list[dict[str, str]]:
    """The clickable sentences: `shows` says what each demonstrates, `subject` is the word that it is about.

    They come from our file or from `path`, in the language that the model reads (`source`, or that of the current
    language context). A file has a sentence on each line, or is JSON: a list for any language, or lists by
    language code, of objects or of sentences alone. `shows` is one text, or a text per
    language of the page: {"en": ..., "de": ...}; a missing language gets the first text. The page opens a sentence at
    the step that looks most at its subject (derived/default_step.js).
    Raises UserError if the file is faulty.
    """
    sentences = read_examples(path or EXAMPLES_FILE, primary_subtag(source or LANGUAGE_CONTEXT.get().languages.source))
    if path and not sentences:
        raise UserError(f"{path}: it has no sentences in the language that the model reads.")
    return [
        {**example.model_dump(), "shows": text_in(example.shows, LANGUAGE_CONTEXT.get().language)}
        for example in sentences
    ]


def read_examples(path: Path, code: str) -> list[Example]:
    with with_path(path):
        text = read_text(path.resolve(), MAX_FILE_BYTES, encoding="utf-8-sig")  # Notepad's mark
        if text.lstrip().startswith(("{", "[")):
            require_unique_keys(text)
        if text.lstrip().startswith("{"):
            return EXAMPLES_BY_LANGUAGE.validate_json(text).get(code, [])
        if text.lstrip().startswith("["):
            return EXAMPLE_LIST.validate_json(text)
        return EXAMPLE_LIST.validate_python([line for line in text.splitlines() if line.strip()])


def require_unique_keys(text: str) -> None:
    """Raises UserError for a key that an object of a JSON text has twice: of both only the last would count."""

    def unique(pairs: list[tuple[str, Any]]) -> None:
        name, count = Counter(name for name, _ in pairs).most_common(1)[0] if pairs else ("", 1)
        if count > 1:
            raise UserError(f"{shorten(repr(name))} is there twice")

    with suppress(json.JSONDecodeError, RecursionError):  # pydantic says what is wrong there
        json.loads(text, object_pairs_hook=unique)


def checkpoint_examples(record: Mapping[str, Any]) -> list[dict[str, str]]:
    """The sentences of a checkpoint: the list of texts under "examples" in its record."""
    return unlabelled_examples(record.get("examples", []))


def story_examples(story: Path | None) -> list[dict[str, str]]:
    """The sentences of a training story; none if the file cannot be read, which the story's player reports."""
    try:
        content = from_json(gzip.decompress(story.read_bytes())) if story else {}
        return unlabelled_examples(STORY.validate_python(content)["sentences"])
    except (OSError, EOFError, zlib.error, ValueError):
        return []


def unlabelled_examples(sentences: Sequence[str | Mapping[str, Any]]) -> list[dict[str, str]]:
    """Examples labelled with their own sentence, as many as fit into one row of buttons."""
    texts = (one if isinstance(one, str) else one["sentence"] for one in sentences)
    accepted = [text for text in texts if text.strip() and len(text) <= MAX_CHARACTERS]
    labels = [crop_label(text) for text in accepted[:MAX_EXAMPLES]]
    ends = accumulate(column_ends(label)[-1] + BUTTON_COLUMNS for label in labels)
    return [
        {"shows": label, "sentence": text, "subject": ""}
        for label, text, end in zip(labels, accepted[:MAX_EXAMPLES], ends, strict=True)
        if end <= ROW_COLUMNS
    ]


def column_ends(text: str) -> list[int]:
    """The column at which each character of a text ends; a Chinese character takes two columns."""
    return list(accumulate(2 if east_asian_width(sign) in "WF" else 1 for sign in text))


def crop_label(text: str) -> str:
    """The text cut to MAX_LABEL_COLUMNS, after a whole word if it has blanks."""
    ends = column_ends(text)
    if not ends or ends[-1] <= MAX_LABEL_COLUMNS:
        return text
    length = bisect_right(ends, MAX_LABEL_COLUMNS - 1)  # and a column for the ellipsis
    words = text[: length + 1].rpartition(" ")[0].rstrip(" ,;:.")
    return f"{words or text[:length]}…"


@cache
def load_tab_sentences() -> dict[str, TabSentences]:
    return TAB_SENTENCES.validate_json(
        read_text(EXAMPLES_FILE.with_name("tab_sentences.json").resolve(), MAX_FILE_BYTES, encoding="utf-8")
    )


def tab_sentences() -> TabSentences:
    """The tabs' first sentences in the language that the model reads; empty if we have none in it."""
    return load_tab_sentences().get(primary_subtag(LANGUAGE_CONTEXT.get().languages.source), TabSentences(order=()))
