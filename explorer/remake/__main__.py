"""The command `python -m explorer.remake`: regenerates the assets of a checkpoint, and reports what needs review."""

from explorer.remake.refresh_assets import main

if __name__ == "__main__":
    main()
