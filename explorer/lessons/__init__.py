"""Lessons: files of steps in which one guesses, does it and sees; and the checks that keep them true of a checkpoint."""
