"""The atlas on the page: its files, and what the browser reads in them."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from by_node import in_node, needs_node

from explorer import Atlas
from explorer.atlas.making import SENTENCES_FILE
from explorer.atlas.page_files import atlas_settings, find_atlas, page_atlas
from explorer.experiments.head_measurements import app_fingerprint
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.ui.component import url
from model.checkpoints import checkpoint

SHIPPED = Path(checkpoint.SHIPPED)
READ = """
    import { parseArrays } from "./explorer/atlas/array_file.js";
    import { Corpus } from "./explorer/atlas/corpus.js";
    import { AtlasLayer } from "./explorer/atlas/layer.js";
    import { search } from "./explorer/atlas/search.js";
    import { gunzip } from "./explorer/ui/gzip.js";
    const given = JSON.parse(readFileSync(0));
    const read = async (name) => parseArrays(await gunzip(readFileSync(`${given.folder}/${name}.gz`)));
    const corpus = new Corpus(await read("atlas-sentences"));
    const layers = [];
    for (const place of given.layers) layers.push(new AtlasLayer(await read(`atlas-${place}`), corpus));
    const texts = (ids) => ids.map((id) => corpus.tokens[id]);
"""
NEURONS = """
    console.log(JSON.stringify({
        neurons: layers.map((layer) => Array.from(layer.slot.keys(), (neuron) => layer.neuron(neuron))),
        arrows: layers.map((layer) => given.kinds[layer.stack].map((kind) => (
            Array.from({ length: given.heads }, (_, head) => layer.arrows(kind, head))))),
        sentences: corpus.source.map((row, i) => [texts(row), texts(corpus.fed[i]), texts(corpus.written[i])]),
        texts: corpus.source.map((_, i) => corpus.text(i)),
    }));
"""
SEARCH = "console.log(JSON.stringify(given.words.map((word) => search(word, layers))));"
KINDS = {"encoder": ["encoder"], "decoder": ["decoder", "cross"]}


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return Atlas.load()


def read(script: str, *layers: str, **given: object):
    return in_node(READ + script, {"folder": str(SHIPPED.resolve()), "layers": layers, **given})


def context_of(shipped, folder: Path | None) -> AppContext:
    return AppContext(Recordings(shipped), folder)


@needs_node
def test_the_browser_reads_what_python_reads(atlas, shipped):
    places = [("encoder", 3), ("decoder", 3)]
    found = read(NEURONS, "encoder-3", "decoder-3", kinds=KINDS, heads=8)
    for (stack, layer), neurons in zip(places, found["neurons"], strict=True):
        assert len(neurons) == 3072
        for index, one in enumerate(neurons):
            expected = atlas.neuron(stack, layer, index)
            assert one["count"] == expected.count
            if not expected.count:
                assert (one["contexts"], one["name"]) == ([], None)
                continue
            assert one["histogram"] == expected.histogram.tolist()
            numbers = [one["share"], one["largest"], one["mean"]]
            np.testing.assert_allclose(numbers, [expected.density, expected.largest, expected.mean], rtol=1e-6)
            contexts = [(context["range"], context["sentence"], context["position"]) for context in one["contexts"]]
            assert contexts == [context[:3] for context in expected.contexts]
            values = [[each["value"] for each in one["contexts"]], [each.value for each in expected.contexts]]
            np.testing.assert_allclose(*values, rtol=1e-6)
            assert (one["name"] is None) == (expected.name is None)
            if expected.name:
                name = expected.name._asdict() | {"tokens": [text.replace("▁", "·") for text in expected.name.tokens]}
                assert one["name"] | {"tokens": [token["text"] for token in one["name"]["tokens"]]} == name
    for (stack, layer), of_kinds in zip(places, found["arrows"], strict=True):
        for kind, heads in zip(KINDS[stack], of_kinds, strict=True):
            for head, arrows in enumerate(heads):
                expected = [[*arrow[:4]] for arrow in atlas.head(kind, layer, head).arrows]
                assert [
                    [arrow[name] for name in ("sentence", "query", "key", "weight")] for arrow in arrows
                ] == expected
    sides = zip(atlas.corpus.src, atlas.corpus.tgt_in, atlas.corpus.tgt_out, strict=True)
    assert found["sentences"] == [[[*atlas.texts(ids)] for ids in rows] for rows in sides]
    for text, ids in list(zip(found["texts"], atlas.corpus.src, strict=True))[::50]:
        assert shipped.source_ids(text) == atlas.token_ids[ids].tolist()


@needs_node
def test_the_browser_finds_what_python_finds(atlas):
    words = ("because", "Sie", " NOT ", "reading", ",", "Donaudampfschiff", "")
    found = read(SEARCH, *(f"{stack}-{layer}" for stack, layer in atlas.layers), words=words)
    for word, result in zip(words, found, strict=True):
        for side, hits in atlas.search(word)._asdict().items():
            expected = [[hit.kind, hit.layer, hit.number, hit.relation] for hit in hits]
            assert [[hit[name] for name in ("kind", "layer", "number", "relation")] for hit in result[side]] == expected
            np.testing.assert_allclose([hit["share"] for hit in result[side]], [hit.share for hit in hits])
    assert len(found[0]["neurons"]) == 20 and found[1]["heads"]


def test_a_page_has_the_atlas_of_its_own_weights_alone(shipped, tmp_path):
    app = context_of(shipped, SHIPPED)
    settings = atlas_settings(app)
    assert settings["files"]["sentences"] == url(SHIPPED / SENTENCES_FILE)
    assert [len(settings["files"][stack]) for stack in ("encoder", "decoder")] == [4, 4]
    assert all(path.exists() for path in page_atlas(app).paths) and len(page_atlas(app).paths) == 9
    assert atlas_settings(context_of(shipped, None))["files"] is None
    missing = atlas_settings(context_of(shipped, tmp_path))
    assert missing["files"] is None and f"--model {tmp_path}" in missing["command"] and not missing["fault"]
    damaged = tmp_path / SENTENCES_FILE
    damaged.write_bytes((SHIPPED / SENTENCES_FILE).read_bytes()[:-99])
    assert SENTENCES_FILE in find_atlas(context_of(shipped, tmp_path)).fault
    shutil.copyfile(SHIPPED / SENTENCES_FILE, damaged)
    other = context_of(shipped, tmp_path)
    other.shared_values[app_fingerprint] = "of other weights"
    assert find_atlas(other) == find_atlas(context_of(shipped, None))
