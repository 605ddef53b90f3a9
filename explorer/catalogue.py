"""The command `python -m explorer.catalogue`: measures a checkpoint's heads (explorer/experiments/measuring.py)."""

from explorer.experiments.measuring import main

if __name__ == "__main__":
    main()
