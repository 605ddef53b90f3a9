"""Reads the atlas of a checkpoint: neurons, heads, and the search for a token.

    from explorer import Atlas
    atlas = Atlas.load()                        # that of the shipped checkpoint
    atlas.neuron("decoder", 3, 541).contexts
    atlas.search("Sie")

All indices count from 0. A layer's file is read when it is first asked for.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from explorer.atlas import array_file
from explorer.atlas.contexts import SLOT_RANGES
from explorer.atlas.corpus import token_key
from explorer.atlas.heads import FRACTION
from explorer.atlas.layer_file import Layer, decode_layer
from explorer.atlas.making import SENTENCES_FILE, layer_file
from explorer.atlas.names import RELATIONS, standing_of
from explorer.atlas.records import Arrow, Context, Head, Name, Neuron
from explorer.atlas.search import DescribedLayer, SearchResult, search
from explorer.atlas.sentence_file import decode_sentences
from explorer.experiments.head_measurements import fingerprint
from explorer.recording.directions import parse_stack, require_index
from explorer.recording.trace import parse_kind
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.errors import UserError
from model.probe import ATTENTION, Kind, Stack

COMMAND = "python -m explorer.atlas --model {folder} --pairs FILE"


class Atlas:
    """The atlas in a folder."""

    def __init__(self, folder: Path):
        """Raises UserError, with the command that makes one, if the folder has no atlas."""
        path = folder / SENTENCES_FILE
        if not path.exists():
            raise UserError(f"{folder} has no atlas. {COMMAND.format(folder=folder)} makes one.")
        self.folder = folder
        file = array_file.read(path)
        try:
            self.corpus = decode_sentences(file)
            self.tokens: list[str] = file.header["tokens"]
            self.token_ids = file.arrays["token_id"].astype(np.int64)
            self.model: str = file.header["model"]  # the fingerprint of the checkpoint
            self.credit: str = file.header["credit"]
        except (KeyError, TypeError) as error:
            raise UserError(f"{path.name} is damaged, or no file of an atlas") from error
        self._layers: dict[tuple[Stack, int], DescribedLayer] = {}

    @classmethod
    def load(cls, of: Translator | str | Path = checkpoint.SHIPPED, folder: str | Path | None = None) -> "Atlas":
        """The atlas of a checkpoint by name or folder, or of a translator.

        A translator's atlas is looked for in `folder`, without it beside the shipped checkpoint, and has to be of the
        same weights. Raises UserError, with the command that makes one, if there is none; CheckpointError if there is
        no such checkpoint.
        """
        if not isinstance(of, Translator):
            return cls(checkpoint.locate(str(of)))
        place = Path(folder or checkpoint.SHIPPED)
        atlas = cls(place)
        if atlas.model != fingerprint(of):
            makes = COMMAND.format(folder=folder or "FOLDER")
            raise UserError(f"the atlas in {place} is of another checkpoint. {makes} makes one of this.")
        return atlas

    @cached_property
    def layers(self) -> list[tuple[Stack, int]]:
        """The stack and the number of every layer."""
        stacks: tuple[Stack, ...] = ("encoder", "decoder")
        found = []
        for stack in stacks:
            count = 0
            while (self.folder / layer_file(stack, count)).exists():
                found.append((stack, count))
                count += 1
        return found

    def described(self, stack: Stack, layer: int) -> DescribedLayer:
        """A layer and its names. Raises UserError if its file is missing, damaged or of another checkpoint."""
        if (stack, layer) not in self._layers:
            name = layer_file(stack, layer)
            file = array_file.read(self.folder / name)
            try:
                if file.header["model"] != self.model:
                    raise UserError(f"{name} is of another checkpoint than {SENTENCES_FILE}")
                content = decode_layer(file, self.corpus.positions(stack))
                self._layers[stack, layer] = DescribedLayer(stack, layer, content, self.read_names(content))
            except (KeyError, IndexError, TypeError) as error:
                raise UserError(f"{name} is damaged, or no file of an atlas") from error
        return self._layers[stack, layer]

    def layer(self, stack: Stack, layer: int) -> Layer:
        """The arrays of a layer. Raises UserError as `described` does."""
        return self.described(stack, layer).content

    def names(self, stack: Stack, layer: int) -> dict[int, Name]:
        """The names of a layer by neuron. Raises UserError as `described` does."""
        return self.described(stack, layer).names

    def texts(self, ids: Sequence[int]) -> tuple[str, ...]:
        """The tokens of a list of the corpus."""
        return tuple(self.tokens[i] for i in ids)

    def neuron(self, stack: str, layer: int, neuron: int) -> Neuron:
        """A neuron of a layer of the "encoder" or the "decoder". Raises UserError if there is none."""
        stack = parse_stack(stack)
        require_index("layer", layer, self.count_layers(stack))
        content = self.layer(stack, layer)
        require_index("neuron", neuron, len(content.fired))
        return Neuron(
            stack,
            layer,
            neuron,
            count=int(content.fired[neuron]),
            density=float(content.fired[neuron] / len(self.corpus.positions(stack))),
            largest=float(content.activity.largest[neuron]),
            mean=float(content.activity.mean[neuron]),
            histogram=content.activity.histogram[neuron],
            contexts=self.contexts(stack, content, neuron),
            name=self.names(stack, layer).get(neuron),
        )

    def contexts(self, stack: Stack, content: Layer, neuron: int) -> tuple[Context, ...]:
        """The contexts of a neuron; those that it has not are left out."""
        positions, found = self.corpus.positions(stack), []
        columns = (content.contexts.place[:, neuron].tolist(), content.contexts.level[:, neuron].tolist())
        for name, place, level in zip(SLOT_RANGES, *columns, strict=True):
            if level:
                sentence = int(positions.sentence[place])
                sides = (self.corpus.src, self.corpus.tgt_in, self.corpus.tgt_out)
                value = level / content.levels * float(content.activity.largest[neuron])
                texts = (self.texts(side[sentence]) for side in sides)
                found.append(Context(name, sentence, place - int(positions.start[sentence]), value, *texts))
        return tuple(found)

    @cached_property
    def text_of(self) -> dict[int, str]:
        """The text of every token that occurs, by its id in the vocabulary."""
        return dict(zip(self.token_ids.tolist(), self.tokens, strict=True))

    @cached_property
    def keys(self) -> list[str]:
        """What each token has in common with those that differ in letter case alone (`corpus.token_key`)."""
        return [token_key(token) for token in self.tokens]

    def read_names(self, content: Layer) -> dict[int, Name]:
        """The names in a layer's file by neuron."""
        arrays, names = content.names, {}
        rows = [arrays[f"name_{field}"].T for field in ("neuron", "relation", "tokens", "counts")]
        rows[0] = rows[0].cumsum()
        for neuron, relation, ids, (strong, hits, occurrences) in zip(*(row.tolist() for row in rows), strict=True):
            tokens, precision = tuple(self.text_of[i - 1] for i in ids if i), hits / strong
            recall, standing = hits / max(occurrences, 1), standing_of(precision)
            names[neuron] = Name(RELATIONS[relation], tokens, strong, precision, recall, standing)
        return names

    def count_layers(self, stack: Stack) -> int:
        """How many layers a stack has."""
        return sum(found == stack for found, _ in self.layers)

    def head(self, kind: str, layer: int, head: int) -> Head:
        """A head of "encoder", "decoder" or "cross" attention. Raises UserError if there is none."""
        kind = parse_kind(kind)
        stack = ATTENTION[kind].stack
        require_index("layer", layer, self.count_layers(stack))
        arrows = self.layer(stack, layer).arrows[kind]
        require_index("head", head, len(arrows.weight))
        rows, columns = self.sides(kind)
        found = []
        for sentence, query, key, weight in zip(*(array[head].tolist() for array in arrows), strict=True):
            if weight:
                tokens = self.texts(rows[sentence]), self.texts(columns[sentence])
                found.append(Arrow(sentence, query, key, weight / FRACTION, *tokens))
        return Head(kind, layer, head, tuple(found))

    def sides(self, kind: Kind) -> tuple[list[list[int]], list[list[int]]]:
        """The sentences of a kind of attention's queries, and of its keys."""
        queries = self.corpus.src if kind == "encoder" else self.corpus.tgt_in
        return queries, self.corpus.tgt_in if kind == "decoder" else self.corpus.src

    def search(self, text: str, most: int = 20) -> SearchResult:
        """The `most` neurons and heads that have most to do with a token, in any letter case; best first.

        See `explorer.atlas.search`. Raises UserError if a file of the atlas is damaged.
        """
        return search(text, self.keys, self.corpus, [self.described(*place) for place in self.layers], most)
