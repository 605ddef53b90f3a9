"""A check of a lesson's step: one claim, by its name."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from explorer.lessons.claims import (
    Attends,
    Changing,
    Claim,
    Costs,
    Ground,
    Needs,
    NoSuch,
    Pieces,
    Result,
    Same,
    Translates,
    Writes,
)

CLAIMS: Mapping[str, type[Claim]] = {
    "translates": Translates,
    "same": Same,
    "writes": Writes,
    "pieces": Pieces,
    "attends": Attends,
    "needs": Needs,
    "costs": Costs,
    "changing": Changing,
}


class Check(BaseModel):
    """One claim, by its name: `attends: {word: gekauft, to: bought}`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    translates: Translates | None = None
    same: Same | None = None
    writes: Writes | None = None
    pieces: Pieces | None = None
    attends: Attends | None = None
    needs: Needs | None = None
    costs: Costs | None = None
    changing: Changing | None = None

    @model_validator(mode="after")
    def is_one(self) -> "Check":
        if len(self.model_fields_set) != 1 or getattr(self, self.name) is None:  # `translates:` with nothing behind it
            raise ValueError(f"needs one of {', '.join(CLAIMS)}")
        return self

    @property
    def name(self) -> str:
        (name,) = self.model_fields_set
        return name

    @property
    def claim(self) -> Claim:
        return getattr(self, self.name)

    def result(self, ground: Ground) -> Result:
        """Where a word or a sentence is not there, the claim does not hold."""
        try:
            return self.claim.result(ground)
        except ValueError as error:
            return Result(False, str(error), isinstance(error, NoSuch))

    def __str__(self) -> str:
        given = self.claim.model_dump(exclude_defaults=True, by_alias=True)
        return f"{self.name} {', '.join(f'{name}={value}' for name, value in given.items())}"


def with_choice(check: Any, choice: str) -> Any:
    """The check, as it stands in a file, of one choice of a question: {choice} is its text."""
    if isinstance(check, str):
        return check.replace("{choice}", choice)
    if isinstance(check, dict):
        return {name: with_choice(value, choice) for name, value in check.items()}
    if isinstance(check, list):
        return [with_choice(value, choice) for value in check]
    return check
