"""Many cases in one test: `each_case` takes the place of pytest.mark.parametrize; `sweep` makes most thorough."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import wraps
from typing import Any

import pytest
from _pytest.mark import ParameterSet

Test = Callable[..., None]


def each_case(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Runs the test for each case as a subtest: one test, which reports every case that fails.

    Each case has a `tmp_path` and a `monkeypatch` of its own; all cases share the other fixtures.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [ParameterSet.extract_from(case, force_tuple=len(arguments) == 1).values for case in cases]

    def decorate(test: Test) -> Test:
        parameters = {name: p for name, p in inspect.signature(test).parameters.items() if name not in arguments}
        is_nested = "subtests" in parameters  # the test is itself made of cases

        @wraps(test)
        def run_cases(**fixtures: Any) -> None:
            subtests = fixtures["subtests"] if is_nested else fixtures.pop("subtests")
            for number, row in enumerate(rows):
                case = dict(zip(arguments, row, strict=True))
                with subtests.test(**case), ExitStack() as stack:
                    made = {}
                    if "tmp_path" in fixtures:
                        made["tmp_path"] = fixtures["tmp_path"] / str(number)
                        made["tmp_path"].mkdir()
                    if "monkeypatch" in fixtures:
                        made["monkeypatch"] = stack.enter_context(fixtures["monkeypatch"].context())
                    test(**{**fixtures, **made, **case})

        subtests = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        signature = inspect.Signature([*(parameters | {"subtests": subtests}).values()])
        run_cases.__signature__ = signature  # pyright: ignore
        return run_cases

    return decorate


def sweep(cases: Iterable[Any], *ordinary: Any) -> list[Any]:
    """The cases for pytest.mark.parametrize; all but the `ordinary` ones are thorough."""
    return [case if case in ordinary else pytest.param(case, marks=pytest.mark.thorough) for case in cases]
