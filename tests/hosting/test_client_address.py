"""By which address a client counts: its own, or that which a proxy on this machine names."""

import asyncio

from cases import each_case
from starlette.requests import Request
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from explorer.server.client_address import client_address


def counted_address(peer: tuple[str, int] | None, forwarded: str = "", proxies: str = "127.0.0.1,::1") -> str:
    """The address of a request as it comes through Uvicorn."""
    found = []

    async def app(scope, receive, send) -> None:
        found.append(client_address(Request(scope)))

    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    scope = {"type": "http", "client": peer, "headers": headers}
    asyncio.run(ProxyHeadersMiddleware(app, proxies)(scope, None, None))  # pyright: ignore
    return found[0]


@each_case(
    ("peer", "forwarded", "address"),
    [
        ("192.168.1.20", "", "192.168.1.20"),
        ("192.168.1.20", "10.9.9.9", "192.168.1.20"),  # whoever is no proxy writes what he likes
        ("127.0.0.1", "192.168.1.20", "192.168.1.20"),
        ("127.0.0.1", "10.9.9.9, 192.168.1.20", "192.168.1.20"),  # the first was written by the client
        ("127.0.0.1", "nonsense", ""),
        ("::ffff:192.168.1.20", "", "192.168.1.20"),
        ("2a02:810d:1::5", "", "2a02:810d:1::/64"),
        ("127.0.0.1", "[2a02:810d:1:0:9::7]:4711", "2a02:810d:1::/64"),
        ("fe80::5%eth0", "", "fe80::5%eth0"),
        ("fd00::5", "", "fd00::5"),
    ],
)
def test_a_client_counts_by_its_own_address(peer, forwarded, address):
    assert counted_address((peer, 4711), forwarded) == address


def test_a_proxy_elsewhere_is_believed_where_it_is_named():
    assert counted_address(("10.0.0.2", 1), "192.168.1.20") == "10.0.0.2"
    assert counted_address(("10.0.0.2", 1), "192.168.1.20", "10.0.0.2") == "192.168.1.20"
    assert counted_address(None) == ""
