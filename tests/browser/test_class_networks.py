"""A class on the networks and in the browsers that schools have: what is held back, late or lost, and many windows."""

from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from in_class import asked, following, invited, opened, part, says, shows, state
from networks import Network
from playwright.sync_api import Browser, BrowserContext, expect
from serving import proxied
from visiting import MOTION, SEEN_BEFORE, WAITING, expect_sentence, go_to, needs_browser, open_tab, translate

from explorer.page import words
from explorer.server import class_pages

pytestmark = needs_browser
SENTENCE = "Two dogs are running through the snow."


@pytest.fixture(scope="module")
def any_network(shipped_page: str) -> Iterator[tuple[Network, str]]:
    network = Network(shipped_page.rstrip("/"))
    with proxied(network) as address:
        yield network, f"{address}/"


@pytest.fixture
def network(any_network: tuple[Network, str]) -> Iterator[tuple[Network, str]]:
    """A network before the page, and the address behind it."""
    yield any_network
    any_network[0].mode = ""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that are silent are gone sooner."""
    monkeypatch.setattr(class_pages, "SILENT_SECONDS", 3.0)


@pytest.fixture(scope="module")
def two_browsers(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Those of two persons, which keep the page's files for all tests."""
    made = [browser.new_context(reduced_motion=MOTION) for _ in range(2)]
    for context in made:
        context.add_init_script(SEEN_BEFORE)
    yield made
    for context in made:
        context.close()


@pytest.fixture
def teachers(two_browsers: list[BrowserContext]) -> Iterator[BrowserContext]:
    yield two_browsers[0]
    leave(two_browsers[0])


@pytest.fixture
def pupils(two_browsers: list[BrowserContext]) -> Iterator[BrowserContext]:
    yield two_browsers[1]
    leave(two_browsers[1])


def leave(context: BrowserContext) -> None:
    """Ends a visit: the browser knows nothing more of its classes."""
    for page in context.pages:
        page.goto(urljoin(page.url, f"/{WAITING}"))
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.close()


@pytest.mark.thorough
def test_who_joins_sees_what_the_class_sees_and_nothing_before(teachers, pupils, shipped_page):
    teacher = opened(teachers, f"{shipped_page}?sentence=Tom+sleeps.")
    link = invited(teacher)
    pupil, held = pupils.new_page(), []
    pupil.route("**/class/*", lambda route: held.append(route))
    pupil.goto(link)
    state(pupil, words.CLASS["joining"])
    pieces = pupil.locator("[role=tabpanel] [data-role=source] .piece:visible")
    expect(pieces).to_have_count(0)
    pupil.unroute_all()  # lets go of what was asked
    expect_sentence(pupil, "Tom sleeps.")
    expect(pieces.first).to_be_visible()


@pytest.mark.thorough
def test_a_guess_is_one_of_its_browser_and_there_after_a_reload(teachers, pupils, shipped_page):
    teacher, pupil, link = asked(teachers, pupils, shipped_page)
    chosen = part(pupil, "choices").locator("button").nth(1)
    chosen.click()
    expect(part(pupil, "answers")).to_contain_text(words.CLASS["answered"])
    pupil.reload()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(part(pupil, "answers")).to_contain_text(words.CLASS["answered"])
    second = opened(pupils, link)
    part(second, "choices").locator("button").nth(0).click()
    expect(chosen).to_have_attribute("aria-pressed", "false")  # the first page shows the same guess
    expect(part(teacher, "answers")).to_have_text(words.CLASS["answers"].format(count=1))
    following(teacher, 1)


@pytest.mark.thorough
def test_a_filter_that_holds_responses_back_until_they_are_whole_changes_nothing(teachers, pupils, network):
    between, address = network
    between.mode = "whole"
    teacher = opened(teachers, address)
    pupil = opened(pupils, invited(teacher))
    following(teacher, 1)
    translate(teacher, SENTENCE)
    go_to(teacher, 3)
    shows(pupil, SENTENCE, 4)


@pytest.mark.thorough
def test_a_page_that_nothing_reaches_says_so_and_is_not_counted(teachers, pupils, network, shipped_page):
    between, address = network
    teacher = opened(teachers, shipped_page)
    link = invited(teacher)
    between.mode = "headers"
    pupils.clock.install()
    pupil = opened(pupils, link.replace(shipped_page, address))
    pupil.clock.fast_forward(16_000)
    says(pupil, "silent")
    following(teacher, 0)
    between.mode = ""
    pupil.clock.fast_forward(2_000)
    says(pupil, "follows")
    following(teacher, 1)


@pytest.mark.thorough
def test_a_page_whose_connection_died_notices_at_the_latest_when_it_wakes(teachers, pupils, network, shipped_page):
    between, address = network
    teacher = opened(teachers, shipped_page)
    pupils.clock.install()
    pupil = opened(pupils, invited(teacher).replace(shipped_page, address))
    following(teacher, 1)
    between.lose_connections()
    go_to(teacher, 3)
    pupil.clock.fast_forward(16_000)
    says(pupil, "silent")
    pupil.clock.fast_forward(2_000)
    says(pupil, "follows")
    expect(pupil.locator("#viewer .viewer")).to_have_attribute("data-step", "4")
    pupil.clock.pause_at(pupil.evaluate("Date.now()") + 60_000)
    between.lose_connections()
    translate(teacher, SENTENCE)
    go_to(teacher, 2)
    following(teacher, 0)
    pupil.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    pupil.clock.resume()
    shows(pupil, SENTENCE, 3)
    following(teacher, 1)


@pytest.mark.thorough
def test_a_network_that_delivers_late_is_said(teachers, pupils, network, shipped_page):
    between, address = network
    between.mode = "late"
    teacher = opened(teachers, shipped_page)
    pupil = opened(pupils, invited(teacher).replace(shipped_page, address))
    says(pupil, "late")
    go_to(teacher, 3)
    expect(pupil.locator("#viewer .viewer")).to_have_attribute("data-step", "4")
    between.mode = ""
    says(pupil, "follows")


@pytest.mark.thorough
def test_many_windows_of_a_class_in_one_browser_leave_it_its_connections(teachers, shipped_page):
    """A browser opens six connections to a server."""
    teacher = opened(teachers, shipped_page)
    link = invited(teacher)
    windows = [opened(teachers, link) for _ in range(6)]
    following(teacher, 1)
    translate(teacher, SENTENCE)
    for page in windows:
        shows(page, SENTENCE, 1)
    open_tab(teacher, "Whole model")
    for page in windows:
        expect(page.locator("#whole-tab")).to_be_visible()
