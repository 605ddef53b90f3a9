"""What tests of the browser's modules share: node, and what a module says there."""

import atexit
import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright._impl._driver import compute_driver_executable

ROOT = Path(__file__).parents[1]
NODE = shutil.which("node") or shutil.which(compute_driver_executable()[0])

if NODE is None and os.environ.get("REQUIRE_BROWSER"):
    pytest.fail("no node: install one, or playwright, which brings its own", pytrace=False)
needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine")


# Runs the scripts that come in, each in a line of JSON, and answers each with what it printed or how it failed.
# Modules are loaded once and shared, as by the parts of a page.
RUNNER = """
    import { readFileSync } from "node:fs";
    import { createInterface } from "node:readline";
    const { log } = console;
    let count = 0;
    for await (const line of createInterface({ input: process.stdin })) {
        const { script, given } = JSON.parse(line), printed = [];
        globalThis.readFileSync = (file, ...options) => file === 0 ? given : readFileSync(file, ...options);
        console.log = (text) => printed.push(text);
        const source = encodeURIComponent(`${script}\n// ${count += 1}`); // else it would be the same module again
        const error = await import(`data:text/javascript,${source}`).then(() => null, (failure) => failure);
        delete globalThis.document; // a script's own
        log(JSON.stringify({ printed: printed.join("\\n"), error: error && `${error.stack ?? error}` }));
    }
"""


@cache
def runner() -> subprocess.Popen[str]:
    """The node of this process, which ends with it: to start one takes longer than what most scripts compute."""
    command = [NODE, "--input-type=module", "-e", RUNNER]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT)
    atexit.register(process.communicate)
    return process


def in_node(script: str, given: Any = None) -> Any:
    """What a module prints as JSON; `given` comes in as its standard input."""
    script = re.sub(r'((?:from |import\()")\./', rf"\1{ROOT.as_uri()}/", script)
    process = runner()
    assert process.stdin and process.stdout
    print(json.dumps({"script": script, "given": json.dumps(given)}), file=process.stdin, flush=True)
    answer = json.loads(process.stdout.readline())
    assert answer["error"] is None, answer["error"]
    return json.loads(answer["printed"])


DERIVED = """
    const {{ {name} }} = await import("./explorer/derived/{module}.js");
    const plain = (value) => {{
      if (value?.shape && typeof value.data === "object") {{
        return {{ shape: value.shape, data: Array.from(value.data, plain) }};
      }}
      if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(value, plain);
      if (value instanceof Map || value instanceof Set) return [...value].map(plain);
      if (value !== null && typeof value === "object") {{
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
      }}
      return typeof value === "number" && !Number.isFinite(value) ? `${{value}}` : value ?? null;
    }};
    const found = [];
    for (const call of JSON.parse(readFileSync(0))) found.push(plain(await {name}(...call)));
    console.log(JSON.stringify(found));
"""


def derive_all(module: str, name: str, calls: list[list[Any]]) -> list[Any]:
    """What a function of explorer/derived returns for each list of arguments; tensors become arrays."""
    found = in_node(DERIVED.format(module=module, name=name), calls)
    return [with_arrays(value) for value in found]


def derive(module: str, name: str, *arguments: Any) -> Any:
    """The same of one call."""
    return derive_all(module, name, [list(arguments)])[0]


def with_arrays(value: Any) -> Any:
    if isinstance(value, list):
        return [with_arrays(part) for part in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"shape", "data"} and isinstance(value["data"], list):
        return np.array(value["data"], dtype=float).reshape(value["shape"])
    return {name: with_arrays(part) for name, part in value.items()}
