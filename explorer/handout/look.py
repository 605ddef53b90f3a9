"""The style sheet of a page without Gradio, from the theme and style sheets of the app's page."""

import re
from pathlib import Path

from explorer.ui.component import read_css
from explorer.ui.palette import css_variables

FOLDER = Path(__file__).parent
BASE = (FOLDER / "ground.css", FOLDER.parent / "page" / "page.css")  # what every page without Gradio begins with
DECLARATION = re.compile(r"^\s*(--[\w-]+): (.*);$", re.M)
REFERENCE = re.compile(r"var\((--[\w-]+)")


def style_sheet(style: str) -> str:
    """The theme's variables in use, the replacement of Gradio's base styles, the page's styles, and `style`."""
    css = read_css(*BASE) + style
    return theme_variables(css) + css_variables() + css


def theme_variables(css: str) -> str:
    """The theme variables that some CSS uses, directly or through others, in light and dark mode."""
    from explorer.ui.theme import page_theme  # brings Gradio, which takes seconds and which a notebook does not need

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
