"""What a visitor can read or hear on a page, and which texts of which language are among it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

import explorer
from explorer.ui.language import FIRST
from explorer.ui.translations import load

ROOT = Path(explorer.__file__).parents[1]
FOLDERS = sorted(path.parent for path in (ROOT / "explorer").rglob(f"words.{FIRST}.yaml"))
FEWEST_LETTERS = 12  # of a part of a text that is known by itself
# Where values, terms, markup, formulas and commands stand in a text: between them it is shown as it is.
BETWEEN = re.compile(r"%?\{[^{}]*\}|\[\[[^]]*\]\]|\$[^$]*\$|`[^`]*`|<[^>]*>|[*#\n]+|[\"'“”„]")
# Every text and every attribute that is read or heard, of what is seen and of what is hidden, each with the language of
# its node; not what a visitor typed.
READ = """() => {
    const NAMES = ["title", "aria-label", "aria-description", "aria-valuetext", "placeholder", "alt", "data-title"];
    const found = new Map();
    const add = (node, text) => {
        const told = text?.replace(/\\s+/g, " ").trim();
        if (told) found.set(`${node.closest("[lang]").lang} ${told}`, [node.closest("[lang]").lang, told]);
    };
    for (const node of document.querySelectorAll("body, body *")) {
        if (node.closest("script, style, math, code, pre")) continue;
        for (const name of NAMES) add(node, node.getAttribute(name));
        for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) add(node, child.data);
    }
    return [...found.values(), [document.documentElement.lang, document.title]];
}"""


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a value with the way to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from texts(part, f"{path}[{key!r}]")


@cache
def texts_in(language: str) -> frozenset[str]:
    """All texts of all words in a language, as they stand in the files."""
    return frozenset(text for folder in FOLDERS for _, text in texts(load(folder, language)))


def plain(text: str) -> str:
    return " ".join(text.split())


@cache
def parts_of(language: str, other: str) -> frozenset[str]:
    """What stands between the values and terms of a language's texts, where another language has not the same."""
    whole = "\n".join(plain(text) for text in texts_in(other))
    parts = (plain(part).strip(" .,:;!?()") for text in texts_in(language) for part in BETWEEN.split(text))
    long = {part for part in parts if len(re.findall(r"[^\W\d_]", part)) >= FEWEST_LETTERS}
    return frozenset(part for part in long if part not in whole)


@cache
def labels_of(language: str, other: str) -> frozenset[str]:
    """Texts of a language without values or terms, which another language has not: short ones, too."""
    simple = {text for text in texts_in(language) if not BETWEEN.search(text) and re.search(r"[^\W\d_]{2}", text)}
    return frozenset(simple - texts_in(other))


def read(page: Page) -> set[tuple[str, str]]:
    """Language and text of everything that is there to be read."""
    return {(language, text) for language, text in page.evaluate(READ)}
