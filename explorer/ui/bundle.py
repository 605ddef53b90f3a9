"""Bundles the browser's modules into one file when the page is built: one request instead of two dozen.

Each module becomes a function, without its indentation and its comments, which are a quarter of the bytes on the line.
Modules may only import by name and export declarations.
"""

import os
import re
from functools import cache
from pathlib import Path

from explorer.ui.temporary import TemporaryFolder

EXPLORER = Path(__file__).parent.parent
ENGINE = EXPLORER.resolve() / "engine"  # for pages that compute by themselves
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.M)
EXPORT = re.compile(r"^export (?=(?:async function|function\*?|class|const|let) (\w+))", re.M)
COMMENT_LINES = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.M)
TYPES = re.compile(r"/\*\*(?:(?!\*/).)*\*/ ?")  # before a field or a cast
COMMENT_AT_END = re.compile(r"[ \t]+// [^\"'`\n]*$", re.M)  # without quotes, so that nothing is cut out of a text
UNSUPPORTED = re.compile(r"^(?:import|export)\b.*", re.M)


@cache
def bundle() -> Path:
    """The file, in a folder that is removed when Python ends.

    Its modification time is 0, so that browsers cache it; every start of the page has another address.
    """
    file = TemporaryFolder().path / "modules.js"
    page = [path for path in module_texts(EXPLORER) if ENGINE not in path.parents]
    file.write_text(bundle_modules(EXPLORER, *page), encoding="utf-8")
    os.utime(file, (0, 0))
    return file


def module_texts(folder: Path) -> dict[Path, str]:
    """The modules below a folder; files that export nothing run in a component."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.resolve().rglob("*.js"))}
    return {path: text for path, text in texts.items() if EXPORT.search(text)}


def name_of(path: Path) -> str:
    """The name of a module in the bundle: its path in explorer/."""
    return path.resolve().relative_to(EXPLORER.resolve()).as_posix()


def bundle_modules(folder: Path, *starts: Path) -> str:
    """The modules of a folder as one that exports them all by path; imported modules come first.

    If `starts` are given, the bundle contains only them and their imports. Raises ValueError for unsupported imports or
    exports, imports of missing names, and import cycles.
    """
    modules = module_texts(folder)
    names: dict[Path, str] = {}
    parts: list[str] = []

    def add(path: Path, importers: tuple[Path, ...]) -> None:
        if path in importers or path not in modules:
            raise ValueError(f"{importers[-1] if importers else path} cannot import {path}")
        for wanted, imported in IMPORT.findall(modules[path]):
            if (other := (path.parent / imported).resolve()) not in names:
                add(other, (*importers, path))
            if lacking := {*re.findall(r"(\w+)(?: as \w+)?", wanted)} - {*EXPORT.findall(modules[other])}:
                raise ValueError(
                    f"{path} imports {', '.join(sorted(lacking))}, which {other} does not export one by one"
                )
        names[path] = f"module{len(names)}"
        name = path.relative_to(folder.resolve()).as_posix()
        parts.append(f"// {name}\nconst {names[path]} = {wrap_module(path, modules[path], names)};\n")

    for path in [start.resolve() for start in starts] or modules:
        if path not in names:
            add(path, ())
    exports = ", ".join(f'"{path.relative_to(folder.resolve()).as_posix()}": {name}' for path, name in names.items())
    return "".join(parts) + f"export default {{ {exports} }};\n"


def wrap_module(path: Path, text: str, names: dict[Path, str]) -> str:
    """A module as an immediately called function that returns its exports."""

    def import_statement(match: re.Match[str]) -> str:
        renamed = re.sub(r"(\w+) as (\w+)", r"\1: \2", match[1])
        return f"const {{{renamed}}} = {names[(path.parent / match[2]).resolve()]};"

    body = EXPORT.sub("", IMPORT.sub(import_statement, text))
    if unsupported := UNSUPPORTED.search(body):
        raise ValueError(f"{path}: {unsupported[0]!r} is more than a bundle can follow")
    return f"(() => {{\n{strip_comments(path, body)}return {{ {', '.join(EXPORT.findall(text))} }};\n}})()"


def strip_comments(path: Path, text: str) -> str:
    """The text without indentation, empty lines, comments on lines of their own, and most of those beside code.

    Raises ValueError for a template over several lines, in which all these may be meant.
    """
    code = COMMENT_AT_END.sub("", TYPES.sub("", COMMENT_LINES.sub("", text)))
    lines = [stripped for line in code.split("\n") if (stripped := line.strip())]
    if broken := next((line for line in lines if line.count("`") % 2), None):
        raise ValueError(f"{path}: a bundle's templates end on their line, unlike {broken!r}")
    return "".join(f"{line}\n" for line in lines)
