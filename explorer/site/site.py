"""A folder of plain files that any web server can host: the viewer with sentences translated beforehand, and the rooms
that need no server, in every language.

    python -m explorer.site FOLDER --sentences sentences.txt

What Gradio shows on the page is taken from there (harvest.py), and what the server would answer stands in files
(answers.py). All addresses are relative, so that the folder may lie anywhere, and nothing is asked of another place.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from explorer.handout.inline import hashed
from explorer.handout.look import look, style_of
from explorer.handout.report import placed
from explorer.handout.sheets import spoken
from explorer.lessons.running import doable
from explorer.page import words as page_words
from explorer.page.save.dialog import save_dialog
from explorer.page.toolbar import toolbar
from explorer.page.ui import lessons_shown, summary
from explorer.recording.app_context import AppContext
from explorer.recording.sentence import check
from explorer.server.head_script import head_script
from explorer.server.launch import LOOK, font_face
from explorer.site import words
from explorer.site.answers import answers, first_trace
from explorer.site.harvest import Component, Harvest, harvested
from explorer.tabs import ROOMS, Room, tabs
from explorer.ui.bundle import bundle
from explorer.ui.component import DRIVER_JS, FORMULA, PLOTLY_JS, filled, url
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language
from model.decoding import Translator
from model.files import read_text

FOLDER = Path(__file__).parent
FILES = "files"
MODULES = f"{FILES}/modules.js"
README = FOLDER / "space.md"
ONLY = {"explore": ("viewer",)}  # of a room's components those that live without a server
STAY = (
    "explore",
    "lessons",
    "predictions",
    "catalogue",
    "architecture",
    "training",
    "glossary",
)  # rooms that need none
AWAY = frozenset(room.id for room in ROOMS) - {*STAY}
MOST = 60  # sentences
LARGEST = 1_000_000  # bytes of a file of sentences
GRADIO = "/gradio_api/"  # what addresses of a server of Gradio begin with
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
        lines = read_text(path, LARGEST, encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(words.FILE["text"].format(file=path)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text = check(line, translator)
            if text in found:
                raise ValueError(words.FILE["again"].format(line=found[text]))
        except ValueError as reason:
            raise ValueError(words.FILE["line"].format(file=path, line=number, reason=reason)) from reason
        found[text] = number
    if not found:
        raise ValueError(words.FILE["none"].format(file=path))
    if len(found) > MOST:
        raise ValueError(words.FILE["many"].format(file=path, count=len(found), limit=MOST))
    return [*found]


def with_lessons(sentences: Sequence[str], app: AppContext) -> list[str]:
    """The sentences, and after them those of the lessons that can be done here."""
    own: list[str] = []
    for lesson in doable(replace(app, absent_tabs=AWAY)).values():
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
    """The page in a language, whose voice is in force."""
    app = replace(app, tabs=tabs(), absent_tabs=AWAY)
    base = "./" if language == languages[0] else "../"
    tools = harvested(lambda: (toolbar(app.tabs, lessons_shown(app), languages), save_dialog(app)))
    rooms = {room.id: room_of(room, app) for room in ROOMS}
    parts = [tools, *rooms.values()]
    rooms["explore"] = replace(rooms["explore"], html=chooser(sentences) + rooms["explore"].html)
    settings: dict[str, Any] = {
        "base": base,
        "language": language,
        "languages": {code: base + place_of(code, languages) for code in languages},
        "sentences": sentences,
        "refusals": words.REFUSALS,
        "props": {component.id: component.props for part in parts for component in part.components},
    }
    settings["props"]["viewer"]["value"] = first_trace(app.recordings, sentences[0])
    body = placed(
        filled((FOLDER / "site.html").read_text(encoding="utf-8"), site_words(app)),
        {"tools": tools.html, "tabs": tab_buttons(), "panels": "".join(panel(id, part) for id, part in rooms.items())},
    )
    style = f"{font_face()}{look(style_of(FOLDER / 'site.css') + LOOK)}{''.join(part.css for part in parts)}"
    components = [component for part in parts for component in part.components]
    for text in (part.html + "".join(component.script for component in part.components) for part in parts):
        assert GRADIO not in relative(text, app, base)  # sentences, which stand elsewhere, may say it
    found = [style, body, script(base, components), json.dumps(settings, ensure_ascii=False)]
    return document(language, leads(settings["languages"], language), *(relative(text, app, base) for text in found))


def room_of(room: Room, app: AppContext) -> Harvest:
    """A room as it stands without a server, or the sentence that says why it does not."""
    if room.id not in STAY:
        return Harvest(f'<p class="away">{escape(words.AWAY)}</p>')
    return harvested(lambda: room.build(app), ONLY.get(room.id, ()))


def chooser(sentences: Sequence[str]) -> str:
    """The list of sentences, and unseen what the browser's modules ask by (explorer/ui/sentence_box.js)."""
    options = "".join(f"<option>{escape(sentence)}</option>" for sentence in sentences)
    chosen = f'<select id="chosen"{spoken("source")}>{options}</select>'
    label = f"<label><span>{escape(words.SITE['sentence'])}</span>{chosen}</label>"
    return (
        f'<div id="ask">{label}<span id="sentence" hidden><input></span><button id="translate" hidden></button></div>'
    )


def site_words(app: AppContext) -> dict[str, str]:
    subtitle = f"{page_words.SUBTITLE} {summary(app.translator).strip('*')}"
    return {"heading": page_words.TITLE, "subtitle": subtitle, "made": words.SITE["made"]}


def tab_buttons() -> str:
    return "".join(
        f'<button type="button" role="tab" data-room="{room.id}" aria-controls="{room.id}-tab" aria-selected="false">'
        f"{escape(room.label)}</button>"
        for room in ROOMS
    )


def panel(room: str, part: Harvest) -> str:
    return f'<div class="tabitem" role="tabpanel" id="{room}-tab" hidden>{part.html}</div>\n'


def script(base: str, components: Sequence[Component]) -> str:
    """The page's own script: those of its components by their ids, and what begins them (site.js)."""
    functions = "".join(
        f"{json.dumps(component.id)}: (element, props, watch, trigger) => {{\n{component.script}\n}},\n"
        for component in components
    )
    return (
        f'\nimport modules from "{base}{MODULES}";\nconst scripts = {{\n{functions}}};\n'
        'modules["site/site.js"].begin(scripts, JSON.parse(document.querySelector("#settings").textContent));\n'
    )


def leads(pages: dict[str, str], language: str) -> str:
    """The script that finds the visitor's language, for the page in one of them."""
    known = {"pages": pages, "here": language, "first": next(iter(pages))}
    return (FOLDER / "root.js").read_text(encoding="utf-8").replace("PAGES", json.dumps(known), 1)


def document(language: str, leading: str, style: str, body: str, script: str, settings: str) -> str:
    """The whole page: it runs its own scripts only, and fetches only what lies beside it."""
    begins = head_script(language)  # it hides the browser's languages, and so it comes after what leads
    inner = begins.removeprefix("<script>").removesuffix("</script>")
    policy = POLICY.format(scripts=f"{hashed(leading)} {hashed(inner)} {hashed(script)}")
    data = settings.replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(page_words.TITLE)}</title>\n<link rel="icon" href="data:,">\n'
        f"<script>{leading}</script>\n{begins}\n"
        f"<style>{style}</style>\n</head>\n<body>\n{body}"
        f'<script type="application/json" id="settings">{data}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def relative(text: str, app: AppContext, base: str) -> str:
    """Text with Gradio's addresses of files replaced by those of the folder."""
    places = {url(source): base + name for name, source in served(app).items()} | {url(DRIVER_JS): ""}
    for address, place in places.items():
        text = text.replace(address, place)
    return text
