"""The README's Python for notebooks, run as it stands there; that over HTTP: test_experiments_api.py."""

import re
from pathlib import Path

import plotly.graph_objects as go

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
NOTEBOOK = [block for block in BLOCKS if "gradio_client" not in block]


def test_the_notebooks_examples_run_one_after_the_other(monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    names = {}
    for block in NOTEBOOK:
        exec(compile(block, "README.md", "exec"), names)
    assert len(NOTEBOOK) >= 5 and len(shown) == 1
    assert "müde" in capsys.readouterr().out
