"""What the repository says to those who change it: links lead somewhere, commands do what they are said to do."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from reading import FOLDERS, ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "assets").glob("*.md"))]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def links(page: Path) -> list[str]:
    """Those within the repository."""
    found = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    return [link for link in found if not re.match(r"\w+:", link)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_within_the_repository_leads_somewhere(page):
    assert [link for link in links(page) if not (page.parent / link).exists()] == []


def test_there_are_links_to_follow():
    assert len(links(ROOT / "CONTRIBUTING.md")) > 20


def test_the_command_for_another_language_copies_every_package_of_words(tmp_path):
    for path in FOLDERS:
        shutil.copytree(path.parent, tmp_path / path.parent.relative_to(ROOT))
    (command,) = re.findall(r"^find explorer .*$", CONTRIBUTING, re.MULTILINE)
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    copies = sorted(tmp_path.rglob("fr.py"))
    assert [path.parent.relative_to(tmp_path) for path in copies] == [path.parent.relative_to(ROOT) for path in FOLDERS]
    texts = [path.read_text(encoding="utf-8") for path in copies]
    assert any(".words.fr import" in text for text in texts) and not any(".words.en import" in text for text in texts)
