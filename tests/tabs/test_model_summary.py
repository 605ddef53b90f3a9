"""Shapes and parameters below the picture of the whole model: of a real pass, and how a model is built, in words."""

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

from explorer.recording.code_excerpts import mask_excerpts
from explorer.recording.trace import record
from explorer.tabs.whole.summary.architecture import choices, remarks
from explorer.tabs.whole.summary.summary import summary_settings, words
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
        in_target = row["stack"] == "decoder" and row["sublayer"] != "cross_attention" and "memory" not in row["tensor"]
        here |= {"key": here["tgt" if in_target else "src"]}
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


PLACES = """
    const { partsAt, stepsAt } = await import("./explorer/tabs/whole/summary/selection.js");
    const { parsePlace } = await import("./explorer/tabs/whole/place.js");
    const { steps, parameters, sizes, places } = JSON.parse(readFileSync(0, "utf8"));
    const at = (text) => parsePlace(text, sizes);
    console.log(JSON.stringify(places.map((text) => ({
      steps: stepsAt(steps, at(text)).map(({ key }) => key),
      parts: partsAt(parameters, at(text)).map(({ path }) => path),
    }))));
"""


def at_places(translator: Translator, places: list[str]) -> list[dict[str, list[str]]]:
    """The keys of the steps and the paths of the modules that are shown at each place."""
    config = translator.model.config
    layers = {stack: config.layers(stack) for stack in ("encoder", "decoder")}
    sizes = {**vars(config), "layers": layers, "heads": config.n_heads, "src": 4, "tgt": 4}
    steps = shapes_of(translator, record(translator, "The cat sleeps.", max_steps=4))
    parameters = summary_settings(translator)["parameters"]
    return in_node(PLACES, {"steps": steps, "parameters": parameters, "sizes": sizes, "places": places})


def test_every_step_is_shown_at_one_place_outside_the_layers_or_in_one_layer(tokenizer):
    translator = tiny_translator(tokenizer)
    outside = ["encoder.embedding", "memory", "decoder.embedding", "output"]
    layers = [f"{stack}.{number}" for stack in ("encoder", "decoder") for number in (1, 2)]
    shown = [key for place in at_places(translator, [*outside, *layers]) for key in place["steps"]]
    every = shapes_of(translator, record(translator, "The cat sleeps.", max_steps=4))
    assert sorted(shown) == sorted(row["key"] for row in every)
    block, head = at_places(translator, ["decoder.2.cross", "decoder.2.cross.1"])
    assert block == head and block["steps"][-1] == "sublayer.stream" and "attention.weights" in block["steps"]
    assert block["parts"][0] == "decoder.layers.1.cross_attention"
    assert block["parts"][-1].startswith("decoder.layers.1.cross_attention_norm")


@each_case("options", [{"tying": "none"}, {"positions": "learned"}])
def test_the_parameters_of_the_layers_and_what_is_outside_them_are_all_of_the_model(tokenizer, options):
    translator = tiny_translator(tokenizer, **options)
    (whole, memory, output) = at_places(translator, ["", "memory", "output"])
    counts = {part["path"]: part["parameters"] for part in summary_settings(translator)["parameters"]}
    assert sum(counts[path] for path in whole["parts"]) == counts[""]
    assert counts[""] == sum(weight.numel() for weight in translator.model.parameters())
    assert (memory["parts"], output["parts"]) == ([], ["projection"])


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


def test_the_summary_says_what_marian_does_differently(other):
    said = told(other)
    assert "[[encoder]]: 3, in the [[decoder]]: 2;" in said["depths"]
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
            assert getattr(words, option.upper()).keys() == {*get_args(CHOICES[option])}


def test_a_model_without_positions_says_so_at_the_step_and_among_the_choices(tokenizer):
    settings = summary_settings(tiny_translator(tokenizer, positions="none"))
    said = [*settings["steps"]["stack.positions"], *settings["choices"]]
    assert sum(text.count("There are no") for text in said) == 2
