"""The command `python -m explorer.site`: writes the page as plain files (explorer/handout/site.py)."""

from explorer.handout.site_command import main

if __name__ == "__main__":
    main()
