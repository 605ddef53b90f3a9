"""The files of the engine: the kernel is built from its source, and the bundle is small and apart from the page's."""

import gzip

import wasmtime

from explorer.ui.bundle import ENGINE, bundle, bundle_modules

MAX_BYTES = 25_000  # compressed, on the way to a visitor


def test_the_kernel_is_built_from_its_source():
    source = (ENGINE / "kernel.wat").read_text(encoding="utf-8")
    assert (ENGINE / "kernel.wasm").read_bytes() == wasmtime.wat2wasm(source)


def test_the_engine_is_small():
    files = (bundle_modules(ENGINE).encode(), (ENGINE / "kernel.wasm").read_bytes())
    assert sum(len(gzip.compress(data)) for data in files) <= MAX_BYTES


def test_the_pages_bundle_does_not_have_the_engine():
    text = bundle().read_text(encoding="utf-8")
    assert '"engine/' not in text and '"attention_view/viewer.js"' in text
