"""Held neurons: what docs/findings.md and a lesson say of them stands in the file and the atlas, and happens."""

from collections import Counter
from pathlib import Path

import pytest

from explorer import Atlas
from explorer.lessons.running import shipped_lessons
from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from model.probe import Site
from model.tokenizer import WORD_START
from tools.held_neurons import Reading, count, counts_table, format_table, held, main, read_table, translate_line

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "held-neurons.tsv"
LINES = read_table(FILE)
SECTION = (DOCS / "findings.md").read_text(encoding="utf-8").split("\n## ")[6]
POLITE, SILENT = "decoder.4.542.6", "decoder.3.240.6"
VERDICTS = {"Sie", "du", "ihr", "half", "other", "spoilt"}


def test_every_changed_german_was_read():
    assert len(LINES) == len({line.english for line in LINES}) == 120
    assert {line.address for line in LINES} == {"du", "ihr", "Sie", "-"}
    assert {reading.verdict for line in LINES for reading in line.readings.values()} == VERDICTS
    assert format_table(LINES) == FILE.read_text(encoding="utf-8")


def test_the_counts_in_the_findings_are_those_of_the_file():
    assert counts_table(LINES).strip() in SECTION
    assert sum(line.readings[SILENT].german == "" for line in LINES) == 114
    stay = [line.german for line in LINES if line.address == "du" and POLITE not in line.readings]
    assert (len(stay), sum(german.endswith("?") for german in stay)) == (14, 13)
    assert Counter(line.address for line in LINES)["Sie"] == 19
    polite = [line.readings[POLITE].verdict for line in LINES if line.address == "Sie" and POLITE in line.readings]
    assert polite.count("du") == 3


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_the_lesson_claims_the_counts_of_the_file(language):
    text = shipped_lessons()["polite"].to_json("polite", language)["steps"][-1]["text"]
    found, stay = count(LINES, POLITE), 19
    assert found.could_turn - found.turned - found.half - found.spoilt == stay
    said = [120, 69, 47, 2, 1, 19, 51, 10, 3, 1]
    parts = [len(LINES), found.could_turn, found.turned, found.half, found.spoilt, stay, found.others]
    assert said == [*parts, found.others_changed, 3, found.others_spoilt]
    for number in said:
        assert str(number) in text


@pytest.mark.parametrize(("guide", "turned"), [("guide.md", "47 of 69"), ("guide.de.md", "47 von 69")])
def test_the_guides_claim_the_counts_of_the_file_and_of_the_atlas(guide, turned):
    text = (DOCS / guide).read_text(encoding="utf-8")
    found, name = count(LINES, POLITE), Atlas.load().neuron("encoder", 0, 86).name
    assert (found.turned, found.could_turn) == (47, 69) and turned in text
    assert name and (name.checked, round(name.precision * name.checked)) == (118, 58)
    assert all(word in text for word in ("118", "58", "49 %", "93 %", "36 %"))


def test_the_names_in_the_findings_are_those_of_the_atlas():
    atlas, checked = Atlas.load(), 0
    for row in SECTION.split("| layer, neuron |")[1].splitlines()[2:]:
        place, fires, said, *figures = (cell.strip() for cell in row.strip("| ").split("|"))
        stack, layer, index = place.replace(",", "").split()
        neuron = atlas.neuron(stack, int(layer) - 1, int(index))
        assert (fires, said.partition(":")[0]) == (f"{neuron.count:,}", neuron.standing), row
        if name := neuron.name:
            expected = [f"{name.checked}", *(f"{share:.0%}".replace("%", " %") for share in name[3:5])]
            assert figures == expected and all(token.removeprefix(WORD_START) in said for token in name.tokens), row
        checked += 1
    assert checked == 10


def test_a_german_that_nobody_has_read_is_marked(shipped):
    line = LINES[3]
    other = line._replace(readings={POLITE: Reading("Sie", "Sie kommen.")})
    assert translate_line(shipped, other).readings[POLITE] == Reading("?", line.readings[POLITE].german)
    assert translate_line(shipped, line._replace(german="Du kommst.")).address == "?"


def test_a_few_sentences_come_out_as_they_were_read(shipped):
    for line in LINES[3::40]:
        assert translate_line(shipped, line) == line


@pytest.mark.thorough
def test_all_sentences_come_out_as_they_were_read(tmp_path, capsys):
    (tmp_path / "held.tsv").write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    main([str(tmp_path / "held.tsv")])
    assert (tmp_path / "held.tsv").read_text(encoding="utf-8") == FILE.read_text(encoding="utf-8")
    assert counts_table(LINES) in capsys.readouterr().out


@pytest.mark.thorough
def test_by_itself_the_neuron_writes_a_third_person_and_no_polite_one(shipped):
    ((stack, layer, index, *_),) = held(POLITE).neurons
    third_person, polite = [], []
    for line in LINES:
        trace = record(shipped, line.english)
        values = record_pass(shipped, trace).tensors[Site(stack, layer, "feed_forward", "hidden")][0][:, index]
        if line.address == "Sie":
            polite.append(float(values.max()))
        elif trace.steps[0].predicted.text == "·Sie":
            third_person.append(round(float(values[0]), 1))
    assert (len(third_person), min(third_person), max(third_person)) == (10, 2.9, 4.6)
    assert polite == [0.0] * 19
