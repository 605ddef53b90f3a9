"""What browser tests of a class share: its pages, and what they say."""

import io
import re

import numpy as np
import zxingcpp
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, expect
from visiting import at_rest, expect_sentence

from explorer.page import words


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#viewer .status")).not_to_be_empty()
    at_rest(page)
    return page


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-class={name}]")


def state(page: Page, text: str) -> None:
    expect(part(page, "state")).to_have_text(text)


def following(teacher: Page, count: int) -> None:
    state(teacher, words.CLASS["following"].format(count=count))


def shows(page: Page, sentence: str, step: int) -> None:
    """The page shows this sentence at this step, counted from one."""
    expect_sentence(page, sentence)
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", str(step))


def invited(teacher: Page) -> str:
    """Begins a class; returns the link that others open, which the poster's QR code holds."""
    teacher.locator("[data-tool=class]").click()
    part(teacher, "begin").click()
    expect(part(teacher, "address")).to_contain_text("/join")
    link = read_code(part(teacher, "qr"))
    assert link.endswith(f"?class={part(teacher, 'code').inner_text()}")
    part(teacher, "dialog").get_by_role("button", name="Close").click()
    return link


def read_code(qr: Locator) -> str:
    picture = np.asarray(Image.open(io.BytesIO(qr.screenshot())).convert("L"))
    (found,) = zxingcpp.read_barcodes(picture)
    return found.text


def asked(teachers: BrowserContext, pupils: BrowserContext, address: str) -> tuple[Page, Page, str]:
    """A class in which a word is asked for: its teacher's page, that of a pupil, and the link that it followed."""
    teacher = opened(teachers, address)
    link = invited(teacher)
    pupil = opened(pupils, link)
    following(teacher, 1)
    part(teacher, "askWord").click()
    part(teacher, "askable").locator("button").nth(2).click()
    expect(teacher.locator("body[data-veiled]")).to_have_count(1)
    return teacher, pupil, link


def says(page: Page, name: str) -> None:
    """The line of the class has this sentence, with any number in it."""
    pattern = re.escape(words.CLASS[name]).replace(r"\{seconds\}", r"\d+")
    expect(part(page, "state")).to_have_text(re.compile(f"^{pattern}$"))
