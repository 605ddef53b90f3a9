"""What the page says and keeps where it read another form of what a visitor typed."""

import re

from playwright.sync_api import Page, expect
from visiting import BOX, ask, begin_again, expect_sentence, follow, needs_browser, translate

pytestmark = needs_browser
NOTE, SAID = "#viewer .read", ".draft [role=status]"


def expect_read(page: Page, typed: str, sentence: str) -> None:
    expect_sentence(page, sentence)
    expect(page.locator(NOTE)).to_contain_text(f"Read as “{sentence}”")
    assert page.input_value(BOX) == typed
    expect(page.locator(SAID)).to_have_text("")


def test_a_rough_text_is_read_better_and_a_button_translates_it_as_it_was_typed(page):
    ask(page, "goodbye")
    expect_read(page, "goodbye", "Goodbye")
    expect(page).to_have_url(re.compile(r"\?sentence=Goodbye&typed=goodbye"))
    page.wait_for_function("document.querySelector('#viewer').getBoundingClientRect().bottom <= 768")
    page.get_by_role("button", name="As typed").click()
    expect_sentence(page, "goodbye")
    expect(page.locator(NOTE)).to_be_hidden()
    expect(page).not_to_have_url(re.compile("typed"))
    assert page.input_value(BOX) == "goodbye"


def test_a_link_leads_to_the_same_reading_or_to_the_exact_text(page):
    ask(page, "STOP TALKING NOW!")
    expect_sentence(page, "Stop talking now!")
    expect(page).to_have_url(re.compile("typed=STOP"))
    page.reload()
    expect_read(page, "STOP TALKING NOW!", "Stop talking now!")
    begin_again(page, "goodbye")
    expect_sentence(page, "goodbye")
    expect(page.locator(NOTE)).to_be_hidden()


def test_a_link_that_says_something_false_of_what_was_typed_is_not_believed(page):
    follow(page, "?sentence=Hello.&typed=goodbye")
    expect_read(page, "goodbye", "Goodbye")
    expect(page).to_have_url(re.compile(r"\?sentence=Goodbye&typed=goodbye"))


def test_lines_of_a_link_are_not_joined_to_one_word(page):
    follow(page, "?sentence=The+weather%0Ais+nice+today.")
    expect_sentence(page, "The weather is nice today.")


def test_a_well_written_sentence_has_no_note(page):
    translate(page, "The dog is tired")
    expect(page.locator(NOTE)).to_be_hidden()
    expect(page).not_to_have_url(re.compile("typed"))
