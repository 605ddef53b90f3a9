"""Libraries of the browser as their makers publish them, served from this machine.

driver.js 1.8.0 (npm package `driver.js`, file dist/driver.js.iife.js; MIT, LICENSE-driver.txt) shows the captions of
the tour. What it styles stands in explorer/page/page.css: its own style sheet would keep a visitor from using the page.
"""
