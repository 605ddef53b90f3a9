"""The head element of every page, and the public address of the page."""

import json
import os
from dataclasses import dataclass
from html import escape
from pathlib import Path

from explorer.page import words
from explorer.ui.component import FORMULA, read_css, url
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LanguageContext, tag_of, use_language

FOLDER = Path(__file__).parent
LOOK = read_css(FOLDER / "look.css")
SCRIPT = (FOLDER / "head_script.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Needs:
    """What a browser is too old without: the youngest names that the page cannot do without, and the oldest Safari."""

    names: tuple[str, ...]
    safari: str

    @property
    def sentence(self) -> str:
        """Names the browsers that are promised (tests/promised/newer_names.js) in the language in use."""
        return words.CLOSED["old"].format(safari=self.safari)


# By MDN's tables, Chrome has them since 100, Firefox since 104, Safari since 15.4.
PAGE_NEEDS = Needs(
    (
        "AbortSignal.prototype.throwIfAborted",
        "Array.prototype.at",
        "Array.prototype.findLast",
        "HTMLDialogElement",
        "Object.hasOwn",
        "structuredClone",
    ),
    safari="15.6 (iPadOS 15)",
)


def head_script(language: str, needs: Needs = PAGE_NEEDS) -> str:
    """The script that runs before anything else on the page in a language."""
    with use_language(LanguageContext(language)):
        values = {
            "LANGUAGE": tag_of(language),
            "NEEDED": needs.names,
            "OLD": needs.sentence,
            "SANDBOXED": words.CLOSED["sandboxed"],
        }
    script = SCRIPT
    for name, value in values.items():
        script = script.replace(name, json.dumps(value, ensure_ascii=False), 1)
    return script


def without_scripts(language: str) -> str:
    """HTML of what a browser shows in place of the page if it runs no scripts."""
    with use_language(LanguageContext(language)):
        return f"<noscript>{escape(words.CLOSED['scriptless'])}</noscript>"


def font_face() -> str:
    """CSS of the font of formulas, which a browser fetches with the first formula.

    The font claims three times the height of its letters, and Firefox makes every line with a formula as tall as that.
    """
    source = f'src: url("{url(FORMULA)}") format("woff2"); font-display: swap'
    height = "ascent-override: 95%; descent-override: 25%; line-gap-override: 0%"
    return f"@font-face {{ font-family: Formula; {source}; {height}; }}\n"


def root_address() -> str | None:
    """The address of the page in the first language if it differs from the one in the browser, else None.

    On a Space, the page is in a frame of another address; SPACE_HOST has its own.
    """
    host = os.environ.get("SPACE_HOST")
    return f"https://{host}/" if host else None


def base_address() -> str | None:
    """The address of the page in the current language if it differs from the one in the browser, else None."""
    root, language = root_address(), LANGUAGE_CONTEXT.get().language
    return root and root + ("" if language == FIRST else language)
