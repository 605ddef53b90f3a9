"""A checkpoint from French to Dutch says neither English nor German: a walk through all that it gives out."""

import gzip
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from cases import each_case, sweep
from serving import launched

from explorer.files.export_trace import describe_model, json_of
from explorer.handout.report import report
from explorer.handout.worksheet import worksheet
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.server.ask import AnswerService
from explorer.site.site import write
from explorer.tabs import TABS
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.checkpoints import checkpoint
from model.decoding import Translator

NAMES = re.compile(r"\b(?:English|German|Englisch\w*|Deutsch\w*)\b", re.I)
SIDES = {"source": {"code": "fr", "name": "French"}, "target": {"code": "nl", "name": "Dutch"}}
SENTENCE = "Un homme est ici."
# The page's own languages: what its switch says. Terms of the glossary may name one that they are taken from, and a
# warning the language that a text looks like, for which the page has the names of many.
ALLOWED = re.compile(
    r"(?:English|Deutsch)(?=\\*\")|The same page in English|Dieselbe Seite auf Deutsch"
    r'|"kind": "language", "text": "[^"]*"|"languageNames": ?\{[^}]*\}'
)

NAMING = ("en", "de")  # whose words `NAMES` has

# What a browser runs of a report: nobody reads its comments, and its words stand in settings.
MODULE = re.compile(r'<script(?: type="module")?>.*?</script>', re.S)


@pytest.fixture(scope="module")
def french(toy: Translator, tmp_path_factory: pytest.TempPathFactory) -> AppContext:
    """As it is loaded from a folder, with a card and with runs to tell of."""
    folder = tmp_path_factory.mktemp("french") / "checkpoint"
    told = {"languages": SIDES, "steps": 2, "log": [{"step": 2, "loss": 3.0}], "command": "x", "note": "y"}
    checkpoint.save(Translator(toy.model, toy.tokenizer, told), folder)
    return AppContext(Recordings(checkpoint.load(folder)), folder)


@pytest.fixture(scope="module")
def address(french: AppContext) -> Iterator[str]:
    yield from launched(create_ui(french), AnswerService(french))


def said(text: str) -> list[str]:
    """Where a text names English or German, with what stands around it."""
    left = ALLOWED.sub(" ", text)
    return [left[max(0, found.start() - 60) : found.end() + 40] for found in NAMES.finditer(left)]


def fetched(url: str, body: Any = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, {"content-type": "application/json"})) as answer:
        return answer.read().decode()


def page_content(url: str) -> str:
    """What a page is made of (ui.py)."""
    literal = fetched(url).removeprefix("export default JSON.parse(").removesuffix(");\n")
    return json.dumps(json.loads(json.loads(literal)), ensure_ascii=False)


@each_case("path", ["", "de", "config", "gradio_api/info", "health"])
def test_the_page_with_all_its_rooms_the_api_and_the_health_say_neither(address, path):
    text = fetched(address + path)
    if path in ("", "de"):
        [content] = {*re.findall(r"gradio_api/file=[^\"\\]+/page\.\d+\.js", text)}
        text += page_content(address + content)
    assert said(text) == []
    if path in ("", "de"):
        assert all(f'"{tab.id}' in text for tab in TABS)
        assert ("French" if path == "" else "Französisch") in text


@pytest.mark.parametrize("language", sweep(LANGUAGES, *NAMING))
def test_answers_and_refusals_of_every_kind_say_neither(address, language):
    """What the page asks, and what is refused: a sentence that is none, too long, unknown, or in another language."""
    texts = (SENTENCE, "", "a" * 401, "漢字", "\x07", "Le chat dort. Le chien dort.", "El perro está muy cansado.")
    heads = {"off": [["cross", 0, 0]]}
    asked: list[tuple[str, list[Any]]] = [
        *(("translate", [text]) for text in texts),
        *(("tokenize", [text]) for text in texts),
        *(("run", [SENTENCE, change]) for change in (heads, {"off": [["x", 9, 9]]}, {"hidden": [*range(40)]})),
        ("run", [SENTENCE, {**heads, "off_by": "mean"}]),
        ("patching", [SENTENCE, SENTENCE, "heads", 0]),
        ("head", [SENTENCE, "cross", 0, 0]),
    ]
    for question, given in asked:
        body = {"question": question, "arguments": given, "language": language, "visitor": "v"}
        try:
            text = fetched(f"{address}ask", body)
        except HTTPError as refusal:
            text = refusal.read().decode()
        assert said(text) == [], question
        assert "no such question" not in text, question


@pytest.mark.parametrize("language", sweep(LANGUAGES, *NAMING))
def test_report_worksheet_and_what_a_file_tells_say_neither(french, language):
    translator = french.translator
    with use_language(LanguageContext(language, translator.languages)):
        trace = record(translator, SENTENCE)
        texts = [
            MODULE.sub("", report(translator, SENTENCE)),
            MODULE.sub("", worksheet(translator, SENTENCE)),
            json.dumps(describe_model(translator, french.folder)),
            json_of(trace),
        ]
    assert [said(text) for text in texts] == [[]] * len(texts)


def test_the_card_and_the_files_of_a_checkpoint_say_neither(french):
    for path in checkpoint.checkpoint_files(french.folder):
        if path.suffix in (".md", ".json"):
            assert said(path.read_text(encoding="utf-8")) == [], path.name


GZIP_MAGIC = b"\x1f\x8b"
UNREAD = ("answers", "modules", "handout")  # what tells languages apart, and what a browser runs


@pytest.mark.thorough
def test_a_site_says_neither(french, tmp_path):
    write(tmp_path / "site", french, [*LANGUAGES])
    for path in filter(Path.is_file, (tmp_path / "site").rglob("*")):
        if path.suffix in (".html", ".md", ".json"):
            assert said(path.read_text(encoding="utf-8")) == [], path.name
        elif path.read_bytes()[:2] == GZIP_MAGIC and not path.name.startswith(UNREAD):
            assert said(gzip.decompress(path.read_bytes()).decode(errors="replace")) == [], path.name


COMMANDS = [
    *("model.train", "model.translate", "tools.evaluate", "tools.publish", "tools.alignment", "tools.robustness"),
    *("tools.story", "explorer.site.__main__", "explorer.report"),
    *("tools.catalogue", "tools.findings"),
]


@each_case("name", COMMANDS)
def test_no_flag_of_a_command_says_either(name, monkeypatch, capsys):
    """But for the example of --languages, and what is taken where no language is named."""
    module = import_module(name)
    ask = getattr(module, "parse", None) or module.main
    with pytest.raises(SystemExit):
        ask(["--help"])
    told = capsys.readouterr().out
    assert "usage" in told
    assert said(told.replace("en:English", "").replace("de:German", "")) == []
