"""What tests of the browser's modules share: node, and what a module says there."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

ROOT = Path(__file__).parents[1]
NODE = shutil.which("node") or shutil.which(compute_driver_executable()[0])

if NODE is None and os.environ.get("REQUIRE_BROWSER"):
    pytest.fail("no node: install one, or playwright, which brings its own", pytrace=False)
needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine")


def in_node(script: str, given: Any = None) -> Any:
    """What a module prints as JSON; `given` comes in as its standard input."""
    script = f'import {{ readFileSync }} from "node:fs";{script}'
    command = [NODE, "--input-type=module", "-e", script]
    result = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)
