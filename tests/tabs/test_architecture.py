"""The Architecture tab: shapes and blocks of a real pass, and how a model is built, in words."""

from dataclasses import dataclass, replace
from typing import get_args

import pytest
from by_node import derive_all, in_node, needs_node
from cases import each_case
from marian import TAGS, write_tokenizer
from reference import SRC, TGT_IN, tiny_model
from shapes import shapes_of, steps_of
from tiny_models import marian, tiny_translator
from torch import Tensor

from explorer.recording.app_context import AppContext
from explorer.recording.code_excerpts import mask_excerpts
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.tabs.architecture.built import choices, remarks
from explorer.tabs.architecture.built import words as built_words
from explorer.tabs.architecture.tab import architecture_tab, words
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.config import Activation, Positions, Start, Tying
from model.decoding import Translator, distribution
from model.opus.tokenizer import TwoModels
from model.probe import Probe, Site

pytestmark = needs_node
# Every size another number, so that no name of an axis fits another axis by accident.
ODD = {"n_heads": 3, "d_model": 20, "d_head": 7, "d_value": 5, "d_ff": 30, "n_layers": 2}
SENTENCE = "The cat sleeps on the old chair."


@pytest.fixture(scope="module")
def odd(tokenizer) -> Translator:
    return tiny_translator(tokenizer, **ODD)


@pytest.fixture(scope="module")
def odd_rows(odd):
    trace = record(odd, SENTENCE, min_steps=4, max_steps=4)
    return trace, steps_of(odd, trace)


@pytest.fixture(scope="module")
def known_steps() -> dict[str, dict]:
    return in_node('import { STEPS } from "./explorer/derived/shapes.js"; console.log(JSON.stringify(STEPS));')


def test_every_site_of_a_pass_has_words_and_no_words_are_without_a_site(odd_rows, known_steps):
    visited = {row["key"] for row in odd_rows[1]}
    assert visited == known_steps.keys() == words.SHAPE_STEPS.keys()


def test_every_axis_is_as_long_as_its_name_says(odd, odd_rows):
    trace, rows = odd_rows
    sizes = {**ODD, "1": 1, "batch": 1, "head": 3, "head·d_head": 3 * 7, "head·d_value": 3 * 5}
    sizes |= {"src": len(trace.source), "tgt": 4, "vocab": odd.tokenizer.vocab_size}
    assert len({sizes[name] for name in ("head", "src", "tgt", "d_head", "d_value", "d_model", "d_ff", "vocab")}) == 8
    for row in rows:
        here = sizes | {"query": sizes["src" if row["stack"] == "encoder" else "tgt"]}
        own = row["stack"] == "decoder" and row["sublayer"] != "cross_attention" and "memory" not in row["tensor"]
        here |= {"key": here["tgt" if own else "src"]}
        assert row["after"]["sizes"] == [here[axis] for axis in row["after"]["axes"]], row


@dataclass
class Dataflow:
    """Which named tensors each tensor of a pass was computed from, read from autograd's graph."""

    found: list[tuple[Site, set[str]]]
    names: dict[object, str]

    def visit(self, site: Site, tensor: Tensor) -> None:
        if tensor.grad_fn is not None:
            known = self.names.get(tensor.grad_fn)
            self.found.append((site, {known} if known else self.sources(tensor.grad_fn)))
            self.names[tensor.grad_fn] = site.tensor

    def sources(self, node) -> set[str]:
        before = [earlier for earlier, _ in node.next_functions if earlier is not None]
        return set().union(*({self.names[one]} if one in self.names else self.sources(one) for one in before))


def test_every_step_takes_the_tensors_that_it_is_computed_from(known_steps):
    model, flow = tiny_model(positions="learned"), Dataflow([], {})
    probe = Probe(flow.visit)
    distribution(model(SRC, TGT_IN, probe).logits, probe)
    no_floats = {"ids", "mask", "memory_mask"}
    assert len(flow.found) == 2 * (18 + 2 + 5) + 2 * (2 * 20 + 5) + 2 * 4 + 3
    keys = derive_all("shapes", "stepKey", [[site._asdict()] for site, _ in flow.found])
    for (site, sources), key in zip(flow.found, keys, strict=True):
        assert sources == set(known_steps[key]["takes"]) - no_floats, site


ENCODER_LAYER = ["encoder.self_attention", "norm", "feed_forward", "norm"]
DECODER_LAYER = ["decoder.self_attention", "norm", "cross_attention", "norm", "feed_forward", "norm"]


def drawn(translator: Translator) -> tuple[list[dict], list[dict]]:
    found = shapes_of(translator, record(translator, "The cat sleeps.", max_steps=4))
    return found["rows"], found["blocks"]


@each_case("n_layers", [1, 3])
def test_the_blocks_are_those_of_the_papers_figure_for_as_many_layers_as_the_model_has(tokenizer, n_layers):
    _, found = drawn(tiny_translator(tokenizer, n_layers=n_layers))
    encoder = ["encoder.ids", "encoder.embedding", "positions", *(n_layers * ENCODER_LAYER)]
    decoder = ["decoder.ids", "decoder.embedding", "positions", *(n_layers * DECODER_LAYER)]
    assert [block["name"] for block in found] == [*encoder, *decoder, "projection", "probabilities"]
    assert {block["name"] for block in found} == words.BLOCKS.keys()


@each_case("options", [{"tying": "none"}, {"positions": "learned"}])
def test_the_blocks_parameters_are_all_parameters_of_the_model(tokenizer, options):
    translator = tiny_translator(tokenizer, **options)
    _, found = drawn(translator)
    assert sum(block["parameters"] for block in found) == sum(p.numel() for p in translator.model.parameters())
    assert sum(block["share"] for block in found) == pytest.approx(1)


def test_every_step_but_masks_and_what_the_decoder_receives_belongs_to_one_block(tokenizer):
    rows, found = drawn(tiny_translator(tokenizer))
    covered = [number for block in found for number in range(*block["rows"])]
    assert len(covered) == len(set(covered))
    left = {rows[number]["key"] for number in set(range(len(rows))) - set(covered)}
    assert left == {"encoder.mask", "decoder.mask", "decoder.memory", "decoder.memory_mask"}


CHOICES = {"activation": Activation, "positions": Positions, "start": Start, "tying": Tying}


@pytest.fixture(scope="module")
def other(tokenizer) -> Translator:
    return marian(tokenizer)


def test_the_start_is_the_padding_piece_and_special(other):
    trace = record(other, SENTENCE, max_steps=4)
    start = trace.target[0]
    assert (start.id, start.text, start.special) == (other.tokenizer.pad_id, "<pad>", True)
    assert trace.decoder.special[1] == [0] and trace.decoder.weights[:, :, :, 0].min() > 0


def test_the_line_that_keeps_the_start_visible_is_shown_where_it_runs():
    with_it = [found.text for found in mask_excerpts("decoder", "pad")]
    assert "mask[..., 0] = True" in with_it[-1] and len(with_it) == 1 + len(mask_excerpts("decoder"))
    assert mask_excerpts("encoder", "pad") == mask_excerpts("encoder")


def told(translator: Translator) -> dict[str, str]:
    return {choice.name: choice.sentence for choice in choices(translator)}


def test_architecture_says_what_marian_does_differently(other):
    said = told(other)
    assert "3 [[layer|layers]] in the [[encoder]], 2 in the" in said["depths"]
    assert "x · σ(x)" in said["activation"] and "first all sines" in said["positions"]
    assert "padding token" in said["start"] and "bias" in said["bias"] and "One SentencePiece" in said["pieces"]
    assert "tags" not in said
    assert said["activation"] in remarks(other)["feed_forward.hidden"]


def test_two_models_of_pieces_and_tags_are_told(other, corpus, tmp_path):
    write_tokenizer(tmp_path, corpus, TAGS)
    said = told(replace(other, tokenizer=TwoModels.load(tmp_path)))
    assert "Each language has a SentencePiece model of its own" in said["pieces"]
    assert "such as >>fra<<" in said["tags"] and "has 2." in said["tags"]
    write_tokenizer(tmp_path, corpus, TAGS[:1])
    said = told(replace(other, tokenizer=TwoModels.load(tmp_path)))
    assert "has a tag, >>fra<<" in said["tags"] and "more than one" not in said["tags"]


@each_case("language", LANGUAGES)
def test_every_option_has_a_sentence_in_every_language(language):
    with use_language(LanguageContext(language)):
        for option in ("activation", "positions", "start"):
            assert getattr(built_words, option.upper()).keys() == {*get_args(CHOICES[option])}


@each_case(("positions", "absent"), [("sinusoidal", []), ("none", ["positions"])])
def test_the_block_of_positions_that_are_not_there_is_drawn_as_absent(tokenizer, positions, absent):
    app = AppContext(Recordings(tiny_translator(tokenizer, positions=positions)), None)
    (architecture,) = architecture_tab(app)
    settings = architecture.settings
    assert settings["absent"] == absent
    assert (settings["blocks"]["positions"][0] == "No Positional Encoding") == bool(absent)
    said = [*settings["blocks"]["positions"], *settings["steps"]["stack.positions"]]
    assert [text.count("There are no") for text in said] == [0, 0, 0, len(absent)]  # once a panel
