"""The report and the worksheet, in the browser."""
