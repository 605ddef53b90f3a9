"""How the page is served: locally, without telemetry, history or server-side rendering."""

from pathlib import Path
from typing import Any

import gradio as gr

from explorer.page.theme import page_theme


def launch(page: gr.Blocks, **options: Any) -> tuple[Any, str, str | None]:
    """Serves the page; `host` and `port` default to what the environment says.

    Gradio's run history would keep visitors' sentences in their browser and slow every event down.
    """
    return page.launch(
        server_name=options.pop("host", None),
        server_port=options.pop("port", None),
        theme=page_theme(),
        css_paths=[Path(__file__).parent / "page.css"],
        run_history=False,
        ssr_mode=False,
        footer_links=["api"],
        **options,
    )
