"""The page as an app that a browser installs: its manifest and icon, as Chromium reads them."""

import json

import httpx
import pytest
from playwright.sync_api import sync_playwright
from visiting import CHROMIUM, FLAGS, needs_browser

from explorer.page.launch import ICON
from explorer.page.words import TITLE

pytestmark = needs_browser


@pytest.mark.parametrize("path", ["", "de"])
def test_a_browser_may_install_the_page(toy_page, tmp_path, path):
    with sync_playwright() as playwright:
        # Not a guest: nothing is installed for one.
        browser = playwright.chromium.launch_persistent_context(tmp_path, executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.goto(toy_page + path)
        devtools = browser.new_cdp_session(page)
        found = devtools.send("Page.getAppManifest")
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        browser.close()
    manifest = json.loads(found["data"])
    assert found["errors"] == [] and manifest["name"] == TITLE and manifest["display"] == "standalone"
    (icon,) = found["manifest"]["icons"]
    answer = httpx.get(icon["url"])
    assert answer.text == ICON.read_text(encoding="utf-8") and answer.headers["content-type"] == icon["type"]
