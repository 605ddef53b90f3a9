"""The files of the engine: the kernel is built from its source, and the bundle is small and apart from the page's."""

import gzip
from pathlib import Path

import wasmtime
from visiting import needs_browser

from explorer.ui.bundle import ENGINE, bundle, bundle_modules

FOLDER = Path(__file__).parents[2] / "explorer" / "engine"
pytestmark = needs_browser

MAX_BYTES = 25_000  # compressed, on the way to a visitor


def test_the_kernel_is_built_from_its_source():
    source = (FOLDER / "kernel.wat").read_text(encoding="utf-8")
    assert (FOLDER / "kernel.wasm").read_bytes() == wasmtime.wat2wasm(source)


def test_the_engine_is_small():
    files = (bundle_modules(ENGINE).encode(), (FOLDER / "kernel.wasm").read_bytes())
    assert sum(len(gzip.compress(data)) for data in files) <= MAX_BYTES


def test_the_bundle_translates(in_browser, shipped):
    sentence = "A man is riding a bicycle."
    assert in_browser("translateByBundle", "small", sentence) == shipped.translate([sentence])[0]


def test_the_pages_bundle_does_not_have_the_engine():
    text = bundle().read_text(encoding="utf-8")
    assert '"engine/' not in text and '"attention_view/viewer.js"' in text
