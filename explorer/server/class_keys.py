"""The keys that lead classes, and the codes that follow from them.

To derive a code is made costly, so that nobody finds a key for the code of another class. What one client can make the
server derive is bounded.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable

from anyio import CapacityLimiter, to_thread

from explorer.server import words
from model.errors import UserError

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # of codes: without I, O, 0 and 1
CODE_LENGTH = 6
KEY_BYTES = 16
INTERVAL_SECONDS = 0.2  # from one derivation for a client to its next
BURST = 50  # derivations of a client that come at once
MAX_WAIT_SECONDS = 5.0  # of a request for its turn
MANY_CLIENTS = 1000  # from which on those are forgotten that may have a burst again


class TooManyKeys(UserError):
    """The client has asked for too many derivations."""

    status = 429  # of the response


def new_key() -> str:
    return secrets.token_hex(KEY_BYTES)


def code_of(key: str) -> str:
    """The code of the class with this key.

    After a restart only the teacher's page can open a class of the same code again: to find another key for a code
    takes a billion attempts of 10 ms each.
    """
    digest = hashlib.scrypt(key.encode(), salt=b"class", n=2**12, r=8, p=1, dklen=CODE_LENGTH)
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest)


class CodeDerivations:
    """Derives codes in a thread of their own, one after another, and so many a second for each client."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.clock = clock
        self.one_at_a_time = CapacityLimiter(1)
        self.paid_until: dict[str, float] = {}  # by client; a derivation costs it INTERVAL_SECONDS

    async def code_of(self, key: str, client: str) -> str:
        """The code of a key, when it is the client's turn. Raises TooManyKeys, with a sentence, if that is far off."""
        await asyncio.sleep(self.seconds_to_wait(client))
        return await to_thread.run_sync(code_of, key, limiter=self.one_at_a_time)

    def seconds_to_wait(self, client: str) -> float:
        now = self.clock()
        if len(self.paid_until) > MANY_CLIENTS:
            self.paid_until = {other: until for other, until in self.paid_until.items() if until > now}
        paid_until = max(self.paid_until.get(client, now), now) + INTERVAL_SECONDS
        wait = paid_until - now - BURST * INTERVAL_SECONDS
        if wait > MAX_WAIT_SECONDS:
            raise TooManyKeys(words.CLASS["keys"].format(seconds=round(wait)))
        self.paid_until[client] = paid_until
        return max(0.0, wait)
