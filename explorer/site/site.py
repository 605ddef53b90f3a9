"""A folder of plain files that any web server can host: sentences translated beforehand, and the tabs that need no
server, in every language.

    python -m explorer.site FOLDER --sentences sentences.txt

The components of the tabs are those of the page; what the server would answer stands in files (answers.py). All URLs
are relative, so that the folder may lie anywhere, and nothing is requested from another place.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from explorer.handout.look import read_styles
from explorer.handout.sheets import language_attributes
from explorer.lessons.running import available_lessons
from explorer.page.plain_page import PlainPage, heading
from explorer.page.save.dialog import save_dialog
from explorer.page.toolbar import toolbar
from explorer.page.ui import lesson_data
from explorer.recording.app_context import AppContext
from explorer.recording.sentence import check_sentence
from explorer.site import words
from explorer.site.answers import answers, first_trace
from explorer.tabs import TABS, Tab, tab_labels
from explorer.tabs.what_if.catalogue.tab import catalogue_components
from explorer.ui.bundle import bundle
from explorer.ui.component import DRIVER_JS, FORMULA, PLOTLY_JS, Component, url
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language
from model.decoding import Translator
from model.files import read_text

FOLDER = Path(__file__).parent
FILES = "files"
MODULES = f"{FILES}/modules.js"
README = FOLDER / "space.md"
# Tabs that need no server.
PRESENT_TABS = ("explore", "lessons", "train", "architecture", "predictions", "training", "glossary")
ABSENT_TABS = frozenset(tab.id for tab in TABS) - {*PRESENT_TABS}
MAX_SENTENCES = 60
MAX_FILE_BYTES = 1_000_000  # of sentences
POLICY = (
    "default-src 'none'; script-src 'self' {scripts}; style-src 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)


def sentences_of(path: Path, translator: Translator) -> list[str]:
    """The sentences of a file, one on each line; empty lines do not count, nor does the mark that Notepad begins with.

    Raises ValueError, with the line, where one is refused, or where there are none or too many.
    """
    found: dict[str, int] = {}
    try:
        lines = read_text(path, MAX_FILE_BYTES, encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(words.FILE["text"].format(file=path)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text = check_sentence(line, translator)
            if text in found:
                raise ValueError(words.FILE["again"].format(line=found[text]))
        except ValueError as reason:
            raise ValueError(words.FILE["line"].format(file=path, line=number, reason=reason)) from reason
        found[text] = number
    if not found:
        raise ValueError(words.FILE["none"].format(file=path))
    if len(found) > MAX_SENTENCES:
        raise ValueError(words.FILE["many"].format(file=path, count=len(found), limit=MAX_SENTENCES))
    return [*found]


def with_lessons(sentences: Sequence[str], app: AppContext) -> list[str]:
    """The sentences, and after them those of the lessons that can be done here."""
    own: list[str] = []
    for lesson in available_lessons(replace(app, absent_tabs=ABSENT_TABS)).values():
        places = [step.place for step in lesson.steps] + [step.task.goal for step in lesson.steps if step.task]
        own += [lesson.sentence, *(place["sentence"] for place in places if "sentence" in place)]
    return [*dict.fromkeys((*sentences, *own))]


def write(folder: Path, app: AppContext, sentences: Sequence[str], languages: Sequence[str]) -> None:
    """Writes the page of every language, the first of them at the root.

    Raises ValueError in a folder of other things.
    """
    prepare(folder)
    files = folder / FILES
    for name, source in served(app).items():
        shutil.copyfile(source, folder / name)
    for number, sentence in enumerate(sentences, start=1):
        place = files / "sentences" / f"{number}"
        place.mkdir(parents=True)
        for name, data in answers(app.recordings, sentence, languages):
            (place / name).write_bytes(data)
    for language in languages:
        page = folder / place_of(language, languages)
        page.parent.mkdir(exist_ok=True)
        with use_language(LanguageContext(language, app.translator.languages)):
            page.write_text(page_html(app, sentences, language, languages), encoding="utf-8")
    shutil.copyfile(README, folder / "README.md")


def prepare(folder: Path) -> None:
    """An empty folder; files of an earlier page go, and its pages in languages that are not written again."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MODULES).exists():
            raise ValueError(words.FILE["foreign"].format(folder=folder))
        shutil.rmtree(folder / FILES)
        for page in (folder / place_of(language, [FIRST]) for language in LANGUAGES):
            page.unlink(missing_ok=True)
            if page.parent != folder and page.parent.exists() and not any(page.parent.iterdir()):
                page.parent.rmdir()
    (folder / FILES).mkdir(parents=True)


def served(app: AppContext) -> dict[str, Path]:
    """What Gradio would serve, by the place that it has here."""
    found = {MODULES: bundle(), f"{FILES}/plotly.js": PLOTLY_JS, f"{FILES}/formula.woff2": FORMULA}
    return {**found, f"{FILES}/story.bin": app.story} if app.story else found


def place_of(language: str, languages: Sequence[str]) -> str:
    return "index.html" if language == languages[0] else f"{language}/index.html"


def page_html(app: AppContext, sentences: Sequence[str], language: str, languages: Sequence[str]) -> str:
    """The page in the language in use."""
    app = replace(app, tabs=tab_labels(), absent_tabs=ABSENT_TABS)
    base = "./" if language == languages[0] else "../"
    pages = {code: base + place_of(code, languages) for code in languages}
    return PlainPage(
        heading=heading(),
        tools=[toolbar(app.tabs, lesson_data(app), languages), save_dialog(app)],
        panels={tab.id: tab_components(tab, app, sentences) for tab in TABS},
        places={url(source): base + name for name, source in served(app).items()} | {url(DRIVER_JS): ""},
        module=FOLDER / "site.js",
        settings={"base": base, "languages": pages, "sentences": sentences, "refusals": words.REFUSALS},
        css=read_styles(FOLDER / "site.css"),
        footer=f"<footer>{escape(words.SITE['made'])}</footer>",
        redirect=redirect(pages, language),
        policy=POLICY,
    ).html()


def tab_components(tab: Tab, app: AppContext, sentences: Sequence[str]) -> list[Component]:
    """The parts of a tab without a server, or the sentence that says why it has none."""
    if tab.id not in PRESENT_TABS:
        absent = Component(f"absent-{tab.id}", html=f'<p class="away">{escape(words.AWAY)}</p>')
        return [absent, *(catalogue_components(app) if tab.id == "lab" else [])]
    if tab.id == "explore":
        (view,) = (part for part in tab.components(app) if part.id == "viewer")
        trace = first_trace(app.recordings, sentences[0])
        return [chooser(sentences), replace(view, settings={**view.settings, "trace": trace})]
    return [*tab.components(app)]


def chooser(sentences: Sequence[str]) -> Component:
    """The list of sentences."""
    options = "".join(f"<option>{escape(sentence)}</option>" for sentence in sentences)
    chosen = f'<select id="chosen"{language_attributes("source")}>{options}</select>'
    label = f"<label><span>{escape(words.SITE['sentence'])}</span>{chosen}</label>"
    return Component("chooser", html=f'<div id="ask">{label}</div>')


def redirect(pages: dict[str, str], language: str) -> str:
    """The script that redirects to the page in the visitor's language."""
    known = {"pages": pages, "here": language, "first": next(iter(pages))}
    return (FOLDER / "root.js").read_text(encoding="utf-8").replace("PAGES", json.dumps(known), 1)
