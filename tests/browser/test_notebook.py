"""The frame that a notebook shows, in a page as notebooks make it: dark, offline, and as strict as VS Code can be."""

import numpy as np
from playwright.sync_api import Browser, expect
from visiting import drawn, needs_browser

from explorer import Experiment, HeadAt, compare, record, run
from model.decoding import Translator

pytestmark = needs_browser
# VS Code's, with its setting notebook.experimental.enableCsp: a frame's document inherits it. No blob: URL may run.
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:"
PAGE = '<meta http-equiv="Content-Security-Policy" content="{policy}"><body style="color: #ddd">{outputs}</body>'


def test_a_trace_and_an_experiment_are_live_in_a_notebook(browser: Browser, shipped: Translator):
    translation = record(shipped, "The woman gave the boy a red apple.")
    changed = run(shipped, translation.sentence, Experiment(off=(HeadAt("cross", 3, 2),)))
    outputs = translation.view("decoder", layer=0, head=1, step=4), compare(translation, changed, head=2)
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 700})
    page, wrong = context.new_page(), []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_content(PAGE.format(policy=POLICY, outputs="".join(output.html() for output in outputs)))
    frames = page.locator("iframe")
    first, second = (frames.nth(number).content_frame for number in range(2))
    expect(first.locator("[data-pane=first] h3")).to_have_text("Decoder self-attention (masked) · layer 1 · head 2")
    expect(first.locator(".status")).to_contain_text("Step 5 of")
    expect(first.locator("body")).to_have_class("dark")
    first.locator("[data-role=head]").select_option("max")
    first.locator("[data-go=next]").click()
    expect(first.locator(".status")).to_contain_text("Step 6 of")
    shown = np.nan_to_num(drawn(first.locator("main")).weights[:6])
    np.testing.assert_allclose(shown, translation.decoder.matrix(0, "max")[:6], atol=5e-4)
    expect(second.locator("[data-pane=first] h3")).to_have_text("unchanged · layer 4 · head 3")
    expect(second.locator("[data-pane=second] h3")).to_have_text("changed · layer 4 · head 3")
    for number in range(2):  # as high as their content: a notebook scrolls, and the frame does not
        expect(frames.nth(number).content_frame.locator(".heatmap .nsewdrag").first).to_be_visible()
        fits = "(frame) => frame.contentDocument.documentElement.scrollHeight - frame.clientHeight <= 1"
        page.wait_for_function(fits, arg=frames.nth(number).element_handle())
    context.close()
    assert not wrong, wrong
