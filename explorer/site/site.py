"""A folder of plain files that any web server can host: the page in every language, and the model.

    python -m explorer.site FOLDER

The components of the tabs are those of the page. The traces of some sentences stand in files; all else that a server
would answer is computed by the visitor's browser from the checkpoint (explorer/engine). All URLs are relative, so that
the folder may lie anywhere, and nothing is requested from another place.

Large files are gzip, which the page unpacks, so that they are small on the line whatever the server does. Their names
end in .bin: no server takes them for compressed answers and unpacks them itself.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from explorer.engine.settings import engine_settings
from explorer.handout.inline import compress, json_bytes, module_script
from explorer.lessons.running import available_lessons
from explorer.page.first_view import first_view
from explorer.page.head import PAGE_NEEDS, Needs
from explorer.page.link_preview import PICTURE
from explorer.page.page import Page, build_page, document
from explorer.page.preview_layout import Undrawable
from explorer.page.preview_picture import draw_preview, encode
from explorer.page.share.dialog import PreviewPicture
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.ui.bundle import ENGINE, bundle, bundles, name_of
from explorer.ui.component import FORMULA, GERMAN_WORDS, PLOTLY_JS, url
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LANGUAGES, LanguageContext, use_language
from explorer.ui.translations import Translations
from model.checkpoints.card import LICENCE
from model.checkpoints.checkpoint import CARD, CONFIG, RECORD, TOKENIZERS, checkpoint_files, is_weights, read_optional
from model.checkpoints.integrity import sha256_of
from model.checkpoints.weights import parameter_count
from model.errors import UserError
from model.files import file_size

MAX_PARAMETERS = 100_000_000  # 200 MB of a tab as 16-bit numbers, and twice that while they load
FOLDER = Path(__file__).parent
words = Translations(__file__)
FILES = "files"
MODULES = f"{FILES}/modules.bin"
PLOTLY = f"{FILES}/plotly.bin"
README = FOLDER / "space.md"
CALL = "module.serve(self);"  # the end of the worker's script
# Safari has this, and the SIMD of WebAssembly, since 16.4.
NEEDS = Needs((*PAGE_NEEDS.names, "DecompressionStream"), safari="16.4")
FILE_FAULTS = ("connection", "missing", "damaged")
POLICY = (
    "default-src 'none'; script-src 'self' blob: {scripts}; style-src 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; worker-src 'self'; connect-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)


def engine_files(app: AppContext) -> list[Path]:
    """The files of the checkpoint that the engine reads, the small ones first.

    Raises UserError for a checkpoint that a browser cannot hold.
    """
    assert app.folder
    count = parameter_count(app.translator.model.config)
    if count > MAX_PARAMETERS:
        raise UserError(words.FILE["large"].format(count=round(count / 1e6), limit=round(MAX_PARAMETERS / 1e6)))
    read = (CONFIG, RECORD, *TOKENIZERS)
    files = [path for path in checkpoint_files(app.folder) if path.name in read or is_weights(path.name)]
    return sorted(files, key=file_size)


def card_files(app: AppContext) -> dict[str, bytes]:
    """The checkpoint's model card and licence, by the names that they have here.

    Raises OSError or UserError if one is a link out of the checkpoint, no regular file or too large.
    """
    assert app.folder
    read = {file: read_optional(app.folder, name) for name, file in ((CARD, "MODEL.md"), (LICENCE, LICENCE))}
    return {file: data for file, data in read.items() if data is not None}


def write_engine(files: Path, app: AppContext, languages: Sequence[str]) -> dict[str, Any]:
    """Writes the model and the worker into the folder `files`, and returns the worker's settings (site.js).

    Raises UserError as `engine_files` does.
    """
    model, read = files / "model", [ENGINE / "kernel.wasm", *engine_files(app)]
    model.mkdir()
    for path in read:
        shutil.copyfile(path, model / path.name)
    (files / "engine.js").write_text(module_script(ENGINE / "worker.js", CALL), encoding="utf-8")
    return {
        "worker": f"{files.name}/engine.js",
        "call": CALL,
        "folder": f"{files.name}/model/",
        "files": [{"name": path.name, "size": path.stat().st_size, "sha256": sha256_of(path)} for path in read],
        "data": {language: f"{files.name}/answers.{language}.bin" for language in languages},
    }


def write_settings(files: Path, app: AppContext, language: str) -> None:
    """Writes what the model's calls need in the language in use."""
    (files / f"answers.{language}.bin").write_bytes(compressed_json(engine_settings(app)))


def compressed_json(value: Any) -> bytes:
    return compress(json_bytes(value))


def recorded_sentences(app: AppContext) -> list[str]:
    """The sentences that open without the model: the clickable ones, and after them those of the lessons."""
    sentences = [example["sentence"] for example in app.sentences]
    for lesson in available_lessons(app).values():
        states = [step.place for step in lesson.steps] + [step.task.goal for step in lesson.steps if step.task]
        sentences += [lesson.sentence, *(state["sentence"] for state in states if "sentence" in state)]
    return [*dict.fromkeys(sentences)]


def write(
    folder: Path,
    app: AppContext,
    languages: Sequence[str],
    report: Callable[[str], object] = lambda step: None,
    address: str = "",
) -> None:
    """Writes the page of every language, the first of them at the root, and reports each step, which may take a minute.

    `address` is where the folder will be, for the picture of a link's preview: few programs find it without.
    Raises UserError in a folder of other things, and for a model that a browser cannot hold; OSError or UserError if
    a file of the checkpoint cannot be read.
    """
    engine_files(app)  # what is refused is refused before anything is written
    cards = card_files(app)
    prepare(folder)
    files, sentences = folder / FILES, recorded_sentences(app)
    report("Writing the model for browsers ...")
    engine = write_engine(files, app, languages)
    for name, source in served(app).items():
        data = source.read_bytes()
        (folder / name).write_bytes(compress(data) if name in packed() else data)
    report(f"Writing {len(sentences)} sentences ...")
    record_sentences(files / "sentences", app, sentences)
    for language in languages:
        report(f"Writing the page in {LANGUAGES[language]} ...")
        page = folder / place_of(language, languages)
        page.parent.mkdir(exist_ok=True)
        with use_language(LanguageContext(language, app.translator.languages)):
            write_page(page, site_page(app, sentences, languages, engine), files / f"page.{language}.bin", app, address)
            write_settings(files, app, language)
            (files / picture_name(language)).write_bytes(preview_picture(app))
    shutil.copyfile(README, folder / "README.md")
    for file in ("MODEL.md", LICENCE):
        (folder / file).unlink(missing_ok=True)
    for file, data in cards.items():
        (folder / file).write_bytes(data)


def picture_name(language: str) -> str:
    return f"preview.{language}.png"


def preview_picture(app: AppContext) -> bytes:
    """The picture of a link's preview in the language in use: of the first sentence, else that of the shipped model."""
    sentence = app.first_sentence
    try:
        return encode(draw_preview(first_view(app.recordings.trace(sentence), subject=app.subjects.get(sentence, ""))))
    except (Undrawable, UserError):  # in letters that the font lacks, or there is none
        return PICTURE.read_bytes()


def record_sentences(folder: Path, app: AppContext, sentences: Sequence[str]) -> None:
    """Writes the trace of every sentence, numbered from one."""
    folder.mkdir()
    for number, sentence in enumerate(sentences, start=1):
        (folder / f"{number}.bin").write_bytes(compressed_json(trace_json(app.recordings.trace(sentence))))


def prepare(folder: Path) -> None:
    """An empty folder; files of an earlier page go, and its pages in languages that are not written again."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MODULES).exists():
            raise UserError(words.FILE["foreign"].format(folder=folder))
        shutil.rmtree(folder / FILES)
        for page in (folder / place_of(language, [FIRST]) for language in LANGUAGES):
            page.unlink(missing_ok=True)
            if page.parent != folder and page.parent.exists() and not any(page.parent.iterdir()):
                page.parent.rmdir()
    (folder / FILES).mkdir(parents=True)


def packed() -> dict[str, Path]:
    """The scripts that the page unpacks, by the path that they have here."""
    tabs = {f"{FILES}/{file.stem}.bin": file for tab, file in bundles().items() if tab}
    return {MODULES: bundle(), PLOTLY: PLOTLY_JS, **tabs}


def served(app: AppContext) -> dict[str, Path]:
    """What Gradio would serve, by the path that it has here."""
    found = packed()
    found |= {f"{FILES}/formula.woff2": FORMULA, f"{FILES}/words.bin": GERMAN_WORDS}
    return {**found, f"{FILES}/story.bin": app.story} if app.story else found


def place_of(language: str, languages: Sequence[str]) -> str:
    return "index.html" if language == languages[0] else f"{language}/index.html"


def write_page(path: Path, page: Page, content: Path, app: AppContext, address: str) -> None:
    """Writes a page that reads its content from another file, and the files of its own components.

    `address` is that of the folder, or "".
    """
    base = page.settings["base"]
    component_files = {
        f"{FILES}/{site_name(file)}": file for part in page.components for file in part.files if file != app.story
    }
    for name, file in component_files.items():
        shutil.copyfile(file, content.parent / Path(name).name)
    urls = {url(source): base + name for name, source in {**served(app), **component_files}.items()}
    content.write_bytes(compressed_json(page.content(urls)))
    script = (FOLDER / "loader.js").read_text(encoding="utf-8")
    for name, value in {
        "MODULES": base + MODULES,
        "PAGE": f"{base}{FILES}/{content.name}",
        "START": name_of(FOLDER / "site.js"),
        "FAULTS": json.dumps({name: words.REFUSALS[name] for name in FILE_FAULTS}, ensure_ascii=False),
    }.items():
        script = script.replace(name, value, 1)
    pages = page.settings["languages"]
    picture = f"{address or base}{FILES}/{picture_name(LANGUAGE_CONTEXT.get().language)}"
    html = document(script, redirect=redirect(pages), policy=POLICY, picture=picture, needs=NEEDS)
    path.write_text(html, encoding="utf-8")


def site_name(file: Path) -> str:
    """The name that a file of a component has here: some hosts unpack what is called .gz on its way."""
    return file.with_suffix(".bin").name if file.suffix == ".gz" else file.name


def site_page(app: AppContext, sentences: Sequence[str], languages: Sequence[str], engine: dict[str, Any]) -> Page:
    """The page in the language in use."""
    language = LANGUAGE_CONTEXT.get().language
    base = "./" if language == languages[0] else "../"
    return build_page(
        app,
        languages=languages,
        preview=PreviewPicture(f"{base}{FILES}/{picture_name(language)}", app.first_sentence),
        css="#file-error { margin: 0 0 10px; color: var(--error-text-color); }\n",
        footer=f"<footer>{escape(words.SITE['made'])}</footer>",
        settings={
            "base": base,
            "languages": {code: base + place_of(code, languages) for code in languages},
            "sentences": sentences,
            "refusals": words.REFUSALS,
            "engine": engine,
        },
    )


def redirect(pages: dict[str, str]) -> str:
    """The script that redirects to the page in the visitor's language."""
    known = {"pages": pages, "here": LANGUAGE_CONTEXT.get().language, "first": next(iter(pages))}
    return (FOLDER / "root.js").read_text(encoding="utf-8").replace("PAGES", json.dumps(known), 1)
