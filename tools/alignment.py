"""Which heads align words, and how much attention falls on no word.

    python -m tools.alignment --pairs train.tsv.gz --dev dev.tsv.gz [--model NAME]

The decoder is fed the reference of every dev pair. Where the lexicon of the training pairs
(`tools.lexicon`) links a German word to an English one, a head agrees with the link if the English word has
the largest weight in the German word's row of cross-attention. As in the explorer's words, weights are summed over a
word's pieces as keys and averaged over its pieces as queries; the end of the sentence competes like a word, and
punctuation is never linked. A piece has two rows: the one that predicts it and, a step later, the one that is fed with
it. Either may align (Chen et al. 2020, arXiv:2004.14837). Two baselines: any word by chance, and the word at the same
place in its sentence.

The last table says what share of attention falls on the special piece, `</s>` in English and `<s>` in German, and on
punctuation. Attention there may mean "nothing to take": then the piece's value is short. So the table also counts each
weight times the length of W_O v, which is how much the key adds to the output (Kobayashi et al. 2020,
arXiv:2004.10102), and compares that length between the special piece and words. The decoder's first row is left out,
because it sees the special piece alone.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor
from tqdm import tqdm

from model import command
from model.decoding import Translator
from model.errors import UserError
from model.probe import ATTENTION, KINDS, Probe, Site
from model.tokenizer import Tokenizer
from model.training.data import EncodedPair, encode_pairs, read_pairs
from model.transformer import attention_at
from tools.lexicon import Aligner, Words, is_punctuation, join_words

ROWS = ("predicts", "is fed with")  # row t predicts piece t, row t + 1 is fed with it
MEASURES = ("weights", "weights x length of W_O v")


class RecordedAttention(NamedTuple):
    """One kind of attention for one pair of sentences."""

    weights: Float[np.ndarray, "layer head query key"]
    lengths: Float[np.ndarray, "layer head key"]  # of W_O v
    special: Bool[np.ndarray, "key"]
    marks: Bool[np.ndarray, "key"]


class Agreement(NamedTuple):
    """How many links of the lexicon attention agrees with, in one pair of sentences or in several."""

    links: int
    matches: Float[np.ndarray, "row layer head_or_mean"]  # the last one by the mean of the layer's heads
    by_chance: float  # expected
    on_diagonal: int


class Shares(NamedTuple):
    """Attention to pieces that are no words, and mean lengths of W_O v over heads, in one pair or summed over many."""

    rows: int
    special: Float[np.ndarray, "measure layer head"]
    marks: Float[np.ndarray, "measure layer head"]
    specials: int
    special_length: Float[np.ndarray, "layer"]
    words: int
    word_length: Float[np.ndarray, "layer"]


Sums = TypeVar("Sums", Agreement, Shares)


def sum_fields(parts: Sequence[Sums]) -> Sums:
    """The sums of all fields over several pairs."""
    return type(parts[0])(*(np.sum(column, axis=0) for column in zip(*parts, strict=True)))


def record_attention(translator: Translator, pair: EncodedPair) -> dict[str, RecordedAttention]:
    """All attention in one pass over a pair, by kind."""
    with translator.inference():
        tensors: dict[Site, Tensor] = {}
        probe = Probe(lambda site, tensor: tensors.update({site: tensor}) if site.tensor in ("weights", "v") else None)
        tokenizer, model = translator.tokenizer, translator.model
        tgt_in = [tokenizer.bos_id, *pair.tgt]
        translator.decode(tgt_in, translator.encode(pair.src, probe), probe)
        recorded = {}
        for kind, site in ATTENTION.items():
            ids = tgt_in if kind == "decoder" else pair.src
            special = np.isin(ids, (tokenizer.bos_id, tokenizer.eos_id))
            marks = np.array([is_punctuation(piece) for piece in tokenizer.pieces(ids)]) & ~special
            sites = [site._replace(layer=layer) for layer in range(model.config.layers(site.stack))]
            weights, v = (
                torch.cat([tensors[site._replace(tensor=name)] for site in sites]) for name in ("weights", "v")
            )
            added = [attention_at(model, kind, layer).added_per_weight(values) for layer, values in enumerate(v)]
            lengths = torch.stack(added).norm(dim=-1)
            recorded[kind] = RecordedAttention(weights.cpu().numpy(), lengths.cpu().numpy(), special, marks)
        return recorded


def word_membership(of_piece: Sequence[int]) -> Float[np.ndarray, "word piece"]:
    """1 where a piece belongs to a word."""
    return (np.arange(max(of_piece) + 1)[:, None] == np.array(of_piece)).astype(float)


def measure_agreement(
    cross: Float[np.ndarray, "layer head query key"], links: Sequence[tuple[int, int]], src: Words, tgt: Words
) -> Agreement:
    """How many of the links (target word, source word) heads find, and the mean of a layer's heads."""
    n_src, n_tgt = len(src.texts), len(tgt.texts)
    keys, queries = word_membership([*src.of_piece, n_src]), word_membership(tgt.of_piece)
    by_word = queries / queries.sum(axis=1, keepdims=True)
    n_pieces = len(tgt.of_piece)
    rows = np.stack([cross[:, :, row : row + n_pieces] for row in range(len(ROWS))])
    weights = by_word @ rows @ keys.T
    best = np.concatenate((weights, weights.mean(axis=2, keepdims=True)), axis=2).argmax(axis=-1)
    target, source = np.array(links, dtype=int).reshape(-1, 2).T
    return Agreement(
        links=len(links),
        matches=(best[..., target] == source).sum(axis=-1).astype(float),
        by_chance=len(links) / (n_src + 1),
        on_diagonal=int(((2 * target + 1) * n_src // (2 * n_tgt) == source).sum()),
    )


def measure_shares(attention: RecordedAttention, first_row: int = 0) -> Shares:
    """The shares of attention in one pair, from the row `first_row` on."""
    weights, lengths = attention.weights[:, :, first_row:], attention.lengths.mean(axis=1)
    added = weights * attention.lengths[:, :, None]
    measures = np.stack((weights, added / added.sum(axis=-1, keepdims=True)))
    words = ~(attention.special | attention.marks)
    return Shares(
        rows=weights.shape[2],
        special=measures[..., attention.special].sum(axis=(3, 4)),
        marks=measures[..., attention.marks].sum(axis=(3, 4)),
        specials=int(attention.special.sum()),
        special_length=lengths[:, attention.special].sum(axis=1),
        words=int(words.sum()),
        word_length=lengths[:, words].sum(axis=1),
    )


def learn_aligner(pairs: Sequence[EncodedPair], tokenizer: Tokenizer) -> Aligner:
    """The aligner of the words in some pairs."""
    sources = [join_words(tokenizer.pieces(pair.src[:-1])).texts for pair in pairs]
    return Aligner.learn(sources, [join_words(tokenizer.pieces(pair.tgt)).texts for pair in pairs])


def measure(
    translator: Translator, aligner: Aligner, pairs: Sequence[EncodedPair]
) -> tuple[Agreement, dict[str, Shares]]:
    """The agreement and the shares by kind, summed over all pairs; shows a progress bar."""
    agreements: list[Agreement] = []
    by_kind: dict[str, list[Shares]] = {kind: [] for kind in KINDS}
    for pair in tqdm(pairs, leave=False):
        src, tgt = (join_words(translator.tokenizer.pieces(ids)) for ids in (pair.src[:-1], pair.tgt))
        links = [
            (target, source)
            for target, source in aligner.links(src.texts, tgt.texts)
            if not is_punctuation(tgt.texts[target]) and not is_punctuation(src.texts[source])
        ]
        attention = record_attention(translator, pair)
        agreements.append(measure_agreement(attention["cross"].weights, links, src, tgt))
        for kind, parts in by_kind.items():
            parts.append(measure_shares(attention[kind], first_row=1 if kind == "decoder" else 0))
    return sum_fields(agreements), {kind: sum_fields(parts) for kind, parts in by_kind.items()}


def agreement_table(total: Agreement) -> str:
    """The share of links that each head finds, for both rows, and how many heads find more than the diagonal."""
    share, n_heads = total.matches / total.links, total.matches.shape[2] - 1
    chance, diagonal = total.by_chance / total.links, total.on_diagonal / total.links
    lines = [f"Links found, of {total.links:,}; by chance {chance:.0%}, on the diagonal {diagonal:.0%}"]
    for row, name in enumerate(ROWS):
        lines += ["", f"In the row that {name} the word:"]
        lines.append("head     " + "".join(f"{head:>5}" for head in range(1, n_heads + 1)) + "   mean of the heads")
        for layer, (*heads, mean) in enumerate(share[row], 1):
            lines.append(f"layer {layer:<3}" + "".join(f"{value:>5.0%}" for value in heads) + f"{mean:>7.0%}")
    aligning = total.matches[:, :, :-1] > total.on_diagonal
    lines += [
        "",
        f"Heads that align, finding more than the diagonal: {aligning.any(axis=0).sum()} of {aligning[0].size}",
    ]
    lines += [f"  in the row that {name} the word: {aligning[row].sum()}" for row, name in enumerate(ROWS)]
    return "\n".join(lines)


def shares_table(by_kind: dict[str, Shares]) -> str:
    """Shares of attention for every kind and layer: the mean over heads, and the largest."""
    lines = [
        "Share of        " + "".join(f"{name:^36}" for name in MEASURES) + "length of W_O v,",
        " " * 16 + f"{'special token':>17} {'punctuation':>17} " * len(MEASURES) + "special token to words",
        " " * 16 + f"{'mean':>9}{'largest':>9}" * 2 * len(MEASURES),
    ]
    for kind, total in by_kind.items():
        ratio = (total.special_length / total.specials) / (total.word_length / total.words)
        for layer in range(len(ratio)):
            columns = [part[layer] for pair in zip(total.special, total.marks, strict=True) for part in pair]
            values = [value / total.rows for heads in columns for value in (heads.mean(), heads.max())]
            cells = "".join(f"{value:>9.0%}" for value in values)
            lines.append(f"{kind:<8} layer {layer + 1:<2}{cells}{ratio[layer]:>8.2f}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "python -m tools.alignment", description="How well heads align words, and what attention falls on no word."
    )
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="training pairs, to learn a lexicon from")
    parser.add_argument("--dev", nargs="+", type=Path, required=True, help="pairs to look at: TSV or TSV.gz files")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    with command.exit_on_error("python -m tools.alignment"):
        translator = command.load(options)
        tokenizer, longest = translator.tokenizer, translator.model.config.max_len
        training, dev = (
            encode_pairs(read_pairs(paths), tokenizer, longest, tidy=translator.tidy)
            for paths in (options.pairs, options.dev)
        )
        if not training or not dev:
            raise UserError("no pair has words on both sides and fits into the model")
        total, by_kind = measure(translator, learn_aligner(training, tokenizer), dev)
        if not total.links:
            raise UserError("the training pairs link no word of the dev pairs")
    print(f"{len(dev):,} dev pairs, a lexicon of {len(training):,} training pairs\n")
    print(f"{agreement_table(total)}\n\n{shares_table(by_kind)}")


if __name__ == "__main__":
    main()
