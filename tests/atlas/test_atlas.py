"""The atlas: every number and context is that of a slow computation; the same seed gives the same bytes."""

import re
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path
from statistics import median

import numpy as np
import pytest
import torch
from cases import each_case
from slow_atlas import Recorded, check, record
from tiny_models import marian, tiny_translator

from explorer import Atlas, directions
from explorer.atlas import array_file, recording
from explorer.atlas.__main__ import main
from explorer.atlas.corpus import choose_sources
from explorer.atlas.making import SENTENCES_FILE, WORK, Settings, layer_file, make_atlas
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import ATLAS, SHIPPED, is_checkpoint_file
from model.decoding import Translator
from model.errors import UserError

BEGINNINGS = ("The cat", "The dog", "A small bird", "My brother", "The children", "She", "We")
ENDS = ("sleeps under the table.", "reads an old book.", "sings in the garden.", "plays.", "is cold in summer.")
SENTENCES = [f"{one} {other}" for one, other in product(BEGINNINGS, ENDS)]
SETTINGS = Settings(sentences=30, credit="written for this test")


def silent(title: str, total: int) -> Callable[[int], None]:
    return lambda count: None


@pytest.fixture(scope="module")
def tiny(tokenizer) -> Translator:
    return tiny_translator(tokenizer, d_ff=24)


@pytest.fixture(scope="module")
def made(tiny, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    make_atlas(tiny, SENTENCES, folder, SETTINGS, silent)
    return folder


@pytest.fixture(scope="module")
def recorded(tiny) -> Recorded:
    return record(tiny, choose_sources(tiny, SENTENCES, 30, SETTINGS.seed))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_number_and_every_context_is_right(tiny, made, recorded):
    compared = check(Atlas.load(tiny, made), recorded)
    assert compared["sentences"] == 30 and compared["neurons"] == 4 * 24
    assert compared["contexts"] > 1000 and compared["arrows"] == 20 * compared["heads"] > 0


def test_a_model_built_like_marian_with_uneven_stacks_has_an_atlas_too(tokenizer, tmp_path):
    """Its numbers are mostly above or below 0, never 0, and decoding starts from padding."""
    translator = marian(tokenizer)
    make_atlas(translator, SENTENCES[:8], tmp_path, SETTINGS, silent)
    sources = choose_sources(translator, SENTENCES[:8], 8, SETTINGS.seed)
    compared = check(Atlas.load(translator, tmp_path), record(translator, sources))
    assert compared["neurons"] == 5 * translator.model.config.d_ff and compared["heads"] == 4 * (3 + 2 * 2)


def test_a_name_is_checked_on_the_other_half(tiny, recorded, tmp_path, monkeypatch):
    monkeypatch.setattr("explorer.atlas.names.MIN_FIRINGS", 2)
    make_atlas(tiny, SENTENCES, tmp_path, SETTINGS, silent)
    assert check(Atlas.load(tiny, tmp_path), recorded)["names"] > 10


def test_translating_together_gives_what_each_sentence_gives_alone(tiny):
    sources = choose_sources(tiny, SENTENCES, 30, 1)
    alone = [[step.id for step in tiny.steps(tiny.encode(src))] for src in sources]
    assert recording.translate(tiny, sources) == alone and {ids[-1] for ids in alone} != {tiny.tokenizer.eos_id}


def test_the_same_seed_gives_the_same_bytes(tiny, made, tmp_path):
    make_atlas(tiny, SENTENCES, tmp_path / "same", SETTINGS, silent)
    make_atlas(tiny, SENTENCES, tmp_path / "other", SETTINGS._replace(seed=2), silent)
    assert contents(tmp_path / "same") == contents(made)
    assert all(data != contents(made)[name] for name, data in contents(tmp_path / "other").items())


def test_what_was_interrupted_goes_on_and_gives_the_same_bytes(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(recording, "CHUNK", 8)
    make_atlas(tiny, SENTENCES, tmp_path / "whole", SETTINGS, silent)

    def interrupt(title, total):
        done = []

        def step(count):
            done.append(count)
            if len(done) == 2:
                raise KeyboardInterrupt

        return step

    with pytest.raises(KeyboardInterrupt):
        make_atlas(tiny, SENTENCES, tmp_path / "halves", SETTINGS, interrupt)
    assert {*contents(tmp_path / "halves" / WORK)} == {"key", "000000.npz", "000008.npz"}
    recorded = []
    record_chunk = recording.record_chunk
    monkeypatch.setattr(recording, "record_chunk", lambda *of: recorded.append(of) or record_chunk(*of))
    make_atlas(tiny, SENTENCES, tmp_path / "halves", SETTINGS, silent)
    assert len(recorded) == 2 and contents(tmp_path / "halves") == contents(tmp_path / "whole")


def test_the_work_for_other_sentences_is_not_taken_up(tiny, made, tmp_path):
    (tmp_path / WORK).mkdir()
    (tmp_path / WORK / "000000.npz").write_bytes(b"of another atlas")
    make_atlas(tiny, SENTENCES, tmp_path, SETTINGS, silent)
    assert contents(tmp_path) == contents(made)


def test_layers_of_a_deeper_model_vanish(tiny, made, tmp_path):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    (tmp_path / layer_file("encoder", 7)).write_bytes(b"")
    make_atlas(tiny, SENTENCES, tmp_path, SETTINGS, silent)
    assert contents(tmp_path) == contents(made)


def test_every_file_belongs_to_a_checkpoint(made):
    assert len(contents(made)) == 5 and all(map(is_checkpoint_file, contents(made)))


def test_sentences_that_do_not_fit_are_refused(tiny, tmp_path):
    with pytest.raises(UserError, match="no sentence of the pairs has 4 to 24 tokens"):
        make_atlas(tiny, ["", "€€€€€€", "the " * 30], tmp_path, SETTINGS, silent)
    assert not contents(tmp_path)


@pytest.fixture
def pairs(tmp_path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{sentence}\tx\n" for sentence in SENTENCES), encoding="utf-8")
    return path


def test_the_command_writes_beside_the_checkpoint(tiny, made, pairs, tmp_path, capsys):
    checkpoint.save(tiny, tmp_path / "saved")
    arguments = ["--model", str(tmp_path / "saved"), "--pairs", str(pairs), "--sentences", "30"]
    main([*arguments, "--credit", SETTINGS.credit])
    assert "5 files" in capsys.readouterr().out
    atlas = Atlas.load(tmp_path / "saved")
    assert atlas.credit == SETTINGS.credit and len(atlas.corpus) == 30 and len(atlas.layers) == 4


def test_the_command_says_what_is_missing(pairs, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.tsv").write_text("")
    for arguments, sentence in (
        (["--model", str(tmp_path / "empty"), "--pairs", str(pairs)], "cannot be read"),
        (["--model", str(tmp_path / "none"), "--pairs", str(pairs)], "There is no checkpoint folder"),
        (["--pairs", str(tmp_path / "empty.tsv")], "has no pairs"),
        (["--pairs", str(tmp_path / "none.tsv")], "No such file"),
    ):
        with pytest.raises(SystemExit, match=sentence):
            main(arguments)
    assert not contents(tmp_path / "empty")


def test_the_command_says_that_the_same_command_goes_on(tiny, pairs, tmp_path, monkeypatch, capsys):
    checkpoint.save(tiny, tmp_path / "saved")

    def interrupt(*of):
        raise KeyboardInterrupt

    monkeypatch.setattr(recording, "record_chunk", interrupt)
    with pytest.raises(SystemExit) as ended:
        main(["--model", str(tmp_path / "saved"), "--pairs", str(pairs)])
    assert ended.value.code == 130 and "the same command goes on" in capsys.readouterr().err


def test_a_checkpoint_without_an_atlas_names_the_command(tiny, tmp_path):
    with pytest.raises(UserError, match=f"python -m explorer.atlas --model {tmp_path} --pairs FILE"):
        Atlas.load(tmp_path)
    with pytest.raises(UserError, match="is of another checkpoint"):
        Atlas.load(tiny_translator(tiny.tokenizer, d_ff=16), making_of(tiny, tmp_path))


def making_of(translator: Translator, folder: Path) -> Path:
    make_atlas(translator, SENTENCES, folder, SETTINGS, silent)
    return folder


@each_case("damage", [b"", b"no gzip", "half", "swapped"])
def test_a_damaged_file_is_refused(made, tmp_path, damage):
    shutil.copytree(made, tmp_path / "copy")
    for name in (layer_file("encoder", 0), SENTENCES_FILE):
        data = contents(made)[name]
        other = contents(made)[SENTENCES_FILE if name == layer_file("encoder", 0) else layer_file("encoder", 0)]
        damaged = {"half": data[: len(data) // 2], "swapped": other}.get(str(damage), damage)
        (tmp_path / "copy" / name).write_bytes(damaged)
        with pytest.raises(UserError, match=r"is damaged|is of another"):
            Atlas.load(tmp_path / "copy").neuron("encoder", 0, 1)


def test_indices_without_a_neuron_or_a_head_are_refused(made):
    atlas = Atlas.load(made)
    for place in (("memory", 0, 0), ("encoder", 2, 0), ("decoder", -1, 0), ("decoder", 0, 24)):
        with pytest.raises(UserError, match="must be"):
            atlas.neuron(*place)
    for place in (("memory", 0, 0), ("cross", 2, 0), ("cross", 0, 4)):
        with pytest.raises(UserError, match="must be"):
            atlas.head(*place)


@each_case("name", array_file.TYPES)
def test_arrays_come_back_as_they_were(name):
    numbers = np.random.default_rng(0).integers(0, 256, (3, 5, 8), np.uint8).reshape(3, -1)
    array = numbers.view(name) if name != "float32" else numbers.astype(np.float32) / 7
    data = array_file.pack({"layer": 3}, {"one": array, "none": np.zeros((0, 3), name), "two": array.T.copy()})
    header, arrays = array_file.unpack("file", data)
    assert header == {"layer": 3} and arrays["none"].shape == (0, 3)
    assert np.array_equal(arrays["one"], array) and np.array_equal(arrays["two"], array.T)


def test_directions_are_the_tokens_along_a_row_and_a_column(tiny):
    found = directions(tiny, "decoder", 1, 5, count=3)
    feed_forward, table = tiny.model.decoder.layers[1].feed_forward, tiny.model.projection.weight.detach().numpy()
    for best, worst, vector in (
        (found.reads, found.reads_against, feed_forward.w_1.weight[5]),
        (found.writes, found.writes_against, feed_forward.w_2.weight[:, 5]),
    ):
        one = vector.detach().numpy()
        cosines = [float(row @ one / np.sqrt((row @ row) * (one @ one))) for row in table]
        order = sorted(range(len(table)), key=cosines.__getitem__)
        assert [each.id for each in (*best, *worst)] == [*order[:-4:-1], *order[:3]]
        assert np.allclose([each.cosine for each in (*best, *worst)], [cosines[each.id] for each in (*best, *worst)])
        assert tiny.tokenizer.pieces([best[0].id]) == [best[0].token]
    with pytest.raises(UserError, match="must be"):
        directions(tiny, "decoder", 1, 24)


# The atlas of the shipped checkpoint.
LARGEST_FILE, LARGEST = 150_000, 1_200_000  # bytes


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return Atlas.load()


def test_the_shipped_atlas_is_of_the_shipped_checkpoint_and_small(shipped, atlas):
    assert Atlas.load(shipped).model == atlas.model
    sizes = {path.stem: path.stat().st_size for path in Path(SHIPPED).glob(ATLAS)}
    layers = [size for name, size in sizes.items() if name != "atlas-sentences"]
    assert len(layers) == 8 and max(layers) <= LARGEST_FILE and sum(sizes.values()) <= LARGEST
    assert "written-pairs.tsv" in atlas.credit


def test_a_search_finds_what_fires_on_a_token_and_what_writes_it(atlas):
    for text, key in (("because", "because"), ("Sie", "sie")):
        result = atlas.search(text, most=10)
        assert 0 < len(result.neurons) <= 10
        named = [hit for hit in result.neurons if hit.name]
        assert named == result.neurons[: len(named)] and all(
            key in [token.strip("▁").lower() for token in hit.name.tokens] for hit in named
        )
    assert {hit.relation for hit in atlas.search("Sie", most=100).neurons} >= {"on", "writes"}
    assert atlas.search("Donaudampfschiff") == ([], [])


def test_sentences_that_end_leave_the_batch(shipped, atlas):
    sources = [atlas.token_ids[ids].tolist() for ids in atlas.corpus.src[:4]]
    written = [atlas.token_ids[ids].tolist() for ids in atlas.corpus.tgt_out[:4]]
    assert recording.translate(shipped, sources) == written and len({*map(len, written)}) > 1
    assert [step.id for step in shipped.steps(shipped.encode(sources[0]))] == written[0]


def test_contexts_of_the_shipped_atlas_are_what_the_model_computes(shipped, atlas):
    """Four neurons, each context in a pass of its own, with a hook."""
    layers = {"encoder": shipped.model.encoder.layers, "decoder": shipped.model.decoder.layers}
    for stack, layer, index in (("encoder", 0, 837), ("encoder", 3, 678), ("decoder", 1, 957), ("decoder", 3, 541)):
        neuron = atlas.neuron(stack, layer, index)
        assert len(neuron.contexts) >= 12
        for context in neuron.contexts:
            kept: list[torch.Tensor] = []
            hook = layers[stack][layer].feed_forward.w_1.register_forward_hook(
                lambda *of, kept=kept: kept.append(of[2])
            )
            sides = (atlas.corpus.src[context.sentence], atlas.corpus.tgt_in[context.sentence])
            src, fed = (atlas.token_ids[side].tolist() for side in sides)
            shipped.decode(fed, shipped.encode(src))
            hook.remove()
            value = kept[0][0, context.position, index].item()
            strength = value / neuron.largest
            assert abs(strength - context.value / neuron.largest) <= max(0.0251, 0.0501 - strength)


@pytest.mark.thorough
def test_every_neuron_of_the_shipped_model_on_200_sentences(shipped, atlas, tmp_path):
    texts = [shipped.tokenizer.decode(atlas.token_ids[ids].tolist()) for ids in atlas.corpus.src[:200]]
    make_atlas(shipped, texts, tmp_path, SETTINGS._replace(sentences=200), silent)
    sources = choose_sources(shipped, texts, 200, SETTINGS.seed)
    compared = check(Atlas.load(shipped, tmp_path), record(shipped, sources))
    print(dict(compared))
    assert compared["neurons"] == 24_576 and compared["heads"] == 96


DOCS = Path(__file__).parents[2] / "docs" / "atlas.md"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def layer_row(atlas: Atlas, stack: str, layer: int) -> str:
    """The row of a layer in the table of docs/atlas.md."""
    fired, names = atlas.layer(stack, layer).fired, list(atlas.names(stack, layer).values())
    fire, holds = int((fired > 0).sum()), sum(name.standing == "holds" for name in names)
    often = 100 * median(fired[fired > 0].tolist()) / len(atlas.corpus.positions(stack))
    counts = (fire, len(fired) - fire, f"{often:.1f} %", holds, len(names) - holds, fire - len(names))
    figures = (percent(median(name.precision for name in names)), percent(median(name.recall for name in names)))
    cells = [f"{cell:,}" if isinstance(cell, int) else cell for cell in (*counts, *figures)]
    return f"| {stack} {layer + 1} | {' | '.join(cells)} |"


def neuron_row(atlas: Atlas, stack: str, layer: int, index: int) -> str:
    """The row of a neuron in the table of ten."""
    neuron = atlas.neuron(stack, layer, index)
    if not neuron.name:
        name = f"{neuron.standing} | | | "
    else:
        relation = neuron.name.relation if neuron.name.relation == "writes" else f"fires {neuron.name.relation}"
        tokens = ", ".join(f"*{token.strip('▁')}*" for token in neuron.name.tokens)
        checked, shares = neuron.name.checked, (neuron.name.precision, neuron.name.recall)
        name = f"{neuron.standing}: {relation} {tokens} | {checked} | {' | '.join(map(percent, shares))} "
    return f"| {stack} {layer + 1}, {index} | {neuron.count:,} | {name}|"


def test_the_tables_in_the_docs_are_those_of_the_shipped_atlas(atlas):
    text = DOCS.read_text(encoding="utf-8")
    assert all(layer_row(atlas, *place) in text for place in atlas.layers)
    rows = re.findall(r"^\| (\w+) (\d), (\d+) \|.*$", text, re.M)
    assert len(rows) == 10
    assert all(neuron_row(atlas, stack, int(layer) - 1, int(index)) in text for stack, layer, index in rows)
