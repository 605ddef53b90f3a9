"""Components as gr.HTML: the only module that passes a component to Gradio."""

import json
import os
from itertools import count
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.ui.bundle import bundle, name_of
from explorer.ui.component import Component, static_files, url
from explorer.ui.language import LANGUAGE_CONTEXT

SERVER = Path(__file__).parent.parent / "ui" / "server.js"
NUMBERS = count(1)  # of the pages of this process


class GradioComponents:
    """Adds components to the current page of Gradio, whose settings are one file.

    They are two thirds of a page, and a browser fetches a file once. After the last component comes `write`. Serves
    single files, not folders, which contain Python.
    """

    def __init__(self):
        self.settings: dict[str, dict[str, Any]] = {}
        self.file = bundle().parent / f"settings.{next(NUMBERS)}.js"
        self.served = [self.file, *static_files()]

    def add(self, component: Component) -> None:
        self.settings[component.id] = dict(component.settings)
        self.served += component.files
        gr.HTML(
            html_template=component.html,
            css_template=component.css,
            js_on_load=self.mount_script(component.id, component.module) if component.module else "",
            elem_id=component.id,
            apply_default_css=False,
        )

    def write(self) -> None:
        text = json.dumps(json.dumps(self.settings))
        self.file.write_text(f"export default JSON.parse({text});\n", encoding="utf-8")
        os.utime(self.file, (0, 0))  # so that browsers cache it, like the bundle
        gr.set_static_paths([str(path) for path in self.served])

    def mount_script(self, name: str, module: Path) -> str:
        language = json.dumps(LANGUAGE_CONTEXT.get().language)
        return self.script(
            f'modules["{name_of(module)}"].mount(element, settings[{json.dumps(name)}], '
            f'modules["{name_of(SERVER)}"].serverIn({language}));'
        )

    def script(self, code: str) -> str:
        """JavaScript that runs `code` with `modules` and `settings`, once both are there."""
        imports = ", ".join(map(import_script, (bundle(), self.file)))
        return f"Promise.all([{imports}]).then(([{{ default: modules }}, {{ default: settings }}]) => {{ {code} }});"


def import_script(path: Path) -> str:
    """JavaScript that promises the exports of a served module.

    Gradio makes it a function, in which relative URLs would be resolved against Gradio's own script.
    """
    return f'import(new URL("{url(path)}", document.baseURI))'
