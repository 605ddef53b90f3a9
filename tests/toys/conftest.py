"""What tests of toys share: folders of their own, and processes that do nothing."""

import tempfile

import pytest


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def pretended(monkeypatch):
    """Processes that do nothing; what is said to them."""
    from fake_workshop import Process  # here, not above: see tests/conftest.py

    from explorer.toys.training_process import Training

    said: list[str] = []

    def start(self, assignment, told, ended):
        self.process, self.state = Process(), "starting"
        self.folder.mkdir()

    monkeypatch.setattr(Training, "start", start)
    monkeypatch.setattr(Training, "send", lambda self, line: said.append(line))
    return said
