"""Components: HTML, CSS, and a browser module with its settings, of which a page is made (explorer/page/page.py).

Names in braces in the templates are placeholders for words, so that all words are in translation catalogues.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from explorer.ui import words as shared_words
from explorer.ui.bundle import bundle, bundles
from explorer.ui.glossary import link_terms
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.palette import MONOSPACE, PALETTES, page_font
from model.errors import UserError

FOLDER = Path(__file__).parent
# plotly.js 4.1.1 (npm package `plotly.js-cartesian-dist-min`, plotly-cartesian.min.js): the part of Plotly that all
# figures here need, 1.5 MB instead of the 4.8 MB of the Python package, of whose version it must be (a test says so).
PLOTLY_JS = FOLDER / "vendor" / "plotly.js"
FORMULA = FOLDER / "vendor" / "formula.woff2"  # for MathML, which needs a font with mathematical metrics
# Of the pictures that the server draws: regular, then bold.
PREVIEW_FONTS = tuple(FORMULA.parent / f"preview{weight}.ttf" for weight in ("", "-bold"))
GERMAN_WORDS = Path(str(resources.files("assets") / "words.bloom"))  # explorer/derived/german_words.js
TAB_STYLE = FOLDER / "tab.css"
TRANSPORT_STYLE = FOLDER / "transport.css"
CSS_COMMENT = re.compile(r"[ \t]*/\*.*?\*/[ \t]*\n?", re.S)
NAME = re.compile(r"\{(?:(linked|html) )?(\w+)\}")
FORMATTERS = {
    None: escape,
    "linked": link_terms,
    "html": str,
}  # by the word before a placeholder's name


@dataclass(frozen=True, eq=False)
class Component:
    """HTML with styles, and the module whose `mount(element, settings, model)` runs once the HTML is on the page.

    `model` answers the calls of the model in the page's language (explorer/ui/model.js). `files` are those that the
    settings refer to by `url`, besides the modules and libraries.
    """

    id: str
    html: str
    css: str = ""
    module: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[Path] = ()


def read_css(*paths: Path) -> str:
    """The style sheets in a row, without their comments."""
    return CSS_COMMENT.sub("", "".join(path.read_text(encoding="utf-8") for path in paths))


def fill_template(path: Path, words: Mapping[str, str]) -> str:
    """The text of a template file with its placeholders filled."""
    return fill_words(path.read_text(encoding="utf-8"), words)


def fill_words(template: str, words: Mapping[str, str]) -> str:
    """The template with its placeholders filled: {name} with text, {linked name} with text whose terms are linked.

    {html name} is filled with HTML; {source_code} and {target_code} are the codes of the model's languages,
    {source_dir} and {target_dir} their directions. Raises ValueError if a word is missing or unused.
    """
    codes = {f"{side}_code": code for side, code in LANGUAGE_CONTEXT.get().codes().items()}
    codes |= {f"{side}_dir": direction for side, direction in LANGUAGE_CONTEXT.get().directions().items()}
    used = {match[2] for match in NAME.finditer(template)} - codes.keys()
    if used != words.keys():
        missing, unused = sorted(used - words.keys()), sorted(words.keys() - used)
        raise ValueError(f"a template lacks the words {missing}, or does not use {unused}")
    template = template.replace(' lang="{', ' translate="no" lang="{')  # the model's, not the page's: see element.js
    return NAME.sub(lambda match: FORMATTERS[match[1]]({**codes, **words}[match[2]]), template)


def file_component(
    path: Path,
    words: Mapping[str, str],
    settings: Mapping[str, Any],
    styles: Sequence[Path] = (),
    *,
    id: str = "",
    files: Sequence[Path] = (),
) -> Component:
    """The component of the files PATH.html, .css and .js, called by their name; `styles` come before its own."""
    return Component(
        id or path.name,
        html=fill_template(path.with_suffix(".html"), words),
        css=read_css(*styles, path.with_suffix(".css")),
        module=path.with_suffix(".js"),
        settings=settings,
        files=files,
    )


def tab_component(
    folder: Path,
    settings: dict[str, Any],
    styles: tuple[Path, ...] = (TAB_STYLE,),
    *,
    words: Mapping[str, str],
    files: Sequence[Path] = (),
) -> Component:
    """The component of a tab that shares the attention view, from NAME.html, .css and .js in the folder NAME."""
    style = {"colours": PALETTES, "monospace": page_font(MONOSPACE), "plotly": url(PLOTLY_JS)}
    names = {"heads": shared_words.HEADS, "context": LANGUAGE_CONTEXT.get().attributes()}
    return file_component(folder / folder.name, words, {**style, **names, **settings}, styles, files=files)


def transport(words: Mapping[str, str], slider: str, status: str) -> str:
    """The HTML of the buttons and the slider for steps (transport.js), with the roles of slider and status."""
    roles = {"slider_role": slider, "status_role": status}
    return fill_template(FOLDER / "transport.html", {**words, **roles})


def pickers() -> str:
    """The HTML of the controls for kind, layer and head."""
    return fill_template(FOLDER / "heads.html", shared_words.PICKERS)


def url(path: Path) -> str:
    """The URL of a static file, relative to the page, which may be below a path.

    Raises UserError for a name that is not UTF-8 to Python: Gradio finds no such file.
    """
    name = path.resolve().as_posix()
    try:
        return f"./gradio_api/file={quote(name, safe='/:')}"
    except UnicodeEncodeError as error:
        raise UserError(
            f"The page cannot show files from {name}: Python does not read this name as UTF-8. Start it with the "
            "environment variable PYTHONUTF8=1, or from a folder whose name has English letters only."
        ) from error


def static_data(name: str, data: bytes) -> Path:
    """A static file with these bytes, beside the modules; equal bytes have one address, and browsers cache it."""
    path = bundle().parent / f"{name}.{hashlib.sha256(data).hexdigest()[:16]}.bin"
    path.write_bytes(data)
    os.utime(path, (0, 0))
    return path


def static_files() -> list[Path]:
    """The files that every page serves: our modules, a library, a font and a list of words."""
    return [path.resolve() for path in (*bundles().values(), PLOTLY_JS, FORMULA, GERMAN_WORDS)]
