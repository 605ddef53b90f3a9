"""A class in one browser: a teacher's page and three others, each in a context of its own."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from in_class import asked, following, invited, opened, part, says, shows, state
from playwright.sync_api import Browser, BrowserContext, Page, expect
from serving import free_port, served
from visiting import (
    DESK,
    MOTION,
    PHONE,
    SEEN_BEFORE,
    at_rest,
    chips,
    eventually,
    expect_sentence,
    go_to,
    needs_browser,
    open_panel,
    open_tab,
    translate,
)

from explorer.lessons.running import shipped_lessons
from explorer.page import words
from explorer.server import class_pages
from explorer.server import words as server_words
from explorer.server.class_keys import code_of, new_key
from explorer.ui.language import LanguageContext, use_language

pytestmark = needs_browser
STUDENTS = 3
SENTENCE = "Two dogs are running through the snow."


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Iterator[list[BrowserContext]]:
    """The teacher's, two desks', and a phone's."""
    sizes = [*[DESK] * STUDENTS, PHONE]
    made = [
        browser.new_context(viewport={"width": width, "height": height}, reduced_motion=MOTION)
        for width, height in sizes
    ]
    for context in made:
        context.add_init_script(SEEN_BEFORE)
    yield made
    for context in made:
        context.close()


@pytest.fixture(scope="module")
def joined(contexts: list[BrowserContext], shipped_page: str) -> list[Page]:
    """The teacher's page, and three that have joined: by the link, in German, and on a phone by the poster's words."""
    teacher = opened(contexts[0], shipped_page)
    link = invited(teacher)
    german = link.replace("?", "de?")
    students = [opened(context, german if i == 0 else link) for i, context in enumerate(contexts[1:-1])]
    students.append(typed(contexts[-1], part(teacher, "address").inner_text(), part(teacher, "code").inner_text()))
    following(teacher, STUDENTS)
    open_tab(teacher, "Heads")
    return [teacher, *students]


@pytest.fixture
def pages(joined: list[Page]) -> list[Page]:
    """All pages in Heads, with the same sentence."""
    open_tab(joined[0], "Heads")
    translate(joined[0], SENTENCE)
    for page in joined:
        expect_sentence(page, SENTENCE)
    return joined


def typed(context: BrowserContext, address: str, code: str) -> Page:
    """A page that has joined by what the poster says: an unknown code is refused, and the field stays."""
    page = context.new_page()
    page.goto(f"http://{address}")
    for text in ("NOSUCH", code.lower()):
        page.get_by_role("textbox").fill(text)
        page.get_by_role("button").click()
        if text == "NOSUCH":
            expect(page.get_by_role("alert")).to_have_text(server_words.JOIN["none"].format(code=text))
    at_rest(page)
    return page


def test_every_page_shows_what_the_teachers_shows(pages):
    teacher, *students = pages
    go_to(teacher, 3)
    teacher.locator("#viewer [data-role=layer]").select_option(label="2")
    for page in students:
        shows(page, SENTENCE, 4)
        expect(page.locator("#viewer [data-role=layer]")).to_have_value("1")
    assert students[0].url.split("?")[0].endswith("/de")  # each keeps its language
    open_tab(teacher, "Whole model")
    for page in students:
        expect(page.locator("#whole-tab")).to_be_visible()
    open_tab(teacher, "Heads")
    for page in students:
        expect(page.locator("#viewer .viewer")).to_be_visible()
        assert "key" not in page.url


def test_a_page_goes_its_own_way_and_comes_back(pages):
    teacher, student, *_ = pages
    go_to(teacher, 2)
    shows(student, SENTENCE, 3)
    with use_language(LanguageContext("de")):
        alone, together = words.CLASS["alone"], words.CLASS["follows"]
    student.keyboard.press("Home")
    state(student, alone)
    following(teacher, STUDENTS - 1)
    go_to(teacher, 5)
    shows(student, SENTENCE, 1)
    part(student, "follow").click()
    state(student, together)
    shows(student, SENTENCE, 6)
    following(teacher, STUDENTS)
    student.reload()
    shows(student, SENTENCE, 6)
    following(teacher, STUDENTS)


def test_a_phone_keeps_its_place_and_reads_what_is_changed(pages):
    teacher, *_, phone = pages
    at_rest(phone)
    phone.evaluate("scrollTo(0, 60)")
    panel = open_panel(teacher, "hide")
    expect(phone.locator(".page[data-drawer]")).to_have_count(1)
    at_rest(phone)
    assert phone.evaluate("scrollY") == 60
    panel.get_by_role("button", name="dogs").click()
    changed = chips(phone).locator("b")
    expect(changed).to_have_text("dogs")
    at_rest(phone)
    row, line = changed.bounding_box(), part(phone, "bar").bounding_box()
    assert row and line and row["y"] >= line["height"]  # below the class's line, wherever the phone is
    assert chips(phone).evaluate("node => getComputedStyle(node).pointerEvents") == "none"  # words, no buttons
    part(phone, "follow").click()
    expect(phone.locator(".page[data-drawer]")).to_have_count(0)  # it would lie over the picture
    part(phone, "follow").click()
    shows(phone, SENTENCE, 1)
    teacher.locator("[data-change=undo]").click()
    teacher.locator("#drawer [data-drawer=close]").click()
    expect(changed).to_have_count(0)


def test_the_class_guesses_where_the_model_looks(pages, tmp_path):
    teacher, *students = pages
    part(teacher, "askWord").click()
    expect(part(teacher, "askable").locator(".main")).to_have_count(1)  # the one that is proposed
    part(teacher, "askable").locator("button").nth(3).click()
    for page in students:
        expect(part(page, "ask")).to_contain_text("“" if page is not students[0] else "„")
        expect(page.locator("#viewer .views")).to_be_hidden()  # which would give the answer away
    expect(teacher.locator("body[data-veiled]")).to_have_count(1)
    step = teacher.locator("#viewer .viewer").get_attribute("data-step")
    teacher.keyboard.press("ArrowRight")
    expect(teacher.locator("#viewer .viewer")).to_have_attribute("data-step", str(step))  # the question is about it
    for page, choice in zip(students, (0, 1, 0), strict=True):
        part(page, "choices").locator("button").nth(choice).click()
    part(students[0], "choices").locator("button").nth(1).click()  # thought better of it
    expect(part(students[1], "answers")).to_contain_text(words.CLASS["answered"])
    expect(part(teacher, "answers")).to_have_text(words.CLASS["answers"].format(count=STUDENTS))
    assert part(students[1], "choices").locator(".bars").count() == 0
    part(teacher, "reveal").click()
    for page in pages:
        expect(page.locator("#viewer .views")).to_be_visible()
        guessed = part(page, "choices").locator(".guessed")
        expect(guessed.nth(1)).to_have_text("2")
        expect(guessed.nth(0)).to_have_text("1")
    expect(part(students[1], "answers")).to_contain_text("You guessed “dogs”. The model looks most at “")
    expect(part(teacher, "answers")).to_have_text(words.CLASS["answers"].format(count=STUDENTS))
    with teacher.expect_download() as saved:
        part(teacher, "csv").click()
    rows = [*csv.reader(io.StringIO(Path(saved.value.path()).read_text(encoding="utf-8-sig")))]
    assert rows[0] == words.CLASS["columns"]
    assert [(row[2], row[3]) for row in rows[1:3]] == [("Two", "1"), ("dogs", "2")]
    weights = teacher.evaluate("document.querySelector('[data-pane=first] .heatmap').data[0].z[3].map(Number)")
    assert [float(row[4]) for row in rows[1:]] == pytest.approx(weights, abs=5.1e-5)
    telling = [row for row in rows[1:] if int(row[3]) or float(row[4]) >= 0.01]  # the other words go
    assert part(students[1], "choices").locator("button").count() == len(telling)
    part(teacher, "done").click()
    for page in students:
        expect(part(page, "poll")).to_be_hidden()


def test_the_question_of_a_lesson_is_put_to_the_class(pages):
    teacher, german, student, phone = pages
    name, lesson = next((name, lesson) for name, lesson in shipped_lessons().items() if lesson.steps[0].question)
    question = lesson.steps[0].question
    assert question
    open_tab(teacher, "Lessons")
    title = lesson.to_json(name, "en")["title"]
    teacher.locator("#lessons-tab").get_by_role("button", name=re.compile(rf": {re.escape(title)}$")).first.click()
    expect(student.locator(".lesson [data-lesson=title]")).to_have_text(title)
    eventually(phone, expect_picture_above, phone, ".lesson [data-lesson=choices]")
    part(teacher, "askStep").click()
    for page, language in ((student, "en"), (german, "de")):
        asked = re.sub(r"\*", "", lesson.steps[0].to_json(language)["question"]["ask"])
        expect(part(page, "ask")).to_have_text(asked)
        told = re.sub(r"\*", "", lesson.steps[0].to_json(language)["text"])
        expect(part(page, "context")).to_have_text(told)  # without which nobody could guess
        expect(page.locator(".lesson")).to_be_hidden()
    right = question.right - 1
    part(student, "choices").locator("button").nth(right).click()
    expect(part(teacher, "answers")).to_have_text(words.CLASS["answers"].format(count=1))
    teacher.set_viewport_size({"width": 1280, "height": 720})
    teacher.locator("[data-tool=projector]").click()
    one_row = teacher.locator(".classroom .line").bounding_box()
    assert one_row is not None and one_row["height"] < 50
    part(teacher, "reveal").click()
    eventually(teacher, expect_picture_above, teacher)
    teacher.keyboard.press("Escape")
    expect(part(german, "choices").locator("button").nth(right).locator(".model")).to_have_text("✓")
    part(teacher, "done").click()
    checked = student.locator(".lesson [data-lesson=choices] input").nth(right)
    expect(checked).to_be_checked()  # the guess counts in the lesson too
    teacher.locator(".lesson [data-lesson=close]").click()
    expect(student.locator(".lesson")).to_be_hidden()


def expect_picture_above(page: Page, below: str | None = None) -> None:
    """The row that the teacher speaks of is in sight, above what `below` names, and the German stands whole."""
    width, height = page.evaluate("[innerWidth, innerHeight]")
    row = page.locator("#viewer [data-pane=first] .mark").first.bounding_box()
    end = page.locator(below).bounding_box() if below else {"y": height, "height": 0}
    assert row is not None and end is not None
    assert row["y"] > 0 and row["y"] + row["height"] <= end["y"] and end["y"] + end["height"] <= height
    for piece in page.locator("#viewer [data-role=target] .piece").all():
        box = piece.bounding_box()
        assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= width)


def test_sentences_of_the_class_reach_the_teacher_alone(pages):
    teacher, german, student, phone = pages
    part(teacher, "openInbox").click()
    part(teacher, "allow").check()
    part(student, "sentence").fill("<b>Why?</b>")
    part(student, "sentence").press("Enter")
    expect(part(teacher, "sentences")).to_contain_text("<b>Why?</b>")
    part(phone, "sentence").fill("The cat sleeps.")
    part(phone, "send").get_by_role("button").click()
    rows = part(teacher, "sentences").locator("li")
    expect(rows).to_have_count(2)
    assert all("cat" not in page.locator("body").inner_text() for page in (student, german))
    rows.nth(1).get_by_role("button", name=words.CLASS["show"]).click()
    for page in (german, student, phone):
        expect_sentence(page, "The cat sleeps.")
    rows.first.get_by_role("button", name=words.CLASS["drop"]).click()
    expect(part(teacher, "sentences")).to_have_text(words.CLASS["noSentences"])
    for page, text in ((student, "One."), (phone, "Two.")):
        part(page, "sentence").fill(text)
        part(page, "sentence").press("Enter")
    expect(rows).to_have_count(2)
    part(teacher, "clear").click()
    expect(part(teacher, "sentences")).to_have_text(words.CLASS["noSentences"])
    part(teacher, "openInbox").click()


def test_the_end_is_told_to_all(pages):
    teacher, _, student, phone = pages
    expect(phone.locator("#ask")).to_be_hidden()  # it follows
    phone.clock.install()
    teacher.once("dialog", lambda dialog: dialog.accept())
    part(teacher, "end").click()
    for page in (teacher, student, phone):
        state(page, words.CLASS["ended" if page is teacher else "over"])
        if page is phone:  # goes on by itself
            phone.clock.run_for(25_000)
            expect(phone.locator("#ask")).to_be_visible()
        else:
            part(page, "away").click()
        expect(part(page, "bar")).to_be_hidden()
        assert "class" not in parse_qs(urlsplit(page.url).query)
    sent: list[str] = []
    teacher.on("request", lambda request: sent.append(request.url))
    go_to(teacher, 1)
    expect(teacher).to_have_url(re.compile("step=2"))  # the address is written later than a class is told
    assert not sent


@pytest.mark.thorough
def test_a_teacher_who_closed_the_page_leads_again_and_nobody_stays_veiled(contexts, shipped_page, monkeypatch):
    monkeypatch.setattr(class_pages, "SILENT_SECONDS", 3.0)
    teacher, pupil, link = asked(*contexts[:2], shipped_page)
    expect(pupil.locator("body[data-veiled]")).to_have_count(1)
    teacher.close()
    says(pupil, "unled")
    expect(pupil.locator("body[data-veiled]")).to_have_count(0)
    pupil.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(part(pupil, "state")).to_have_css("clip-path", "none")  # a phone shows it, too
    expect(part(pupil, "lead")).to_be_hidden()
    teacher = opened(contexts[0], link)
    says(teacher, "unled")
    part(teacher, "lead").click()
    following(teacher, 1)
    says(pupil, "follows")
    expect(pupil.locator("body[data-veiled]")).to_have_count(1)  # the question is still asked
    part(teacher, "reveal").click()
    part(teacher, "done").click()
    go_to(teacher, 3)
    expect(pupil.locator("#viewer .viewer")).to_have_attribute("data-step", "4")
    for page in (teacher, pupil):
        page.close()


@pytest.mark.thorough
def test_a_link_takes_no_class_away(contexts, shipped_page):
    """A key is kept for its class alone, and only once the server has taken it."""
    teacher = opened(contexts[0], shipped_page)
    link = invited(teacher)
    false_key = f"#key={'0' * 32}"
    other = opened(contexts[0], f"{shipped_page}?class=ZZZZZZ{false_key}")
    state(other, words.CLASS["waiting"])
    teacher.reload()
    following(teacher, 0)
    teacher.goto(f"{shipped_page}?class=ZZZZZZ{false_key}")
    state(teacher, words.CLASS["waiting"])
    teacher.goto(f"{link}{false_key}")
    following(teacher, 0)
    other.goto(f"{link}{false_key}")
    state(other, words.CLASS["wrongKey"])
    following(teacher, 1)
    teacher.evaluate("localStorage.clear()")
    teacher.reload()
    state(teacher, words.CLASS["noKey"])
    for page in (teacher, other):
        page.close()


@pytest.mark.thorough
def test_one_browser_leads_two_classes(contexts, shipped_page):
    teachers = [opened(contexts[0], shipped_page) for _ in range(2)]
    students = [opened(contexts[1], invited(teacher)) for teacher in teachers]
    for i, teacher in enumerate(teachers):
        teacher.reload()
        following(teacher, 1)
        go_to(teacher, 2 + i)
    for i, student in enumerate(students):
        expect(student.locator("#viewer .viewer")).to_have_attribute("data-step", str(3 + i))
    for page in (*teachers, *students):
        page.close()


@pytest.mark.thorough
def test_a_page_says_whether_the_teacher_is_there(contexts, shipped_page):
    key = new_key()
    student = opened(contexts[1], f"{shipped_page}de?class={code_of(key).lower()}")
    with use_language(LanguageContext("de")):
        waiting, together, unled = (words.CLASS[name] for name in ("waiting", "follows", "unled"))
    state(student, waiting)
    teacher = opened(contexts[0], f"{shipped_page}?class={code_of(key)}#key={key}")
    state(student, together)
    following(teacher, 1)
    teacher.close()
    state(student, unled)
    student.close()


@pytest.mark.thorough
def test_a_class_goes_on_after_the_server_was_started_anew(contexts, toy):
    """The teacher's page opens it again, and the others find it."""
    port = free_port()
    server = served(toy, port=port)
    address = next(server)
    teacher = opened(contexts[0], address)
    student = opened(contexts[1], invited(teacher))
    following(teacher, 1)
    next(server, None)  # it ends
    state(student, words.CLASS["lost"])
    for _ in served(toy, port=port):
        following(teacher, 1)
        go_to(teacher, 3)
        expect(student.locator("#viewer .viewer")).to_have_attribute("data-step", "4")
