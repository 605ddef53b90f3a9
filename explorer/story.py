"""The command `python -m explorer.story`: tells the story of a training run (explorer/tabs/training/story.py)."""

from explorer.tabs.training.story import main

if __name__ == "__main__":
    main()
