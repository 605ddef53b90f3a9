"""The server's log: a line at the start, for each translation and each class, and never what was translated or said.

Only an error of the program has a traceback there, whose last line may quote it.
"""

import json
import logging
import sys

from model.command import escape_control_characters

logger = logging.getLogger(__name__)


def log_translation(*, seconds: float, pieces: int, cached: bool, waiting: int) -> None:
    """A translation of so many source pieces; `waiting` is the length of the queue when it was asked for."""
    facts = {"seconds": round(seconds, 4), "pieces": pieces, "cached": cached, "waiting": waiting}
    logger.info("translation", extra={"facts": facts})


def log_class(*, pages: int, questions: int, sentences: int) -> None:
    """A class that is over: the most pages at once, and how many questions and sentences there were."""
    logger.info("class", extra={"facts": {"pages": pages, "questions": questions, "sentences": sentences}})


def log_file_limit(*, before: int, now: int) -> None:
    """How many files and connections may be open at once, raised at the start."""
    logger.info("open files", extra={"facts": {"before": before, "now": now}})


def log_bug(path: str) -> None:
    """An error, being handled, that is none of the visitor's: its traceback. `path` is what was requested."""
    logger.exception("failed", extra={"facts": {"path": path}})


class PlainFormatter(logging.Formatter):
    """12:30:05 translation seconds=0.031 pieces=9 cached=False waiting=2; a traceback begins on the next line."""

    def format(self, record: logging.LogRecord) -> str:
        facts = " ".join(f"{name}={value}" for name, value in vars(record).get("facts", {}).items())
        line = f"{self.formatTime(record, '%H:%M:%S')} {record.getMessage()} {facts}".rstrip()
        return f"{escape_control_characters(line, kept='')}\n{escape_control_characters(traceback_of(record))}".rstrip()


class JsonFormatter(logging.Formatter):
    """{"time": ..., "event": "translation", "seconds": 0.031, "pieces": 9, "cached": false, "waiting": 2}"""

    def format(self, record: logging.LogRecord) -> str:
        event = {"time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "event": record.getMessage()}
        traceback = {"traceback": traceback_of(record)} if record.exc_info else {}
        return json.dumps({**event, **vars(record).get("facts", {}), **traceback})


def traceback_of(record: logging.LogRecord) -> str:
    """The traceback of a record's error; empty if it has none."""
    return logging.Formatter().formatException(record.exc_info) if record.exc_info else ""


def configure_log(*, as_json: bool = False) -> None:
    """Sends the log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else PlainFormatter())
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
