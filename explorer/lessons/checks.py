"""A check of a lesson step: one claim, selected by its YAML key."""

from typing import Any

from pydantic import model_validator

from explorer.lessons.claims import (
    AttentionClaim,
    ChangingHeadsClaim,
    CheckContext,
    Claim,
    ClaimResult,
    HeadCostClaim,
    OmissionClaim,
    OutOfRangeError,
    PieceCountClaim,
    PredictionClaim,
    SameTranslationClaim,
    TranslationClaim,
)
from explorer.ui.questions import StrictModel


class Check(StrictModel):
    """One claim under its YAML key: `attends: {word: gekauft, to: bought}`."""

    translates: TranslationClaim | None = None
    same: SameTranslationClaim | None = None
    writes: PredictionClaim | None = None
    pieces: PieceCountClaim | None = None
    attends: AttentionClaim | None = None
    needs: OmissionClaim | None = None
    costs: HeadCostClaim | None = None
    changing: ChangingHeadsClaim | None = None

    @model_validator(mode="after")
    def require_one_claim(self) -> "Check":
        if len(self.model_fields_set) != 1 or getattr(self, self.name) is None:  # `translates:` without a value
            raise ValueError(f"needs one of {', '.join(type(self).model_fields)}")
        return self

    @property
    def name(self) -> str:
        (name,) = self.model_fields_set
        return name

    @property
    def claim(self) -> Claim:
        return getattr(self, self.name)

    def evaluate(self, context: CheckContext) -> ClaimResult:
        """Evaluates the claim; it does not hold if a word or a sentence of it does not exist."""
        try:
            return self.claim.evaluate(context)
        except ValueError as error:
            return ClaimResult(False, str(error), isinstance(error, OutOfRangeError))

    def __str__(self) -> str:
        fields = self.claim.model_dump(exclude_defaults=True, by_alias=True)
        return f"{self.name} {', '.join(f'{name}={value}' for name, value in fields.items())}"


def fill_choice(check: Any, choice: str) -> Any:
    """Replaces {choice} in a check of a lesson file with the text of one choice of the question."""
    if isinstance(check, str):
        return check.replace("{choice}", choice)
    if isinstance(check, dict):
        return {name: fill_choice(value, choice) for name, value in check.items()}
    if isinstance(check, list):
        return [fill_choice(value, choice) for value in check]
    return check
