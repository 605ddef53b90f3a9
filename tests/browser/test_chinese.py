"""The Chinese page in a real browser: its first screen and what it says of a sentence, without a word of English."""

from playwright.sync_api import Page, expect
from reading import labels_of, parts_of, plain, read
from visiting import needs_browser, visited

pytestmark = needs_browser
SENTENCE = "The dog sleeps."
KEYS = {"End"}  # of a keyboard


def english(page: Page) -> set[str]:
    """Texts of the Chinese page with words of the English one."""
    said = {plain(text) for language, text in read(page) if language == "zh-CN"}
    parts, labels = parts_of("en", "zh"), labels_of("en", "zh")
    return {text for text in said - KEYS if text in labels or any(part in text for part in parts)}


def test_the_chinese_page_translates_in_chinese(browser, shipped_page):
    for page in visited(browser, f"{shipped_page}zh", level="picture"):
        expect(page).to_have_title("注意力探索器")
        assert english(page) == set()
        page.locator("#sentence :is(input, textarea)").fill(SENTENCE)
        page.locator("#translate").click()
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", SENTENCE)
        expect(page.locator("#viewer .plain")).to_contain_text("模型")
        assert english(page) == set()
        page.locator("#viewer .legend").evaluate("(node) => { node.textContent = 'Layer'; }")
        assert english(page) == {"Layer"}  # it would be found
