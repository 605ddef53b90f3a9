"""The command `python -m explorer.findings`: experiments over many sentences (explorer/experiments/findings.py)."""

from explorer.experiments.findings import main

if __name__ == "__main__":
    main()
