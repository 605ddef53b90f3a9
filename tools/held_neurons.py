"""What the German becomes while one neuron is held at a value: sentences, and a reader's verdict of every change.

    python -m tools.held_neurons [--model NAME] docs/held-neurons.tsv

translates the sentences of the file once more, without a change and with the neuron of each column held at all
positions, and writes the file anew. A verdict stays with the German that it was given to; a German that nobody has
read has "?". It prints the table of docs/findings.md.

A line of the file has the English, whom the unchanged German addresses ("du", "ihr", "Sie", or "-" for nobody), that
German, and for each neuron nothing where it stays as it is, else VERDICT: GERMAN. The verdicts:

- Sie, du, ihr: it addresses so now; every pronoun and verb agrees, and it still says the same;
- half: some of its forms have changed, and others, which belong to them, have not;
- other: good German, or as good as before, that says the same in other words;
- spoilt: broken, empty, or it says something else.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.running import run
from explorer.lessons.url_state import parse_neurons
from model import command
from model.checkpoints.card import markdown_table
from model.decoding import Translator
from model.files import read_lines

NAME = "python -m tools.held_neurons"
UNREAD = "?"
# What each neuron turns the address to, by its place and value as in addresses; the last one makes it fall silent.
TURNS_TO = {
    "decoder.4.542.6": "Sie",
    "decoder.4.625.6": "du",
    "decoder.3.595.6": "ihr",
    "decoder.4.26.6": "Sie",
    "decoder.3.240.6": None,
}
ADDRESSES = ("du", "ihr", "Sie")


class Reading(NamedTuple):
    """A German that a neuron changed, and what a reader said of it."""

    verdict: str
    german: str


class Line(NamedTuple):
    """A sentence, its German, and what becomes of it for each neuron that changes it."""

    english: str
    address: str
    german: str
    readings: dict[str, Reading]


class Counts(NamedTuple):
    """What holding a neuron does, in numbers of sentences; those that it turns agree in pronoun and verb."""

    could_turn: int  # sentences that address somebody, and in another form
    turned: int
    half: int
    spoilt: int
    others: int  # the other sentences
    others_changed: int
    others_spoilt: int


def parse_reading(cell: str) -> Reading:
    verdict, _, german = cell.partition(":")
    return Reading(verdict, german.strip())


def read_table(path: Path) -> list[Line]:
    """The lines of a file."""
    header, *rows = (line.split("\t") for _, line in read_lines(path))
    lines = []
    for english, address, german, *cells in rows:
        readings = {neuron: parse_reading(cell) for neuron, cell in zip(header[3:], cells, strict=True) if cell}
        lines.append(Line(english, address, german, readings))
    return lines


def format_table(lines: Iterable[Line]) -> str:
    """The text of a file."""
    rows = [["English", "address", "German", *TURNS_TO]]
    for line in lines:
        readings = (line.readings.get(neuron) for neuron in TURNS_TO)
        cells = (f"{read.verdict}: {read.german}".strip() if read else "" for read in readings)
        rows.append([line.english, line.address, line.german, *cells])
    return "".join("\t".join(row) + "\n" for row in rows)


def held(neuron: str) -> Experiment:
    """The experiment in which a neuron is held, by its place and value as in addresses."""
    return experiment_of({"neurons": parse_neurons(neuron)})


def translate_line(translator: Translator, line: Line) -> Line:
    """The line with the translations of a translator. What is read of a German holds for this German alone."""
    german = run(translator, line.english).translation
    known = line.readings if german == line.german else {}
    readings = {}
    for neuron in TURNS_TO:
        changed = run(translator, line.english, held(neuron)).translation
        if changed != german:
            read = known.get(neuron)
            readings[neuron] = read if read and read.german == changed else Reading(UNREAD, changed)
    return Line(line.english, line.address if german == line.german else UNREAD, german, readings)


def count(lines: Sequence[Line], neuron: str) -> Counts:
    """The counts of a neuron. One that turns no address could turn every sentence."""
    form = TURNS_TO[neuron]
    could_turn, others = [], []
    for line in lines:
        can_turn = form is None or (line.address in ADDRESSES and line.address != form)
        (could_turn if can_turn else others).append(line.readings.get(neuron))
    first, second = (Counter(reading.verdict for reading in group if reading) for group in (could_turn, others))
    return Counts(
        len(could_turn), first[form], first["half"], first["spoilt"], len(others), second.total(), second["spoilt"]
    )


def counts_table(lines: Sequence[Line]) -> str:
    """The counts of all neurons as a Markdown table."""
    header = ["held at 6", "towards", "could turn", "turn, all forms agree", "half", "spoilt"]
    rows = []
    for neuron, form in TURNS_TO.items():
        counts = count(lines, neuron)
        others = f"{counts.others_changed} of {counts.others}, {counts.others_spoilt} spoilt" if counts.others else ""
        shown = (counts.could_turn, counts.turned if form else "", counts.half, counts.spoilt)
        rows.append([place_name(neuron), f"*{form}*" if form else "silence", *map(str, shown), others])
    return markdown_table([*header, "others that change"], rows)


def place_name(neuron: str) -> str:
    """A neuron's layer, from one, and its index, from zero, as the tables of the docs write it."""
    ((stack, layer, index, *_),) = parse_neurons(neuron)
    return f"{stack} {layer + 1}, {index}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(NAME, description="Holds neurons over the sentences of a file.")
    parser.add_argument("file", type=Path, help="lines with a reader's verdicts, which are kept")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    with command.exit_on_error(NAME):
        translator = command.load(options)
        lines = [translate_line(translator, line) for line in tqdm(read_table(options.file), "sentences")]
    options.file.write_text(format_table(lines), encoding="utf-8")
    print(counts_table(lines))


if __name__ == "__main__":
    main()
