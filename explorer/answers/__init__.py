"""The answers to the page's questions in the browser, on top of the engine, and the data that they need from Python."""
