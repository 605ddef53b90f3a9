"""The controls of the tab Positions, which are Gradio's own, as parts of the page's address."""

import json
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.tabs.positions import words
from explorer.ui.component import component, module

PLACE = Path(__file__).parent / "place.js"
Controls = dict[str, Any]  # by the names that the address has for them
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


def keep_controls(controls: Controls, compare: dict[str, Any]) -> None:
    """Keeps the controls in the address of the page; a comparison that it asks for is made."""
    inputs = list(controls.values())
    told = f"(...values) => {{ {module(PLACE)}.then(({{ tell }}) => tell(values)); }}"
    gr.on([control.change for control in inputs], None, inputs, js=told, **QUIET)
    kept = [{"name": name, "first": control.value, **limits(control)} for name, control in controls.items()]
    place = component(
        "",
        html="",
        css="",
        script=f"{module(PLACE)}.then(({{ mount }}) => "
        'mount(JSON.parse(props.controls), props.reset, () => trigger("restore")));',
        controls=json.dumps(kept),
        reset=words.CONTROLS["reset"],
        elem_id="positions-place",
    )
    wanted = f"() => {module(PLACE)}.then(({{ wanted }}) => wanted())"
    place.restore(None, None, inputs, js=wanted, **QUIET).then(**compare)


def limits(control: Any) -> dict[str, Any]:
    """What a control can have, for the browser to judge what an address asks for."""
    if isinstance(control, gr.Slider):
        return {"kind": "number", "least": control.minimum, "most": control.maximum, "step": control.step}
    if isinstance(control, gr.Dropdown):
        return {"kind": "numbers", "values": [value for _, value in control.choices], "count": control.max_choices}
    if isinstance(control, gr.Radio):
        return {"kind": "choice", "values": [value for _, value in control.choices]}
    return {"kind": "flag" if isinstance(control, gr.Checkbox) else "text"}
