"""What a Gradio page is made of, taken out of it, so that a page of plain files can show the same.

A component of ours (explorer/ui/component.py) is HTML, CSS, values and a script; that is all that a browser needs
of it. Texts are Markdown. Whatever else there is (boxes, buttons, figures that Python draws) lives by Gradio, and is
left out.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from html import escape
from typing import Any

import gradio as gr
from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("commonmark").enable("table")
VALUE = "${value}"  # the template of a component that shows its value as it is


@dataclass(frozen=True, eq=False)
class Component:
    """A component of ours with its script, which runs once it is there."""

    id: str
    props: dict[str, Any]  # its value too
    script: str


@dataclass(frozen=True, eq=False)
class Harvest:
    """HTML and CSS of what was built, and the components in it that have a script."""

    html: str
    css: str = ""
    components: list[Component] = field(default_factory=list)


def harvested(build: Callable[[], Any], only: Collection[str] = ()) -> Harvest:
    """What a function builds; with `only`, of the components with a script those of these ids."""
    with gr.Blocks(analytics_enabled=False) as page:
        build()
    found = Harvest("", "", [])
    css: list[str] = []
    html = "".join(node(child, found.components, css, only) for child in page.children)
    return Harvest(html, "".join(css), found.components)


def node(block: Any, components: list[Component], css: list[str], only: Collection[str]) -> str:
    """HTML of a part of a page; what it needs besides is added to the lists."""
    if only and not isinstance(block, gr.HTML) and not hasattr(block, "children"):
        return ""
    if isinstance(block, gr.Markdown):
        return f'<div class="prose"{named(block)}>{MARKDOWN.render(str(block.value or ""))}</div>'
    if isinstance(block, gr.HTML):
        return "" if only and block.elem_id not in only else component(block, components, css)
    if isinstance(block, gr.Row | gr.Column):
        inside = "".join(node(child, components, css, only) for child in block.children)
        kind = "row" if isinstance(block, gr.Row) else "column"
        return f'<div class="{kind}"{named(block)}>{inside}</div>' if inside else ""
    return ""


def component(block: gr.HTML, components: list[Component], css: list[str]) -> str:
    plain = block.html_template == VALUE
    html = str(block.value or "") if plain else block.html_template
    if block.js_on_load and not plain:
        assert block.elem_id, html[:100]
        components.append(Component(block.elem_id, {**block.props, "value": block.value}, block.js_on_load))
    if block.css_template:
        css.append(f"#{block.elem_id} {{ {block.css_template} }}\n")  # as Gradio does
    return f'<div class="block"{named(block)}><div data-component>{html}</div></div>'


def named(block: Any) -> str:
    return f' id="{escape(block.elem_id)}"' if block.elem_id else ""
