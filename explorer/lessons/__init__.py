"""Lessons: files of steps at which one guesses, does it and sees, and the checks that keep them true."""
