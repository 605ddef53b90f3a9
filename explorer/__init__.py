"""The window on the model: traces, figures and the page."""
