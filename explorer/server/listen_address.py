"""The address to listen on, checked before anything is loaded, and those by which others in the network reach it."""

import socket
import tempfile
from collections.abc import MutableMapping
from pathlib import Path
from typing import NamedTuple

import segno

from explorer.ui.temporary import TemporaryFolder
from model.errors import UserError

HOST, PORT, TEMPORARY = "GRADIO_SERVER_NAME", "GRADIO_SERVER_PORT", "GRADIO_TEMP_DIR"
LOCAL, ALL = "127.0.0.1", "0.0.0.0"
MAX_PORT_DIGITS = 20  # leading zeros included
MAX_SHOWN = 40  # characters of a wrong port in a message
# Destinations for which the system names the address that a packet would leave from; nothing is sent. The first stands
# for the internet (RFC 5737), then the private networks (RFC 1918), then hotspots that a laptop opens itself.
DESTINATIONS = (
    "192.0.2.1",
    "10.255.255.255",
    "172.31.255.255",
    "192.168.255.255",
    "10.42.0.1",
    "192.168.137.1",
    "192.168.2.1",
)
WARNING = "Everybody in this network can open the page and use this computer's processor; there is no password."
ALL_IPV6 = "[::]"  # where to listen; a browser visits this computer's own address
IPV6_ALONE = f"It answers IPv6 addresses alone; with --host {ALL} it answers IPv4."
NO_NETWORK = "This computer is in no network just now, so others cannot reach the page."
BLOCKS = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # upper and lower module; light ones are drawn
WHITE_ON_BLACK, PLAIN = "\x1b[97;40m", "\x1b[0m"


class ListenAddress(NamedTuple):
    host: str
    port: int | None  # None: the first free one from 7860


def listen_address(host: str | None, port: int | None, environment: MutableMapping[str, str]) -> ListenAddress:
    """Host and port of the options, or of the environment, from which they are removed: Gradio would read them again.

    Raises UserError where the page cannot listen there.
    """
    environment_host, environment_port = environment.pop(HOST, ""), environment.pop(PORT, "")
    host = (host or environment_host or LOCAL).strip("[]")
    if port is None and environment_port:
        port = parse_port(PORT, environment_port)
    elif port is not None:
        parse_port("--port", str(port))
    require_free(host, port)
    return ListenAddress(f"[{host}]" if ":" in host else host, port)


def parse_port(name: str, text: str) -> int:
    """Raises UserError, naming the option or variable, unless the text is a port."""
    number = text.strip()
    if not (number.isdecimal() and len(number) <= MAX_PORT_DIGITS and 0 < int(number) < 2**16):
        shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
        raise UserError(
            f"{name} must be a whole number from 1 to 65535, not {shown!r}. "
            "Without it, the first free port from 7860 is taken."
        )
    return int(number)


def require_free(host: str, port: int | None) -> None:
    """Raises UserError with the system's reason where no server can listen there."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        socket.create_server((host, port or 0), family=family).close()
    except (OSError, UnicodeError) as error:
        where = f"{host}, port {port}" if port else repr(host)
        reason = getattr(error, "strerror", None) or error
        raise UserError(
            f"The page cannot listen at {where}: {reason}. Choose another port with --port, or leave out --host and "
            f"{HOST} to be reached from this computer only."
        ) from error


def provide_temporary_folder(environment: MutableMapping[str, str]) -> None:
    """Gives Gradio a folder of its own, removed when Python ends: the usual one may belong to another user.

    Raises UserError where nothing can be written.
    """
    folder = environment.get(TEMPORARY)
    try:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        else:
            environment[TEMPORARY] = str(TemporaryFolder().path)
    except OSError as error:
        where, name = (folder, TEMPORARY) if folder else ("any temporary folder", "TMPDIR")
        raise UserError(
            f"Nothing can be written to {where} ({error.strerror}). Name another folder with {name}."
        ) from error


def addresses() -> list[str]:
    """This computer's IPv4 addresses, that of the route to the internet first."""
    candidates = []
    for target in DESTINATIONS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
            except OSError:  # no route
                continue
            candidates.append(probe.getsockname()[0])
    return [address for address in dict.fromkeys(candidates) if not address.startswith(("127.", "0."))]


def local_url(url: str) -> tuple[str, str]:
    """The URL by which this computer reaches the page that Gradio says is at `url`, and what to know of it, if any."""
    is_all_ipv6 = f"//{ALL_IPV6}:" in url
    return (url.replace(ALL_IPV6, "[::1]", 1), IPV6_ALONE) if is_all_ipv6 else (url, "")


def qr_code(text: str) -> str:
    """A QR code of half blocks, two rows of modules per line, with its quiet zone."""
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=4)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(BLOCKS[pair] for pair in zip(*lines, strict=True)) for lines in pairs)


def announcement(port: int, class_code: str, encoding: str, in_colour: bool) -> str:
    """The URLs for others, of a class if there is one, a QR code of the first, and a warning that they are open.

    The code is left out where the encoding lacks its blocks; in colour it is light on dark in any terminal.
    """
    hosts = [f"{address}:{port}" for address in addresses()]
    urls = [f"http://{host}/" + (f"?class={class_code}" if class_code else "") for host in hosts]
    if not urls:
        return NO_NETWORK
    lines = qr_code(urls[0]).splitlines() if can_encode(encoding, "".join(BLOCKS.values())) else []
    before, after = (WHITE_ON_BLACK, PLAIN) if in_colour else ("", "")
    return "\n".join(
        [
            "For others in this network:",
            *(f"  {url}" for url in urls),
            *(before + line + after for line in lines),
            *([f"Or they open {hosts[0]}/join and type {class_code}."] if class_code else []),
            WARNING,
        ]
    )


def can_encode(encoding: str, text: str) -> bool:
    """Whether an encoding has all characters of a text."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
