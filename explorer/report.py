"""The command `python -m explorer.report`: writes a report or a worksheet (explorer/handout/command.py)."""

from explorer.handout.command import main

if __name__ == "__main__":
    main()
