"""Where the page listens, found out before anything is loaded; what cannot be is said in a sentence."""

import errno
import os
import shutil
import socket
import tempfile
from atexit import register
from collections.abc import MutableMapping
from pathlib import Path
from typing import NamedTuple

HOST, PORT, TEMPORARY = "GRADIO_SERVER_NAME", "GRADIO_SERVER_PORT", "GRADIO_TEMP_DIR"
LOCAL, ALL = "127.0.0.1", "0.0.0.0"
DIGITS = 20  # of a port, zeros in front included
SHOWN = 40  # characters of what is no port
WHY = {
    errno.EADDRINUSE: "something else uses it. Choose another one with --port, or end what uses it",
    errno.EACCES: "this user may not. Choose a port from 1024 with --port",
    errno.EADDRNOTAVAIL: "this computer has no such address. Leave out --host to be reached from this computer only",
}
FINAL = (errno.EADDRINUSE, errno.EACCES)  # what makes one address of a host enough to refuse it


class Place(NamedTuple):
    host: str
    port: int | None  # the first free one from 7860 where none is wanted


def place_for(host: str | None, port: int | None, environment: MutableMapping[str, str]) -> Place:
    """Where to listen; what is not chosen is taken out of the environment, where Gradio would read it once more.

    Raises ValueError, with a sentence, where there is no such place, or it is taken.
    """
    named, numbered = environment.pop(HOST, ""), environment.pop(PORT, "")
    host = (host or named or LOCAL).strip("[]")
    if port is None and numbered:
        port = require_port(PORT, numbered)
    elif port is not None:
        require_port("--port", str(port))
    require_free(host, port)
    return Place(f"[{host}]" if ":" in host else host, port)


def require_port(name: str, text: str) -> int:
    """The number of a port. Raises ValueError where it is none."""
    number = text.strip()
    if not (number.isdecimal() and len(number) <= DIGITS and 0 < int(number) < 2**16):
        told = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        raise ValueError(
            f"{name} must be a whole number from 1 to 65535, not {told!r}. "
            "Without it, the first free port from 7860 is taken."
        )
    return int(number)


def require_free(host: str, port: int | None) -> None:
    """Raises ValueError where nothing can listen there: at none of its addresses, or at one that is taken."""
    try:
        places = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ValueError(
            f"There is no host {host!r}. Leave out --host and {HOST} to be reached from this computer only."
        ) from error
    errors = []
    for family, kind, protocol, _, address in places:
        try:
            with socket.socket(family, kind, protocol) as trial:
                if os.name == "posix":  # elsewhere this would let two programs have one port
                    trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind(address)
        except OSError as error:  # a host may have an IPv6 address on a computer without IPv6
            errors.append(error)
    final = [error for error in errors if error.errno in FINAL]
    if final or len(errors) == len(places):
        error = (final or errors)[0]
        reason = WHY.get(error.errno or 0, error.strerror)
        where = f"{host}, port {port}" if port else host
        raise ValueError(f"The page cannot listen at {where}: {reason}.") from error


def provide_temporary_folder(environment: MutableMapping[str, str]) -> None:
    """Where none is named, Gradio gets a folder that goes when Python ends: the usual one is somebody else's, perhaps.

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
