"""The tabs of the page: one file each, with its layout and wiring."""
