"""The error whose text people read."""


class UserError(ValueError):
    """What was asked for cannot be done; the message is a sentence for the person who asked.

    No other error is shown to a visitor: its text was written for programmers.
    """
