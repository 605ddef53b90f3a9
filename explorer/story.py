"""The command `python -m explorer.story`: tells the story of a training run (explorer/rooms/training/story.py)."""

from explorer.rooms.training.story import main

if __name__ == "__main__":
    main()
