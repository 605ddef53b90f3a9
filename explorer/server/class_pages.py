"""The pages of a class: which are there, whose requests wait for a change, and which gives way in a full class.

A page asks for the state of its class over and over, and says which state it has. So the class knows what reaches a
page, whatever the network does: a page counts while it has the present state, or one of a moment ago.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from explorer.server import words
from model.errors import UserError

MAX_PAGES = 500  # of a class at once, besides the teacher's
LOOK_SECONDS = 1.0  # between two looks at whether its client has gone
SILENT_SECONDS = 15.0  # without a request, after which a page is gone
AGAIN_SECONDS = 2.0  # until the next request of a page whose browser has another one waiting
WAKE_BATCH = 25  # requests that are answered before others have their turn


@dataclass(frozen=True)
class Visit:
    """A request of a page for the state; `number` is that of the state it has, or None.

    `browser` is the same for all pages of a browser, which opens only six connections to a server: one of its requests
    waits for a change, up to `wait_seconds`, the others are answered at once.
    """

    page: str
    browser: str
    client: str = ""
    follows: bool = True
    is_teacher: bool = False
    number: int | None = None
    wait_seconds: int = 0


@dataclass(eq=False)
class Page:
    """A page of a class, by its last request."""

    visit: Visit
    last_seen: float
    last_current: float  # when it last had the present state, or a new one
    news: asyncio.Event | None = None  # of its request that waits
    is_displaced: bool = False


@dataclass(eq=False)
class Pages:
    """The pages of one class, the oldest first; `clock` gives seconds."""

    clock: Callable[[], float]
    by_name: dict[str, Page] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.by_name)

    @property
    def following(self) -> int:
        """The number of browsers with a page that follows, and is up to date."""
        pages = self.by_name.values()
        return len({page.visit.browser for page in pages if page.visit.follows and self.is_current(page)})

    @property
    def is_led(self) -> bool:
        return any(page.visit.is_teacher for page in self.by_name.values())

    def is_current(self, page: Page) -> bool:
        """Whether what the class tells reaches a page: nothing does where a network passes requests alone."""
        return page.visit.number is not None and self.clock() - page.last_current <= SILENT_SECONDS

    def require(self, browser: str) -> None:
        """Raises UserError for a browser without a page, or one client could speak for many at no cost."""
        if not any(page.visit.browser == browser and page.visit.number is not None for page in self.by_name.values()):
            raise UserError(words.CLASS["unconnected"])

    def meet(self, visit: Visit, number: int) -> Page:
        """The page of a request; `number` is that of the present state.

        Raises UserError if the class is full, and no page gives way to this one.
        """
        page = self.by_name.get(visit.page)
        if page is None:
            self.make_room(visit)
            page = self.by_name[visit.page] = Page(visit, self.clock(), self.clock())
        if page.news:
            page.news.set()  # its earlier request: this one stands for it
        if visit.number in (number, None) or visit.number != page.visit.number:
            page.last_current = self.clock()
        page.visit, page.last_seen = visit, self.clock()
        return page

    def make_room(self, visit: Visit) -> None:
        """In a full class the oldest page of the client that has most gives way. Raises UserError if there is none."""
        pupils = [page for page in self.by_name.values() if not page.visit.is_teacher]
        if visit.is_teacher or len(pupils) < MAX_PAGES:
            return
        crowding = most_frequent([*(page.visit.client for page in pupils), visit.client], visit.client)
        displaced = next((page for page in pupils if page.visit.client == crowding), None)
        if displaced is None:
            raise UserError(words.CLASS["pages"].format(count=MAX_PAGES))
        displaced.is_displaced = True
        del self.by_name[displaced.visit.page]
        wake([displaced])

    def may_wait(self, page: Page) -> bool:
        """Whether no other page of its browser has a request that waits."""
        browser = page.visit.browser
        return not any(one.news and one is not page for one in self.by_name.values() if one.visit.browser == browser)

    async def wait(self, page: Page, is_gone: Callable[[], Awaitable[bool]]) -> None:
        """Waits for a change, as long as the page wants and its client is there."""
        news = page.news = asyncio.Event()
        try:
            for _ in range(round(page.visit.wait_seconds / LOOK_SECONDS)):
                if await is_set(news, seconds=LOOK_SECONDS) or await is_gone():
                    return
        finally:
            if page.news is news:
                page.news = None
            page.last_seen = self.clock()

    def forget_silent(self) -> None:
        """Removes the pages that are gone: closed, asleep, or behind a connection that died."""
        for name, page in [*self.by_name.items()]:
            if not page.news and self.clock() - page.last_seen > SILENT_SECONDS:
                del self.by_name[name]

    def wake(self) -> None:
        """Answers all requests that wait."""
        wake(self.by_name.values())


def wake(pages: Iterable[Page]) -> None:
    """Tells requests that wait of a change, some at a time: others have their turn in between."""
    waiting = [page for page in pages if page.news]
    for page in waiting[:WAKE_BATCH]:
        if page.news:
            page.news.set()
    if waiting[WAKE_BATCH:]:
        asyncio.get_running_loop().call_soon(wake, waiting[WAKE_BATCH:])


async def is_set(event: asyncio.Event, *, seconds: float) -> bool:
    """Whether an event is set within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def most_frequent(clients: list[str], favourite: str) -> str:
    """The client that comes most often; the favourite where it comes as often."""
    counted = Counter(clients)
    return max(counted, key=lambda client: (counted[client], client == favourite))
