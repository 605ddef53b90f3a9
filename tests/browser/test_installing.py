"""The page as an app that a browser installs: its manifest and icon, as Chromium reads them."""

import json

from serving import get
from visiting import CHROMIUM, FLAGS, needs_browser

from explorer.page import words as page_words
from explorer.server.launch import ICON

pytestmark = needs_browser


def test_a_browser_may_install_the_page(browser, toy_page, tmp_path):
    # Not a guest: nothing is installed for one.
    owner = browser.browser_type.launch_persistent_context(tmp_path, executable_path=CHROMIUM, args=FLAGS)
    page = owner.new_page()
    page.goto(toy_page, wait_until="domcontentloaded")
    devtools = owner.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    owner.close()
    manifest = json.loads(found["data"])
    assert found["errors"] == [] and manifest["name"] == page_words.TITLE and manifest["display"] == "standalone"
    (icon,) = found["manifest"]["icons"]
    answer = get(icon["url"])
    assert answer.text == ICON.read_text(encoding="utf-8") and answer.headers["content-type"] == icon["type"]
