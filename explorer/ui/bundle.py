"""Bundles the browser's modules when the page is built: one file to begin with, and one of each tab, and of the drawer,
when it is opened.

Each module becomes a function, without its indentation and its comments, which are a quarter of the bytes on the line.
Modules may only import by name and export declarations.
"""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from itertools import chain
from pathlib import Path

from explorer.ui.temporary import TemporaryFolder

EXPLORER = Path(__file__).parent.parent
ENGINE = EXPLORER.resolve() / "engine"  # for pages that compute by themselves
FIRST = (EXPLORER / "page" / "start.js", EXPLORER / "site" / "site.js")
DRAWER = "drawer"
MOUNT = re.compile(r"^export (?:async )?function mount\b", re.M)  # of the module of a component
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.M)
EXPORT = re.compile(r"^export (?=(?:async function|function\*?|class|const|let) (\w+))", re.M)
COMMENT_LINES = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.M)
TYPES = re.compile(r"/\*\*(?:(?!\*/).)*\*/ ?")  # before a field or a cast
COMMENT_AT_END = re.compile(r"[ \t]+// [^\"'`\n]*$", re.M)  # without quotes, so that nothing is cut out of a text
UNSUPPORTED = re.compile(r"^(?:import|export)\b.*", re.M)


def bundle() -> Path:
    """The file with which every page begins."""
    return bundles()[""]


def tab_bundle(module: Path) -> Path | None:
    """The file with the module of a tab; None for one that is there from the beginning."""
    tab = tab_of(module.resolve())
    return bundles()[tab] if tab else None


@cache
def bundles() -> dict[str, Path]:
    """The files by the folder of the tab that alone needs what they hold; "" for the one with which a page begins.

    They are in a folder that is removed when Python ends. Their modification time is 0, so that browsers cache them;
    every start of the page has other addresses.
    """
    folder, modules = TemporaryFolder().path, module_texts(EXPLORER)
    starts = {"": [path.resolve() for path in FIRST]}
    for path in (path for path, text in modules.items() if MOUNT.search(text)):
        starts.setdefault(tab_of(path), []).append(path)
    needed = {tab: imported_modules(modules, paths) for tab, paths in starts.items()}
    several = {path for path, count in Counter(chain(*needed.values())).items() if count > 1}
    first = needed[""] | several
    held = {tab: paths - first for tab, paths in needed.items()} | {"": first}
    files = {tab: folder / (f"modules.{tab}.js" if tab else "modules.js") for tab in held}
    for tab, file in files.items():
        text = bundle_modules(EXPLORER, *sorted(held[tab]), known=first if tab else ())
        file.write_text(text, encoding="utf-8")
        os.utime(file, (0, 0))
    return files


def tab_of(module: Path) -> str:
    """The folder of the tab or drawer that a module belongs to; "" for those of all pages."""
    group, *inner = module.relative_to(EXPLORER.resolve()).parts
    if group == DRAWER:
        return DRAWER
    return inner[0] if group == "tabs" else ""


def imported_modules(modules: dict[Path, str], starts: Iterable[Path]) -> set[Path]:
    """Some modules with all that they import, directly or through others."""
    found, pending = set[Path](), [*starts]
    while pending:
        path = pending.pop()
        if path not in found:
            found.add(path)
            pending += [(path.parent / imported).resolve() for _, imported in IMPORT.findall(modules[path])]
    return found


def module_texts(folder: Path) -> dict[Path, str]:
    """The modules below a folder; files that export nothing run in a component."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.resolve().rglob("*.js"))}
    return {path: text for path, text in texts.items() if EXPORT.search(text)}


def name_of(path: Path) -> str:
    """The name of a module in the bundle: its path in explorer/."""
    return path.resolve().relative_to(EXPLORER.resolve()).as_posix()


def bundle_modules(folder: Path, *starts: Path, known: Collection[Path] = ()) -> str:
    """The modules of a folder as one that exports them all by path; imported modules come first.

    If `starts` are given, the bundle contains only them and their imports. With `known` modules, which another bundle
    holds, it exports a function instead, which takes those by path and returns its own. Raises ValueError for
    unsupported imports or exports, imports of missing names, and import cycles.
    """
    modules = module_texts(folder)
    names = {path: f'modules["{path.relative_to(folder.resolve()).as_posix()}"]' for path in known}
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
    exported = {path: name for path, name in names.items() if path not in known}
    exports = ", ".join(f'"{path.relative_to(folder.resolve()).as_posix()}": {name}' for path, name in exported.items())
    if known:
        return f"export default (modules) => {{\n{''.join(parts)}return {{ {exports} }};\n}};\n"
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
