"""Makes the atlas of a checkpoint: chooses sentences, records the model on them, and writes the files."""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from explorer.atlas.contexts import find_contexts, measure_activity, sort_firings
from explorer.atlas.corpus import Corpus, choose_sources
from explorer.atlas.heads import choose_arrows
from explorer.atlas.layer_file import encode_layer, kinds_of
from explorer.atlas.names import find_names, name_arrays, token_groups
from explorer.atlas.recording import STACKS, Recording, record
from explorer.atlas.sentence_file import VERSION, encode_sentences
from explorer.experiments.head_measurements import fingerprint
from model.checkpoints.checkpoint import ATLAS
from model.decoding import Translator
from model.files import write_atomically, write_together
from model.probe import Stack

SENTENCES_FILE = ATLAS.replace("*", "sentences")
WORK, KEY = "atlas-work", "key"  # the folder of unfinished work, and the file that says what it is for


class Settings(NamedTuple):
    """What an atlas is made of, besides the model and the sentences."""

    sentences: int = 4000  # at most
    seed: int = 1
    credit: str = ""  # whose sentences they are, and under which licence


Progress = Callable[[str, int], Callable[[int], object]]  # title and total of a part; gives what counts its steps


def layer_file(stack: Stack, layer: int) -> str:
    """The name of a layer's file, whose number counts from 0."""
    return ATLAS.replace("*", f"{stack}-{layer}")


def make_atlas(
    translator: Translator, texts: Iterable[str], out: Path, settings: Settings, progress: Progress
) -> list[Path]:
    """Writes the atlas of a model into a folder, and returns the paths of its files.

    `texts` are source sentences. Work that was interrupted goes on where it stopped: what was recorded is kept in the
    folder WORK until the atlas is complete, about 150 kB for a sentence of the shipped model. Raises UserError if no
    sentence fits, SaveError if the files cannot be written.
    """
    sources = choose_sources(translator, texts, settings.sentences, settings.seed)
    header = {"model": fingerprint(translator), "seed": settings.seed, "credit": settings.credit}
    work = prepare_work(out / WORK, repr((VERSION, header["model"], settings.seed, translator.threads, sources)))
    step = progress("sentences", len(sources))
    for count in record(translator, sources, work):
        step(count)
    recording = Recording(work, len(sources))
    corpus = Corpus(sources, recording.written(), translator.tokenizer.bos_id)
    config = translator.model.config
    layers: list[tuple[Stack, int]] = [(stack, layer) for stack in STACKS for layer in range(config.layers(stack))]

    def files() -> Iterator[tuple[str, bytes]]:
        step, groups = progress("layers", len(layers)), token_groups(translator)
        for stack, layer in layers:
            place = {"model": header["model"], "stack": stack, "layer": layer}
            data = describe_layer(recording, corpus, place, groups, config.d_ff, settings.seed)
            yield layer_file(stack, layer), data
            step(1)
        yield SENTENCES_FILE, encode_sentences(translator, corpus, header)

    written = write_together(out, files())
    for stale in {*out.glob(ATLAS)} - {*written}:
        stale.unlink()  # of an earlier model with more layers
    shutil.rmtree(work)
    return written


def prepare_work(folder: Path, content: str) -> Path:
    """The folder of unfinished work, emptied if it belongs to other sentences or another model."""
    key = hashlib.sha256(content.encode()).hexdigest()
    if not (folder / KEY).exists() or (folder / KEY).read_text(encoding="utf-8") != key:
        shutil.rmtree(folder, ignore_errors=True)
        write_atomically(folder / KEY, key.encode())
    return folder


def describe_layer(
    recording: Recording, corpus: Corpus, place: dict[str, Any], groups: Any, d_ff: int, seed: int
) -> bytes:
    """The file of the layer at a place {"model", "stack", "layer"}."""
    stack, layer = place["stack"], place["layer"]
    positions = corpus.positions(stack)
    firings = sort_firings(recording.firings(stack, layer, corpus), d_ff)
    return encode_layer(
        place,
        measure_activity(firings, d_ff),
        find_contexts(firings, positions, d_ff, seed),
        name_arrays(find_names(firings, positions, stack, groups)),
        positions,
        {kind: choose_arrows(recording.arrows(kind, layer)) for kind in kinds_of(stack)},
    )
