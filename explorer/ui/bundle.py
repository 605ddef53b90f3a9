"""The browser's modules in one file, made when the page is built: one request of a visitor instead of two dozen.

The modules stay as they are written, each in a function of its own. They import by name and export declarations;
anything else is refused here.
"""

import os
import re
import shutil
import tempfile
from atexit import register
from functools import cache
from pathlib import Path

EXPLORER = Path(__file__).parent.parent
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.M)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const|let) (\w+))", re.M)
OTHER = re.compile(r"^(?:import|export)\b.*", re.M)


@cache
def bundle() -> Path:
    """The file, in a folder that goes when Python ends.

    Its date is that of long ago, so that a browser keeps it: another start of the page has another address.
    """
    folder = Path(tempfile.mkdtemp(prefix="attention-explorer-"))
    register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / "modules.js"
    file.write_text(bundled(EXPLORER), encoding="utf-8")
    os.utime(file, (0, 0))
    return file


def name_of(path: Path) -> str:
    """What a module is called in the bundle: its place in explorer/."""
    return path.resolve().relative_to(EXPLORER.resolve()).as_posix()


def bundled(folder: Path, *starts: Path) -> str:
    """The modules of a folder as one that exports them all by their place; those they import come first.

    Where some are named to start from, they and what they import are all of it. Raises ValueError where one imports or
    exports in a way that this cannot follow, imports what another does not export, or imports itself on the way.
    """
    modules = {path: path.read_text(encoding="utf-8") for path in sorted(folder.resolve().rglob("*.js"))}
    modules = {path: text for path, text in modules.items() if EXPORT.search(text)}  # others run in a component
    names: dict[Path, str] = {}
    parts: list[str] = []

    def add(path: Path, asking: tuple[Path, ...]) -> None:
        if path in asking or path not in modules:
            raise ValueError(f"{asking[-1] if asking else path} cannot import {path}")
        for wanted, imported in IMPORT.findall(modules[path]):
            if (other := (path.parent / imported).resolve()) not in names:
                add(other, (*asking, path))
            if lacking := {*re.findall(r"(\w+)(?: as \w+)?", wanted)} - {*EXPORT.findall(modules[other])}:
                raise ValueError(
                    f"{path} imports {', '.join(sorted(lacking))}, which {other} does not export one by one"
                )
        names[path] = f"module{len(names)}"
        place = path.relative_to(folder.resolve()).as_posix()
        parts.append(f"// {place}\nconst {names[path]} = {wrapped(path, modules[path], names)};\n")

    for path in [start.resolve() for start in starts] or modules:
        if path not in names:
            add(path, ())
    places = ", ".join(f'"{path.relative_to(folder.resolve()).as_posix()}": {name}' for path, name in names.items())
    return "".join(parts) + f"export default {{ {places} }};\n"


def wrapped(path: Path, text: str, names: dict[Path, str]) -> str:
    """A module as the value of a function that returns what it exports."""

    def taken(found: re.Match[str]) -> str:
        renamed = re.sub(r"(\w+) as (\w+)", r"\1: \2", found[1])
        return f"const {{{renamed}}} = {names[(path.parent / found[2]).resolve()]};"

    body = EXPORT.sub("", IMPORT.sub(taken, text))
    if other := OTHER.search(body):
        raise ValueError(f"{path}: {other[0]!r} is more than a bundle can follow")
    return f"(() => {{\n{body}return {{ {', '.join(EXPORT.findall(text))} }};\n}})()"
