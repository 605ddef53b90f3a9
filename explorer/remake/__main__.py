"""The command `python -m explorer.remake`: all that belongs to a checkpoint made anew, and what is left to a person."""

from explorer.remake.refresh_assets import main

if __name__ == "__main__":
    main()
