"""The look of a page that stands without Gradio: that of the app's page, out of the same theme and style sheets."""

import re
from pathlib import Path

from explorer.ui.theme import page_theme

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "page" / "page.css"
VARIABLE = re.compile(r"^\s*(--[\w-]+): (.*);$", re.M)
USED = re.compile(r"var\((--[\w-]+)")


def style_of(*paths: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in paths)


def look(style: str) -> str:
    """A whole style sheet: Gradio's ground, the variables of the theme that are used, the page's own, and `style`."""
    css = style_of(FOLDER / "ground.css", PAGE) + style
    return variables(css) + css


def variables(css: str) -> str:
    """The theme's variables that some CSS needs, with those that they need, in light and in dark."""
    light, dark = (dict(VARIABLE.findall(part)) for part in page_theme()._get_theme_css().split(".dark, :root .dark"))
    needed, waiting = set(), USED.findall(css)
    while waiting:
        name = waiting.pop()
        if name not in needed and name in light:
            needed.add(name)
            waiting += USED.findall(light[name] + dark.get(name, ""))

    def block(selector: str, found: dict[str, str]) -> str:
        return f"{selector} {{ {' '.join(f'{name}: {found[name]};' for name in sorted(needed & found.keys()))} }}\n"

    return block(":root", light) + block(".dark", dark)
