"""No text depends on the encoding of the machine: Windows, and Linux with LC_ALL=C, mean others than UTF-8."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from model.checkpoints import checkpoint
from model.command import exit_on_error

ROOT = Path(__file__).parents[2]
SOURCES = [ROOT / "app.py", *(path for top in ("model", "explorer", "tools") for path in (ROOT / top).rglob("*.py"))]
ASCII_ALONE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
PAGE = """
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from model import checkpoint
folder = checkpoint.locate(checkpoint.SHIPPED)
print(len(create_ui(AppContext(Recordings(checkpoint.load(folder)), folder)).fns) > 10)
"""


def without_encoding(source: str) -> list[int]:
    """The lines on which a text file is read or written without an encoding."""
    found = []
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        modes = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        binary = any("b" in mode for mode in modes if set(mode) <= set("rwxabt+")) or (
            name == "open" and reads_bytes(call)
        )
        named = {keyword.arg for keyword in call.keywords}
        if name in ("read_text", "write_text", "open", "fdopen") and "encoding" not in named and not binary:
            found.append(call.lineno)
    return found


def reads_bytes(call: ast.Call) -> bool:
    """Whether it opens no text file: `open` of os, webbrowser and Pillow, and of gzip where no mode says otherwise."""
    module = getattr(call.func.value, "id", "") if isinstance(call.func, ast.Attribute) else ""
    return module in ("os", "webbrowser", "Image") or (module == "gzip" and len(call.args) == 1)


def test_every_text_file_is_opened_with_an_encoding():
    found = {path.relative_to(ROOT): without_encoding(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path: lines for path, lines in found.items() if lines} == {} and len(found) > 100


def run(*words: str, given: bytes = b"") -> bytes:
    command, environment = [sys.executable, *words], {**os.environ, **ASCII_ALONE}
    ended = subprocess.run(command, cwd=ROOT, env=environment, input=given, capture_output=True)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout


def test_a_sentence_with_an_umlaut_is_translated_where_the_machine_knows_ascii_alone():
    assert "ü" in run("-m", "model.translate", given="Ms Müller is wearing a green dress.\n".encode()).decode()


@pytest.mark.thorough
def test_a_folder_with_an_umlaut_is_refused_in_a_sentence_where_the_machine_knows_ascii_alone(tmp_path):
    """The page alone needs it: Gradio looks its files up by names in UTF-8."""
    folder = shutil.copytree(checkpoint.SHIPPED, tmp_path / "Übung")
    command = [sys.executable, "app.py", "--model", str(folder)]
    ended = subprocess.run(command, cwd=ROOT, env={**os.environ, **ASCII_ALONE}, capture_output=True, text=True)
    assert ended.returncode == 1 and "PYTHONUTF8=1" in ended.stderr and "Traceback" not in ended.stderr


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_every_command_has_standard_streams_where_they_are_closed(monkeypatch, name):
    monkeypatch.setattr(sys, name, None)
    with exit_on_error("the command"):
        assert not getattr(sys, name).isatty() and getattr(sys, name).encoding == "utf-8"
    getattr(sys, name).close()


@pytest.mark.thorough
def test_the_whole_page_is_built_where_the_machine_knows_ascii_alone():
    assert run("-c", PAGE) == b"True\n"
