"""The address to listen on, checked before anything is loaded."""

import shutil
import socket
import tempfile
from atexit import register
from collections.abc import MutableMapping
from pathlib import Path
from typing import NamedTuple

HOST, PORT, TEMPORARY = "GRADIO_SERVER_NAME", "GRADIO_SERVER_PORT", "GRADIO_TEMP_DIR"
LOCAL, ALL = "127.0.0.1", "0.0.0.0"
MAX_PORT_DIGITS = 20  # leading zeros included
MAX_SHOWN = 40  # characters of a wrong port in a message


class ListenAddress(NamedTuple):
    host: str
    port: int | None  # None: the first free one from 7860


def listen_address(host: str | None, port: int | None, environment: MutableMapping[str, str]) -> ListenAddress:
    """Host and port of the options, or of the environment, from which they are removed: Gradio would read them again.

    Raises ValueError, with a sentence, where the page cannot listen there.
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
    """Raises ValueError, with a sentence that names the option or variable, unless the text is a port."""
    number = text.strip()
    if not (number.isdecimal() and len(number) <= MAX_PORT_DIGITS and 0 < int(number) < 2**16):
        shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
        raise ValueError(
            f"{name} must be a whole number from 1 to 65535, not {shown!r}. "
            "Without it, the first free port from 7860 is taken."
        )
    return int(number)


def require_free(host: str, port: int | None) -> None:
    """Raises ValueError with the system's reason where no server can listen there."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        socket.create_server((host, port or 0), family=family).close()
    except (OSError, UnicodeError) as error:
        where = f"{host}, port {port}" if port else repr(host)
        reason = getattr(error, "strerror", None) or error
        raise ValueError(
            f"The page cannot listen at {where}: {reason}. Choose another port with --port, or leave out --host and "
            f"{HOST} to be reached from this computer only."
        ) from error


def provide_temporary_folder(environment: MutableMapping[str, str]) -> None:
    """Gives Gradio a folder of its own, removed when Python ends: the usual one may belong to another user.

    Raises ValueError, with a sentence, where nothing can be written.
    """
    folder = environment.get(TEMPORARY)
    try:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        else:
            environment[TEMPORARY] = tempfile.mkdtemp(prefix="attention-explorer-")
            register(shutil.rmtree, environment[TEMPORARY], ignore_errors=True)
    except OSError as error:
        where, name = (folder, TEMPORARY) if folder else ("any temporary folder", "TMPDIR")
        raise ValueError(
            f"Nothing can be written to {where} ({error.strerror}). Name another folder with {name}."
        ) from error
