"""The map's blocks: the paper's figure, with the shapes, parameters and views of the model at hand."""

import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from explorer.tabs.architecture.blocks import Block, Row, TabLink, blocks, shapes_of
from explorer.tabs.architecture.tab import words
from model.decoding import Translator

ENCODER_LAYER = ["encoder.self_attention", "norm", "feed_forward", "norm"]
DECODER_LAYER = ["decoder.self_attention", "norm", "cross_attention", "norm", "feed_forward", "norm"]


def drawn(translator: Translator) -> tuple[list[Row], list[Block]]:
    rows = shapes_of(record_pass(translator, record(translator, "The cat sleeps.", max_steps=4)))
    return rows, blocks(translator.model, rows)


@pytest.fixture(scope="module")
def tiny(tokenizer) -> Translator:
    return tiny_translator(tokenizer)


@each_case("n_layers", [1, 3])
def test_the_blocks_are_those_of_the_papers_figure_for_as_many_layers_as_the_model_has(tokenizer, n_layers):
    _, found = drawn(tiny_translator(tokenizer, n_layers=n_layers))
    encoder = ["encoder.ids", "encoder.embedding", "positions", *(n_layers * ENCODER_LAYER)]
    decoder = ["decoder.ids", "decoder.embedding", "positions", *(n_layers * DECODER_LAYER)]
    assert [block.name for block in found] == [*encoder, *decoder, "projection", "probabilities"]
    assert {block.name for block in found} == words.BLOCKS.keys()


@each_case("options", [{"tying": "none"}, {"positions": "learned"}])
def test_the_blocks_parameters_are_all_parameters_of_the_model(tokenizer, options):
    translator = tiny_translator(tokenizer, **options)
    _, found = drawn(translator)
    assert sum(block.parameters for block in found) == sum(p.numel() for p in translator.model.parameters())
    assert sum(block.share for block in found) == pytest.approx(1)


def test_a_block_is_the_module_at_its_path(tiny):
    for block in drawn(tiny)[1]:
        if block.name not in ("positions", "encoder.ids", "decoder.ids", "probabilities"):
            assert tiny.model.get_submodule(block.path)


def test_a_shared_matrix_is_told_where_it_is_not_counted(tiny):
    found = {block.path: block for block in drawn(tiny)[1]}
    assert found["encoder.embedding.tokens"].tied is None
    assert found["decoder.embedding.tokens"].tied == found["projection"].tied == "encoder.embedding.tokens"


def test_what_a_block_gives_is_what_the_next_one_takes(tiny):
    rows, found = drawn(tiny)
    for block in found:
        assert block.outputs[rows[block.rows[1] - 1].site.tensor] == rows[block.rows[1] - 1].after
    by_path = {block.path: block for block in found}
    memory = by_path["encoder.layers.1.feed_forward_norm"].outputs["stream"]
    assert by_path["decoder.layers.0.cross_attention"].inputs["memory"] == memory
    assert by_path["decoder.layers.1.cross_attention"].inputs.keys() == {"memory", "memory_mask", "stream"}
    assert by_path["decoder.layers.1.self_attention"].inputs.keys() == {"mask", "stream"}
    assert by_path["encoder.layers.0.self_attention_norm"].inputs.keys() == {"stream", "output"}


def test_every_step_but_masks_and_what_the_decoder_receives_belongs_to_one_block(tiny):
    rows, found = drawn(tiny)
    covered = [number for block in found for number in range(*block.rows)]
    assert len(covered) == len(set(covered))
    left = {rows[number].key for number in set(range(len(rows))) - set(covered)}
    assert left == {"encoder.mask", "decoder.mask", "decoder.memory", "decoder.memory_mask"}


def test_blocks_lead_to_the_views_that_explain_them(tiny):
    links = {block.path: block.links for block in drawn(tiny)[1]}
    assert links["decoder.layers.1.cross_attention"] == (TabLink("explore", "cross", 1), TabLink("inside", "cross", 1))
    assert links["encoder.layers.0.self_attention"][0] == TabLink("explore", "encoder", 0)
    assert links["decoder.layers.0.self_attention"][0] == TabLink("explore", "decoder", 0)
    masks = {path: link for path, found in links.items() for link in found if link.tab == "masks"}
    assert masks == {f"decoder.layers.{i}.self_attention": TabLink("masks", "decoder", i) for i in (0, 1)}
    assert links["encoder.layers.1.feed_forward"] == (TabLink("predictions", side="encoder"),)
    assert links["decoder.layers.0.self_attention_norm"] == (TabLink("predictions", side="decoder"),)
    assert links["encoder.embedding.positions"] == (TabLink("positions"),)
    assert links["decoder.embedding.tokens"] == (TabLink("positions"),)
    assert links["projection"] == links["decoder.probabilities"] == (TabLink("predictions"),)
    assert links["encoder.ids"] == ()
