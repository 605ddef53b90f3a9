"""What a page carries itself: its style sheet, inline scripts, data as base64; placeholders, and the whole document."""

import base64
import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from explorer.ui.bundle import EXPLORER, bundle_modules
from explorer.ui.component import PLOTLY_JS, read_css
from explorer.ui.content_policy import csp_hash
from explorer.ui.language import LANGUAGE_CONTEXT, tag_of
from explorer.ui.palette import css_variables, page_theme

FORBIDDEN_IN_SCRIPT = ("</script", "<!--", "<script")  # they change how HTML parses the rest of a script
PLACEHOLDER = re.compile(r"<!--(\w+)-->")
FOLDER = Path(__file__).parent
BASE = (FOLDER / "ground.css", FOLDER.parent / "page" / "page.css")  # what every page begins with
DECLARATION = re.compile(r"^\s*(--[\w-]+): (.*);$", re.M)
REFERENCE = re.compile(r"var\((--[\w-]+)")


def module_script(module: Path, call: str) -> str:
    """A module of explorer/ with all it imports, then `call`, which sees the exports as `module`."""
    modules, separator, exports = bundle_modules(EXPLORER, module).rpartition("export default ")
    assert separator, module
    path = module.resolve().relative_to(EXPLORER.resolve()).as_posix()
    return f"\n{modules}const module = ({exports.strip().removesuffix(';')})[{json.dumps(path)}];\n{call}\n"


def script_of(module: Path, call: str) -> str:
    """The same as the text of an inline script. Raises ValueError if it contains what would end the script early."""
    script = module_script(module, call)
    for text in FORBIDDEN_IN_SCRIPT:
        if text in script.lower():
            raise ValueError(f"{module} or what it imports contains {text}, which cannot stand in a page")
    return script


def compress(data: bytes) -> bytes:
    """Gzip; the same data give the same bytes."""
    return gzip.compress(data, mtime=0)


def embed_data(name: str, data: bytes) -> str:
    """HTML with data that embedded_data.js reads by name; in base64, which no HTML can end."""
    text = base64.b64encode(compress(data)).decode("ascii")
    return f'<script type="text/plain" data-embedded="{escape(name)}">{text}</script>\n'


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def fill_placeholders(html: str, parts: Mapping[str, str]) -> str:
    """Replaces each comment <!--name--> with the part of that name, in one pass."""
    return PLACEHOLDER.sub(lambda match: parts[match[1]], html)


def document(style: str, body: str, script: str = "") -> str:
    """A complete HTML page with a placeholder for its title; it runs only this script and Plotly, fetching nothing."""
    script_policy = f"script-src {csp_hash(script)} {csp_hash(plotly_text())};" if script else ""
    policy = (
        f"default-src 'none'; {script_policy} style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    language = LANGUAGE_CONTEXT.get().language
    return (
        f'<!doctype html>\n<html lang="{tag_of(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title><!--title--></title>\n<style>{style}</style>\n</head>\n<body>\n{body}"
        + (f'<script type="module">{script}</script>\n' if script else "")
        + "</body>\n</html>\n"
    )


@cache
def plotly_text() -> str:
    return PLOTLY_JS.read_text(encoding="utf-8")


def style_sheet(style: str) -> str:
    """The theme's variables in use, base styles as Gradio has them, the page's styles, and `style`."""
    css = read_css(*BASE) + style
    return theme_variables(css) + css_variables() + css


def theme_variables(css: str) -> str:
    """The theme variables that some CSS uses, directly or through others, in light and dark mode."""
    light, dark = (
        dict(DECLARATION.findall(part)) for part in page_theme()._get_theme_css().split(".dark, :root .dark")
    )
    needed, pending = set(), REFERENCE.findall(css)
    while pending:
        name = pending.pop()
        if name not in needed and name in light:
            needed.add(name)
            pending += REFERENCE.findall(light[name] + dark.get(name, ""))

    def block(selector: str, values: dict[str, str]) -> str:
        return f"{selector} {{ {' '.join(f'{name}: {values[name]};' for name in sorted(needed & values.keys()))} }}\n"

    return block(":root", light) + block(".dark", dark)
