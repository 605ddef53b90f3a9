"""What leaves the page: a report in one file, a worksheet to be printed, a folder of plain files."""
