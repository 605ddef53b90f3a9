"""Keeps Gradio from the proxies of the environment, which schools and companies set: it asks nobody but itself."""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager

NO_PROXY = ("no_proxy", "NO_PROXY")  # programs differ in which of them counts


@contextmanager
def without_proxies(environment: MutableMapping[str, str]) -> Iterator[None]:
    """No request inside goes through a proxy of the environment, and no client that is made inside has one.

    Gradio makes a client as it is imported, and asks itself whether it is there as it is launched.
    """
    before = {name: environment.get(name) for name in NO_PROXY}
    environment.update(dict.fromkeys(NO_PROXY, "*"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                environment.pop(name, None)  # Windows has one variable for both names
            else:
                environment[name] = value
