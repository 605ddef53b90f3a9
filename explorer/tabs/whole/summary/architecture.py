"""How the loaded model is built where models differ: a sentence for each choice, and the steps at which it is said."""

from collections.abc import Iterator
from typing import NamedTuple

from explorer.ui.translations import Translations
from model.decoding import Translator
from model.tokenizer import Tokenizer

words = Translations(__file__)

# The steps (words.SHAPE_STEPS) at which a choice is said.
STEPS: dict[str, tuple[str, ...]] = {
    "activation": ("feed_forward.hidden",),
    "positions": ("stack.positions",),
    "bias": ("decoder.logits",),
    "start": ("decoder.ids", "decoder.mask"),
    "pieces": ("encoder.ids",),
    "tags": ("encoder.ids",),
}


class Choice(NamedTuple):
    """One of the choices by which models differ, as this model has it."""

    name: str
    sentence: str


def choices(translator: Translator) -> Iterator[Choice]:
    """All of them; tags only where the vocabulary has any."""
    config, tokenizer = translator.model.config, translator.tokenizer
    depths = {stack: config.layers(stack) for stack in ("encoder", "decoder")}
    same = depths["encoder"] == depths["decoder"]
    yield Choice("depths", words.DEPTHS["same" if same else "different"].format(**depths, heads=config.n_heads))
    for name in ("activation", "positions", "start"):
        yield Choice(name, getattr(words, name.upper())[getattr(config, name)])
    if translator.model.projection.bias is not None:
        yield Choice("bias", words.BIAS)
    yield Choice("pieces", words.PIECES["one" if len(processors(tokenizer)) == 1 else "two"])
    if tags := tokenizer.tags:
        yield Choice("tags", words.TAGS["one" if len(tags) == 1 else "several"].format(count=len(tags), first=tags[0]))


def processors(tokenizer: Tokenizer) -> list[str]:
    """The names of the SentencePiece models that it keeps: one, or one for each language."""
    return [name for name in tokenizer.files() if name.endswith((".model", ".spm"))]


def remarks(translator: Translator) -> dict[str, str]:
    """What is to be said of this model at a step, by its key."""
    said: dict[str, list[str]] = {}
    for choice in choices(translator):
        for step in STEPS.get(choice.name, ()):
            said.setdefault(step, []).append(choice.sentence)
    return {step: " ".join(sentences) for step, sentences in said.items()}
