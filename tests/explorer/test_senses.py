"""English words with several meanings: the list is as the page takes it (senses.js), and its candidates are found."""

from collections import Counter

from explorer.derived.about import sense_lines
from tools.senses import main

ENTRIES = [line.split("\t") for line in sense_lines()]


def test_every_word_is_listed_once_and_has_meanings_that_differ():
    forms = Counter(form for words, *_ in ENTRIES for form in words.split(" "))
    assert not [form for form, count in forms.items() if count > 1 or form != form.lower()]
    for words, *senses in ENTRIES:
        names = [sense.partition(": ")[0].partition(", ")[0].split("/") for sense in senses]
        assert len(senses) > 1 and len({*map(tuple, names)}) == len(senses), words
        assert all(len(of_sense) in (1, len(words.split(" "))) and any(of_sense) for of_sense in names), words


def test_a_word_beside_it_tells_one_meaning_only():
    for words, *senses in ENTRIES:
        clues = Counter(clue for sense in senses for clue in sense.partition(": ")[2].split())
        assert not [clue for clue, count in clues.items() if count > 1], words
        assert not {*clues} & {*words.split(" ")}, words


def test_candidates_are_words_with_translations_of_several_stems(tmp_path, capsys):
    """A compound has the stem of its end; a word with one stem, or seldom with another, is no candidate."""
    nouns = [
        ("bank", "Bank", 5),
        ("bank", "Ufer", 2),
        ("bank", "Flussufer", 1),
        ("house", "Haus", 9),
        ("dog", "Hund", 5),
    ]
    others = [("old", "alt"), ("new", "neu"), ("red", "rot"), ("here", "hier")]
    pairs = [
        (f"{noun} {word}", f"{german} {wort}") for noun, german, n in nouns for _ in range(n) for word, wort in others
    ]
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{english}\t{german}\n" for english, german in pairs), encoding="utf-8")
    main(["--pairs", str(path)])
    assert capsys.readouterr().out.splitlines() == ["bank 32: bank 62% ufer 38%"]
