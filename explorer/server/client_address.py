"""The address of a client, by which shares are counted: a client makes up names as it likes, addresses it has few of.

Uvicorn puts it into the request: the direct peer; or, if that is a proxy which FORWARDED_ALLOW_IPS names (by default
one on this machine), the last address in X-Forwarded-For that is no such proxy. What a client writes into that header
stands further left and does not count, unless FORWARDED_ALLOW_IPS is "*".
"""

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

NETWORK_BITS = 64  # of an IPv6 address; a client of the internet may choose the others


def client_address(request: HTTPConnection) -> str:
    """The client's IPv4 address or IPv6 network; "" where none is known, as behind a Unix socket."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    if isinstance(address, IPv6Address) and address.is_global:  # in a local network each machine counts by itself
        return str(ip_network((int(address), NETWORK_BITS), strict=False))
    return str(address)
