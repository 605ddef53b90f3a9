"""English and German numbers and times of day, written by rule: they are rare in collections of sentences.

    python -m tools.numerals --out numerals.tsv.gz

"half past seven" is "halb acht", and "twenty-five" is "fünfundzwanzig": a model that has seen each of them only a few
times mixes them up. The pairs are for `model.train --pairs`, beside real sentences.
"""

import argparse
import random
from collections.abc import Iterator, Sequence

from model import command
from model.training.data import Pair, write_pairs

EN = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
DE = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"]
TENS = {
    "twenty": "zwanzig",
    "thirty": "dreißig",
    "forty": "vierzig",
    "fifty": "fünfzig",
    "sixty": "sechzig",
    "seventy": "siebzig",
    "eighty": "achtzig",
    "ninety": "neunzig",
}
WITH_TIME = (
    Pair("It is {}.", "Es ist {}."),
    Pair("The train leaves at {}.", "Der Zug fährt um {} ab."),
    Pair("The lesson begins at {}.", "Der Unterricht beginnt um {}."),
    Pair("I woke up at {}.", "Ich bin um {} aufgewacht."),
    Pair("We have lunch at {}.", "Wir essen um {} zu Mittag."),
    Pair("She came home at {}.", "Sie kam um {} nach Hause."),
    Pair("Can you call me at {}?", "Kannst du mich um {} anrufen?"),
    Pair("The shop closes at {}.", "Das Geschäft schließt um {}."),
    Pair("They arrived at {}.", "Sie sind um {} angekommen."),
)
WITH_NUMBER = (
    Pair("My father is {} years old.", "Mein Vater ist {} Jahre alt."),
    Pair("He turned {} yesterday.", "Er ist gestern {} geworden."),
    Pair("There are {} people on the bus.", "Im Bus sind {} Leute."),
    Pair("I have {} books.", "Ich habe {} Bücher."),
    Pair("The ticket costs {} euros.", "Die Karte kostet {} Euro."),
    Pair("We need {} chairs.", "Wir brauchen {} Stühle."),
    Pair("Open your books at page {}.", "Schlagt Seite {} auf."),
    Pair("He lived here for {} years.", "Er hat hier {} Jahre lang gewohnt."),
)


def numbers() -> Iterator[Pair]:
    """The numbers from 21 to 99 that have a unit."""
    for tens_en, tens_de in TENS.items():
        for unit in range(1, 10):
            yield Pair(f"{tens_en}-{EN[unit]}", f"{'ein' if unit == 1 else DE[unit]}und{tens_de}")


def times() -> Iterator[Pair]:
    """The times of day in words, and with a.m. and p.m."""
    for hour in range(1, 13):
        after = hour % 12 + 1
        yield Pair(f"{EN[hour]} o'clock", f"{'ein' if hour == 1 else DE[hour]} Uhr")
        yield Pair(f"half past {EN[hour]}", f"halb {DE[after]}")
        yield Pair(f"quarter past {EN[hour]}", f"Viertel nach {DE[hour]}")
        yield Pair(f"quarter to {EN[after]}", f"Viertel vor {DE[after]}")
        yield Pair(f"a quarter to {EN[after]}", f"Viertel vor {DE[after]}")
        yield Pair(f"ten to {EN[after]}", f"zehn vor {DE[after]}")
        yield Pair(f"twenty past {EN[hour]}", f"zwanzig nach {DE[hour]}")
        if hour < 12:
            yield Pair(f"{hour} a.m.", f"{hour} Uhr")
            yield Pair(f"{hour} p.m.", f"{hour + 12} Uhr")


def pairs(number: int, seed: int = 0) -> list[Pair]:
    """Up to `number` different sentences with a number and as many with a time, drawn at random."""
    draw, found = random.Random(seed), []
    for frames, values in ((WITH_NUMBER, list(numbers())), (WITH_TIME, list(times()))):
        filled = [
            Pair(frame.src.format(value.src), frame.tgt.format(value.tgt)) for frame in frames for value in values
        ]
        found += draw.sample(filled, min(number, len(filled)))
    return [Pair(pair.src.replace(".m..", ".m."), pair.tgt) for pair in found]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m tools.numerals", description="Writes pairs with numbers and times.")
    parser.add_argument("--number", type=int, default=400, help="sentences with a number, and a time (default 400)")
    parser.add_argument("--out", type=command.gzip_path, required=True, help="the TSV.gz file to write")
    options = parser.parse_args(arguments)
    found = pairs(options.number)
    with command.exit_on_error("python -m tools.numerals"):
        write_pairs(options.out, found)
    print(f"{len(found)} pairs are in {options.out}.")


if __name__ == "__main__":
    main()
