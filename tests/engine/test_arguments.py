"""Arguments of wrong types: what Python refuses the browser refuses too, with a sentence."""

from typing import Any

from cases import each_case
from same_answers import parsed
from same_answers import tiny_pages as tiny_pages
from tiny_models import arabic_to_japanese as arabic_to_japanese
from visiting import needs_browser

from explorer.ui.language import use_language
from explorer.ui.questions import is_error

pytestmark = needs_browser

SENTENCE = "The cat sleeps."
MATRIX = {"kind": "cross", "layer": 0, "head": "mean", "measure": "weight", "specials": True, "words": None}
GOOD = {
    "translate": [SENTENCE],
    "head": [[SENTENCE], "cross", 0, 1],
    "run": [SENTENCE, {}],
    "scores": [SENTENCE, [["cross", 0, 1]], "zero", [1]],
    "patching": [SENTENCE, "She reads the book.", "heads", 0],
    "beam": [SENTENCE, 2],
    "sample": [SENTENCE, {"temperature": 1, "top_k": None, "top_p": 1}, 1],
    "save.csv": [{"sentence": SENTENCE, "experiment": None, **MATRIX}],
}
EXPERIMENTS: list[Any] = [
    *(5, "off", [1], {"of": 1}, {"off": 1}, {"off": [["cross", 0]]}, {"off": [["cross", 0, 1.5]]}, {"patch": "x"}),
    *({"off": [["up", 0, 0]]}, {"patch": {}}, {"hidden": [True]}, {"off_by": None}, {"source": 1}, {"seed": -1}),
]
WRONG: list[Any] = [None, 5, -1, 1.5, True, "no such", [], [1], {}, {"sentence": 1}]


def spoiled(arguments: list[Any]) -> list[list[Any]]:
    """The arguments with one of them replaced, one too few, and one too many."""
    replaced = [[*arguments[:i], wrong, *arguments[i + 1 :]] for i in range(len(arguments)) for wrong in WRONG]
    fields = [[{**arguments[0], name: wrong}] for name in MATRIX for wrong in WRONG if isinstance(arguments[0], dict)]
    return [*replaced, *fields, arguments[:-1], [*arguments, 1]]


def both(in_browser, page, questions: list[Any]) -> list[tuple[str, str]]:
    found = in_browser("answer", page.name, questions)
    with use_language(page.context):
        return [*zip(found, (answer_of(page, *question) for question in questions), strict=True)]


def answer_of(page, name: str, arguments: list[Any]) -> str:
    return page.questions.answer(name, arguments)


@each_case("name", [*GOOD])
def test_arguments_that_python_refuses_are_refused(in_browser, tiny_pages, name):
    questions = [[name, arguments] for arguments in spoiled(GOOD[name])]
    for question, (mine, theirs) in zip(questions, both(in_browser, tiny_pages["learned"], questions), strict=True):
        assert is_error(mine) == is_error(theirs), (question, mine[:200], theirs[:200])


def test_what_is_no_experiment_is_refused_with_the_place_of_the_fault(in_browser, tiny_pages):
    page = tiny_pages["learned"]  # in German
    answers = both(in_browser, page, [["run", [SENTENCE, changes]] for changes in EXPERIMENTS])
    assert all(is_error(mine) and is_error(theirs) for mine, theirs in answers)
    places = [parsed(mine)["error"].partition("Fehlers: ")[2].removesuffix(").") for mine, _ in answers]
    assert places[:9] == ["/", "/", "/", "/of", "/off", "/off/0", "/off/0/2", "/patch", "/off/0/0"]
