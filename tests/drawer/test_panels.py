"""The panels of the drawer: what is remembered, several languages at once, pairs, and what is told of heads."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from cases import each_case, sweep

from explorer.drawer.measured_heads.table import heads_table, measured_data, measured_text, rules_text
from explorer.drawer.patch.panel import PARTNERS, settings
from explorer.drawer.ranking.panel import findings
from explorer.drawer.ranking.panel import settings as ranking_settings
from explorer.engine.calls import ModelCalls
from explorer.experiments import words as experiments_words
from explorer.experiments.experiment import Experiment
from explorer.experiments.head_measurements import RULES, HeadMeasurements, read
from explorer.experiments.laboratory import Laboratory, shared_laboratory
from explorer.experiments.patching import cell_targets, find_divergence, runs
from explorer.experiments.running import example_means, run
from explorer.recording.app_context import AppContext
from explorer.recording.examples import tab_sentences
from explorer.recording.recordings import SHARES, Recordings
from explorer.recording.sentence import examples
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.checkpoints import checkpoint
from model.decoding import Translator

SENTENCE = "The dog sleeps."


def test_the_mean_of_a_head_is_over_the_sentences_of_the_page(toy, tmp_path):
    path, text = tmp_path / "examples.json", "The dog sleeps under the table."
    path.write_text(json.dumps([{"shows": "a dog", "sentence": text}]), encoding="utf-8")
    brought = shared_laboratory(AppContext(Recordings(toy), None, examples=path)).means()
    ours = shared_laboratory(AppContext(Recordings(toy), None)).means()
    for kind, means in example_means(toy, [text]).items():
        torch.testing.assert_close(brought[kind], means)
        assert not torch.allclose(ours[kind], means)


def test_traces_are_remembered_by_their_bytes(toy):
    end = toy.tokenizer.eos_id
    experiments = [Experiment(beginning=(piece, end)) for piece in (5, 6, 7)]  # as long as each other
    size = run(toy, SENTENCE, experiments[0]).memory()
    laboratory = Laboratory(Recordings(toy, max_bytes=int(2 * size / SHARES["changed"]) + 9))
    first, _, third = (laboratory.trace(SENTENCE, experiment) for experiment in experiments)
    assert laboratory.trace(SENTENCE, experiments[2]) is third
    assert laboratory.trace(SENTENCE, experiments[0]) is not first


REPEATED = "The dog sleeps, the dog sleeps and the dog sleeps."


@pytest.fixture
def app(toy) -> AppContext:
    return AppContext(Recordings(toy), None)


def test_a_refusal_is_said_anew_in_every_language(app):
    """Of two who ask the same at the same time, one waits for what the other one computes."""
    expected = {}
    ModelCalls(app).register(app.questions)
    for language in ("en", "de"):
        with use_language(LanguageContext(language)):
            expected[language] = experiments_words.REFUSALS["all_hidden"]
    everything = list(range(len(app.recordings.trace(REPEATED).source)))

    def said_in(language: str) -> str:
        with use_language(LanguageContext(language)):
            return json.loads(app.questions.answer("run", [REPEATED, {"hidden": everything}]))["error"]

    turns = ["en", "de"] * 8
    with ThreadPoolExecutor(8) as pool:
        said = [*pool.map(said_in, turns)]
    assert said == [expected[language] for language in turns]
    assert len({*said}) == 2


def test_sentences_of_ours_are_offered_to_a_model_that_reads_their_language(toy):
    def offered(languages: dict[str, Any]) -> tuple[Any, Any]:
        translator = Translator(toy.model, toy.tokenizer, languages)
        app = AppContext(Recordings(translator), None)
        with use_language(LanguageContext("en", translator.languages)):
            return settings(app)["partners"], tab_sentences().order

    dutch = {"code": "nl", "name": "Dutch"}
    british, french = ({"code": code, "name": name} for code, name in (("en-GB", "English"), ("fr", "French")))
    english = ("the cat sat on the mat", "the mat sat on the cat")
    assert offered({}) == (PARTNERS, english)
    assert offered({"languages": {"source": british, "target": dutch}}) == (PARTNERS, english)
    assert offered({"languages": {"source": french, "target": dutch}}) == (
        {},
        ("le chat voit le chien", "le chien voit le chat"),
    )
    assert offered({"languages": {"source": {"code": "tlh", "name": "Klingon"}, "target": dutch}}) == ({}, ())


@pytest.fixture(scope="module")
def laboratory(shipped) -> Laboratory:
    return Laboratory(Recordings(shipped))


def test_every_example_has_a_partner_of_one_changed_word():
    assert [*PARTNERS] == [example["sentence"] for example in examples()]
    for recipient, donor in PARTNERS.items():
        assert sum(a != b for a, b in zip(recipient.split(), donor.split(), strict=True)) == 1


@pytest.mark.parametrize("recipient", sweep(PARTNERS, *[*PARTNERS][:2]))
def test_the_partner_of_an_example_shows_something(laboratory, shipped: Translator, recipient):
    trace = laboratory.recordings.trace
    found = find_divergence(shipped, trace(PARTNERS[recipient]), trace(recipient))
    assert len(found.donor) == len(found.recipient)
    both = runs(found)
    last = cell_targets(found, "encoder")[-len(found.recipient) :]
    shares = both.share(both.patched(last))
    assert shares is not None and max(shares) > 0.5


FOLDER = Path(checkpoint.SHIPPED)


@pytest.fixture(scope="module")
def measured(shipped) -> HeadMeasurements:
    found = read(FOLDER, shipped)
    assert found
    return found


def test_what_we_find_is_counted_in_the_file(measured):
    single, kinds, positional, aligning = findings(measured)
    best = max(measured.heads, key=lambda head: head.drop)
    assert f"{sum(head.low > 0 for head in measured.heads)} make" in single and f"{best.drop:.2f} nats" in single
    assert (
        f"{sum(head.drop for head in measured.heads if head.kind == 'cross') / sum(h.drop for h in measured.heads):.0%}"
        in kinds
    )
    aligns = [head.drop for head in measured.heads if head.links is not None and head.links >= 0.5]
    assert f"align words ({len(aligns)})" in aligning and f"{np.mean(aligns):.2f}" in aligning
    assert "previous, same or next" in positional


@each_case("language", LANGUAGES)
def test_how_it_was_measured_is_told_whole_and_without_a_slip_of_quotes(measured, language):
    with use_language(LanguageContext(language)):
        told = measured_text(measured) + measured_data(measured)
    facts = [*measured.data, *measured.pairs, measured.command, measured.seed, measured.sentences]
    assert all(str(fact) in told for fact in facts) and '"' not in told


def test_without_a_file_of_its_own_the_panel_says_how_to_make_one(shipped, tmp_path):
    app = ranking_settings(AppContext(Recordings(shipped), tmp_path, {}))
    assert app["average"] is None and "python -m tools.catalogue" in app["missing"]


def test_every_rule_has_a_name_and_is_shown(measured):
    table = rules_text()
    assert (
        all(experiments_words.HEAD_NAMES[rule.name] in table for rule in RULES)
        and "30%" in table
        and "3.5 bits" in table
    )
    shown = heads_table(measured).settings
    assert len(shown["heads"]) == 96 and {*shown["names"]} == {rule.name for rule in RULES}
    assert "{" not in shown["columns"]["links"]["meaning"]
