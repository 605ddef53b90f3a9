"""A lesson of one step, and files of lessons."""

from pathlib import Path

import yaml

STEP = {"text": "Look.", "place": {"step": 1}}
WHOLE = {"title": "A title", "shows": "What is seen.", "minutes": 5, "sentence": "The dog sleeps.", "steps": [STEP]}
CLAIM = {"translates": {"has": ["Hund"]}}


def file(folder: Path, content: object, name: str = "one") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
    return path
