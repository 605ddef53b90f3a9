"""The panel Heads off and the tab Heads without a browser: parts of a ranking, and sentences made of the file."""

from pathlib import Path

import numpy as np
import pytest
from cases import each_case

from explorer.experiments import words as experiments_words
from explorer.experiments.catalogue import RULES
from explorer.experiments.measured import HeadMeasurements, read
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.tabs import tab_labels
from explorer.tabs.what_if.catalogue.tab import catalogue, measured_data, measured_text, rules_text
from explorer.tabs.what_if.heads.panel import findings, settings
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.checkpoints import checkpoint

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
    app = settings(AppContext(Recordings(shipped), tmp_path, {}))
    assert app["average"] is None and "python -m explorer.catalogue" in app["missing"]


def test_every_rule_has_a_name_and_is_shown(measured):
    table = rules_text()
    assert (
        all(experiments_words.HEAD_NAMES[rule.name] in table for rule in RULES)
        and "30%" in table
        and "3.5 bits" in table
    )
    shown = catalogue(measured, tab_labels()).settings
    assert len(shown["heads"]) == 96 and {*shown["names"]} == {rule.name for rule in RULES}
    assert "{" not in shown["columns"]["links"]["meaning"]
