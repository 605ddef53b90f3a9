"""The list of English words with several meanings is as its reader (explorer/derived/senses.js) takes it."""

from collections import Counter

from explorer.derived.about import sense_lines

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
