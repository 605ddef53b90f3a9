"""The one file of all modules: it holds what they export, and refuses what it cannot follow."""

import gzip
import re
from pathlib import Path

import pytest
import wasmtime
from by_node import in_node, needs_node
from cases import each_case

from explorer.ui.bundle import DRAWER, ENGINE, EXPLORER, bundle_modules, bundles, module_texts

pytestmark = needs_node

MAX_ENGINE_BYTES = 42_000  # compressed, on the way to a visitor

NAMES = """
    const text = encodeURIComponent(JSON.parse(readFileSync(0)));
    console.log(JSON.stringify((await import(`data:text/javascript,${text}`)).default));
"""


def written(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder


def test_modules_see_what_they_import_and_keep_the_rest_to_themselves(tmp_path):
    folder = written(
        tmp_path,
        a='import { two as second, three } from "./z.js";\nconst own = 1;\nexport const six = own * second * three;\n',
        z="const own = 2;\nexport const two = own;\nexport const three = 3;\n",
        script='import("./a.js");\n',
    )
    assert in_node(NAMES, bundle_modules(folder)) == {"z.js": {"two": 2, "three": 3}, "a.js": {"six": 6}}


def test_another_bundle_holds_what_is_known(tmp_path):
    folder = written(
        tmp_path,
        a='import { two as second } from "./z.js";\nexport const four = second * second;\n',
        z="export const two = 2;\n",
    )
    bundled = bundle_modules(folder, folder / "a.js", known=[folder / "z.js"])
    assert in_node(NAMES.replace("default", "default({ 'z.js': { two: 3 } })"), bundled) == {"a.js": {"four": 9}}


def test_every_module_is_in_one_bundle_and_those_of_a_tab_come_with_it():
    held = {tab: re.findall("^// (.+)$", file.read_text(encoding="utf-8"), re.M) for tab, file in bundles().items()}
    names = [name for modules in held.values() for name in modules]
    assert len(names) == len({*names})
    for tab, modules in held.items():
        folder = tab if tab == DRAWER else f"tabs/{tab}"
        assert (f"{folder}/{tab}.js" if tab else "page/start.js") in modules
        assert all(not tab or name.startswith((f"{folder}/", "derived/", "ui/")) for name in modules), tab


@each_case(
    ("modules", "said"),
    [
        ({"a": 'import * as b from "./b.js";\nexport const c = 1;\n'}, "more than a bundle can follow"),
        ({"a": "export const c = 1;\nexport { c as d };\n"}, "more than a bundle can follow"),
        ({"a": "export const b = 1;\nexport default b;\n"}, "more than a bundle can follow"),
        (
            {
                "a": 'import { b, c } from "./b.js";\nexport const d = b + c;\n',
                "b": "export const b = 1, c = 2;\n",
            },
            "imports c, which .* does not export",
        ),
        ({"a": 'import { c } from "./gone.js";\nexport const d = c;\n'}, "cannot import"),
        ({"a": "export const a = `one\n  two`;\n"}, "templates end on their line"),
        (
            {
                "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
            },
            "cannot import",
        ),
    ],
)
def test_what_it_cannot_follow_is_refused(tmp_path, modules, said):
    with pytest.raises(ValueError, match=said):
        bundle_modules(written(tmp_path, **modules))


COMMENTED = """// What it is.
/**
 * Several lines; const c = 1;
 */
export const a = {
  address: "https://a.b/*", // stays
  /* one line */
  text: `${`// ${1} `}/* no comment */`,

  pattern: /\\/\\*/,
};
"""


def test_comments_are_left_out_and_nothing_else(tmp_path):
    folder = written(tmp_path, a=COMMENTED)
    bundled = bundle_modules(folder)
    assert "What it is" not in bundled and "const c" not in bundled and "one line" not in bundled
    assert in_node(NAMES, bundled) == {
        "a.js": {"a": {"address": "https://a.b/*", "text": "// 1 /* no comment */", "pattern": {}}}
    }


def test_the_engine_is_small_and_its_kernel_is_built_from_its_source():
    kernel = (ENGINE / "kernel.wasm").read_bytes()
    assert kernel == wasmtime.wat2wasm((ENGINE / "kernel.wat").read_text(encoding="utf-8"))
    assert (
        sum(len(gzip.compress(data)) for data in (bundle_modules(EXPLORER, *module_texts(ENGINE)).encode(), kernel))
        <= MAX_ENGINE_BYTES
    )
