"""Starts the attention explorer: python app.py; --help lists what can be chosen. Spaces look for this file."""

from explorer.__main__ import main

if __name__ == "__main__":
    main()
