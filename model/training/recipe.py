"""The recipe of a training run: one field for each flag of `python -m model.train`."""

from dataclasses import field
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, NonNegativeInt, PositiveInt
from pydantic.dataclasses import dataclass

from model.checkpoints.record import LicenceId
from model.languages import ENGLISH_TO_GERMAN, Languages, parse_languages
from model.tidying import RULES, Rules, RulesName, rules_for
from model.tokenizer import SPECIAL_PIECES
from model.training.data import split_weight

Share = Annotated[float, Field(ge=0, le=1)]
VocabularySize = Annotated[int, Field(gt=len(SPECIAL_PIECES), le=1_000_000)]


def option(default: Any, text: str) -> Any:
    """A field of TrainConfig with its default and the help text of its flag."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, config=ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
class TrainConfig:
    """The recipe of a run; the default sizes are those of the shipped checkpoint."""

    pairs: tuple[str, ...] = option(
        (), "TSV or TSV.gz files to learn from: source, tab, target; file=2.5 holds each pair 2.5 times an epoch"
    )
    dev: tuple[str, ...] = option((), "TSV or TSV.gz files for the validation loss")
    languages: tuple[str, ...] = option(
        (),
        "what is read and what is written, as CODE:NAME (default: those of --start, or en:English de:German)",
    )
    tidying: Literal[RulesName, ""] = option(
        "",
        f"rules for quotes and blanks of sources: {', '.join(RULES)} (default: those of --start, or by code)",
    )
    data_note: str = option("", "a sentence about the data's origin and licences, for the model card")
    licence: LicenceId = option("", "licence of the weights for the model card, by its id on the Hub")
    start: str = option("", "checkpoint to start from, with its sizes and tokenizer, instead of random weights")
    preset: str = option("small", "model sizes: small, base or seed")
    d_ff: NonNegativeInt = option(0, "width of the feed-forward networks, instead of the preset's; it widens --start")
    vocab_size: VocabularySize = option(16000, "tokens of the tokenizer that both languages share")
    max_pieces: int = option(128, "longer pairs are left out")
    batch_tokens: int = option(2560, "padded positions of a batch, a side; several processes share them")
    schedule: Literal["linear", "inverse_sqrt"] = option(
        "linear", "learning rate after the warm-up: in a line to 0 at the end, or with 1 / sqrt(step), as in the paper"
    )
    peak_lr: float = option(1e-3, "learning rate at the end of the warm-up")
    warmup_steps: PositiveInt = option(1000, "steps of linear warm-up")
    dropout: float = option(0.1, "on embeddings, attention weights and sub-layer outputs")
    label_smoothing: float = option(0.1, "probability spread over the vocabulary")
    r_drop: float = option(
        0.0, "alpha of R-Drop: two passes with different dropout are to predict the same; 0: one pass (5 in its paper)"
    )
    sampling: float = option(0.0, "alpha of subword sampling, the sharper the larger; 0: none")
    sampled_sources: Share = option(0.0, "share of sources that sampling is for, and for no target; 0: for all texts")
    as_typed: Share = option(0.0, "share of sources without their final mark or in lower case")
    joined: Share = option(0.0, "share of examples that are two or three sentences in a row")
    clip_norm: float = option(1.0, "largest norm of the gradient")
    minutes: float = option(0.0, "length of the run on the clock, with which a linear schedule ends")
    steps: int = option(0, "length of the run in steps, instead of minutes")
    tokens: int = option(0, "length of the run in target tokens, instead of minutes")
    average_part: float = option(0.1, "last part of the run, whose weights are averaged")
    average_count: int = option(10, "how many moments of that part enter the average; 0: none")
    log_steps: PositiveInt = option(50, "steps between two log lines")
    dev_steps: PositiveInt = option(1000, "steps between two validations")
    moments: bool = option(False, "keep the weights at steps 0, 10, 20, 50, 100, ... for python -m tools.story")
    save_minutes: float = option(3.0, "minutes between two saved states")
    precision: Literal["auto", "float32", "bfloat16"] = option(
        "auto", "float32 (on cuda with TF32 products), bfloat16 (autocast), or auto: bfloat16 where it is faster"
    )
    compile: Literal["auto", "yes", "no"] = option(
        "auto", "whether torch.compile speeds the model up: yes, no, or auto: yes on cuda"
    )
    device: str = option("auto", "cuda, mps, cpu, or auto: the first of them at hand")
    seed: int = option(0, "of all that is drawn: initial weights, batches, sampled tokens and dropout")

    def __post_init__(self):
        if not self.pairs:
            raise ValueError("training needs at least one file of sentence pairs (--pairs)")
        if sum(length > 0 for length in (self.minutes, self.steps, self.tokens)) != 1:
            raise ValueError(
                f"give one of --minutes, --steps and --tokens, not {self.minutes}, {self.steps} and {self.tokens}"
            )
        for path in self.pairs:
            split_weight(path)
        if self.languages:
            parse_languages(self.languages)
        if self.sampled_sources and not self.sampling:
            raise ValueError(f"sampled_sources {self.sampled_sources} needs --sampling")
        if self.batch_tokens < self.max_pieces:
            raise ValueError(f"batch_tokens {self.batch_tokens} is less than max_pieces {self.max_pieces}")

    @property
    def translates(self) -> Languages:
        """The two languages; older recipes name none, and all of those translated from English to German."""
        return parse_languages(self.languages) if self.languages else ENGLISH_TO_GERMAN

    @property
    def rules(self) -> RulesName:
        """The name of the tidying rules for sources."""
        return self.tidying or rules_for(self.translates.source)

    @property
    def tidy(self) -> Rules:
        """The tidying rules themselves."""
        return RULES[self.rules]
