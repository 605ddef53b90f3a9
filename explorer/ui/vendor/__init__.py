"""Libraries of the browser as their makers publish them, served from this machine.

driver.js 1.8.0 (npm package `driver.js`, file dist/driver.js.iife.js; MIT, LICENSE-driver.txt) shows the captions of
the tour. What it styles stands in explorer/page/page.css: its own style sheet would keep a visitor from using the page.

plotly.js 4.1.1 (npm package `plotly.js-cartesian-dist-min`, file plotly-cartesian.min.js; MIT, LICENSE-plotly.txt) is
the part of Plotly that all figures here need: 1.5 MB instead of the 4.8 MB of the Python package, of whose version it
must be (a test says so). A figure of another kind, on a map or in three dimensions, would need the whole.
"""
