"""The page's addresses for others in the same network, and one of them as a QR code in the terminal."""

import socket

import segno

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
NO_NETWORK = "This computer is in no network just now, so others cannot reach the page."
BLOCKS = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # upper and lower module; light ones are drawn
WHITE_ON_BLACK, PLAIN = "\x1b[97;40m", "\x1b[0m"


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


def qr_code(text: str) -> str:
    """A QR code of half blocks, two rows of modules per line, with its quiet zone."""
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=4)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(BLOCKS[pair] for pair in zip(*lines, strict=True)) for lines in pairs)


def announcement(port: int, query: str, encoding: str, in_colour: bool) -> str:
    """The URLs for others, with a query, a QR code of the first, and a warning that they are open.

    The code is left out where the encoding lacks its blocks; in colour it is light on dark in any terminal.
    """
    urls = [f"http://{address}:{port}/{query}" for address in addresses()]
    if not urls:
        return NO_NETWORK
    lines = qr_code(urls[0]).splitlines() if can_encode(encoding, "".join(BLOCKS.values())) else []
    before, after = (WHITE_ON_BLACK, PLAIN) if in_colour else ("", "")
    return "\n".join(
        [
            "For others in this network:",
            *(f"  {url}" for url in urls),
            *(before + line + after for line in lines),
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
