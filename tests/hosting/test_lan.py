"""The addresses for a class, and their code as a phone reads it."""

import socket
from typing import Any

import numpy as np
import pytest
import zxingcpp

from explorer.server import listen_address as lan
from explorer.server import start

HALVES = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}  # how bright a terminal draws them, up and down


def decoded(lines: list[str]) -> str:
    """What is read from a picture of lines of half blocks, light on dark."""
    rows = [row for line in lines for row in zip(*(HALVES[block] for block in line), strict=True)]
    picture = np.array(rows, dtype=np.uint8).repeat(4, axis=0).repeat(4, axis=1)
    (found,) = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    return found.text


def test_everything_for_a_class_is_said(monkeypatch):
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.17", "10.42.0.1"])
    lines = lan.announcement(7861, "", "utf-8", in_colour=False).splitlines()
    assert [line.strip() for line in lines[1:3]] == ["http://192.168.1.17:7861/", "http://10.42.0.1:7861/"]
    assert decoded(lines[3:-1]) == "http://192.168.1.17:7861/"
    assert lines[-1] == lan.WARNING and "no password" in lan.WARNING


def test_a_terminal_without_blocks_gets_the_address_alone(monkeypatch):
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.17"])
    said = lan.announcement(7860, "", "cp1252", in_colour=True).splitlines()
    assert said == ["For others in this network:", "  http://192.168.1.17:7860/", lan.WARNING]


def test_a_terminal_of_any_colours_shows_light_on_dark(monkeypatch):
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.17"])
    drawn = lan.announcement(7860, "", "utf-8", in_colour=True).splitlines()[2:-1]
    assert all(line.startswith(lan.WHITE_ON_BLACK) and line.endswith(lan.PLAIN) for line in drawn)
    assert decoded([line[len(lan.WHITE_ON_BLACK) : -len(lan.PLAIN)] for line in drawn]) == "http://192.168.1.17:7860/"


class Probe(socket.socket):
    """A socket that says from which address it would send: one of three networks, or none."""

    def connect(self, address: Any) -> None:
        if address[0].startswith("172."):
            raise OSError("no way there")
        self.way = {"10.42.0.1": "10.42.0.1", "192.0.2.1": "192.168.1.17"}.get(address[0], "127.0.0.1")

    def getsockname(self) -> Any:
        return self.way, 40000


def test_addresses_are_those_of_all_networks_without_this_computers_own(monkeypatch):
    monkeypatch.setattr(lan.socket, "socket", Probe)
    assert lan.addresses() == ["192.168.1.17", "10.42.0.1"]


def test_a_computer_in_no_network_says_so(monkeypatch):
    monkeypatch.setattr(lan, "addresses", list)
    assert lan.announcement(7860, "", "utf-8", in_colour=True) == lan.NO_NETWORK


@pytest.mark.parametrize("answer", [True, False, start.webbrowser.Error("none")])
def test_the_browser_is_opened_or_it_is_said_that_there_is_none(monkeypatch, capsys, answer):
    asked = []

    def show(url: str) -> bool:
        asked.append(url)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(start.webbrowser, "open", show)
    start.open_browser("http://127.0.0.1:7860/")
    said = capsys.readouterr().err
    assert asked == ["http://127.0.0.1:7860/"] and (said == "") == (answer is True)
    assert answer is True or "No browser could be opened" in said
