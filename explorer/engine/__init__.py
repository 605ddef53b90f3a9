"""The model in the browser, in JavaScript, and the data that its answers need from Python."""
