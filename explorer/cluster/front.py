"""The desk of a page whose questions others answer: any of them can, since an answer is a function of the question."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from anyio import to_thread

from explorer.cluster.hall import Hall
from explorer.server.desk import Asked, Desk
from explorer.server.packed import Packed, packed
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.questions import refusal
from explorer.ui.queue import PATIENCE, Full
from explorer.ui.queued import full_line
from explorer.ui.visitor import visited_by


class Crowded(Exception):
    """Those who answer have no room for another question."""


@dataclass(frozen=True, eq=False)
class Front(Desk):
    """What was answered lately is answered here; everything else by `hand_on`, which raises Crowded."""

    hand_on: Callable[[Asked], Awaitable[str]] = field(kw_only=True)
    about: dict[str, Any] = field(kw_only=True, default_factory=dict)  # what /health says of those who answer
    hall: Hall = field(kw_only=True, default_factory=Hall)

    async def worked_out(self, asked: Asked, sentence: str | None) -> AsyncGenerator[int | Packed, None]:
        """As the desk's, but that a refusal which comes late is an answer."""
        with self.hall.entered(asked.visitor) as ahead:
            answering = asyncio.ensure_future(self.hand_on(asked))
            begun = False
            try:
                while not (await asyncio.wait([answering], timeout=PATIENCE))[0]:
                    yield ahead()
                    begun = True
                answer = await to_thread.run_sync(packed, answering.result())
            except Crowded as crowded:
                full = self.hall.full()
                if not begun:
                    raise full from crowded
                yield self.refused(asked, full)
                return
            finally:
                answering.cancel()
        with visited_by(asked.visitor):
            self.keep(asked, answer)
        yield answer

    def refused(self, asked: Asked, full: Full) -> Packed:
        with use_language(LanguageContext(asked.language)):
            return packed(refusal(full_line(full)))

    def waiting(self) -> int:
        return len(self.hall)

    def health(self) -> dict[str, Any]:
        return {**super().health(), **self.about}
