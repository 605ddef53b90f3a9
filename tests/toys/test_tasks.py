"""The toy tasks: what is asked, what is right, and what is never trained on."""

import random
import re
from itertools import islice

import pytest
from cases import each_case

from explorer.toys import recipe
from explorer.toys.tasks import TASKS, Task, is_held_out, number_words, to_digits, tokenizer_of
from explorer.ui.language import LANGUAGES, LanguageContext
from explorer.ui.translations import language_name, model_language_names
from model.languages import languages_of, languages_record
from model.tokenizer import WORD_START

ALL = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)


def pairs(task: Task, count: int = 2000, **more):
    return list(islice(task.pairs(random.Random(0), **more), count))


@ALL
def test_training_and_test_never_meet(task):
    trained, tested = {pair.src for pair in pairs(task)}, {pair.src for pair in task.test(200)}
    assert len(tested) == 200 and not any(map(is_held_out, trained)) and all(map(is_held_out, tested))
    assert {pair.src for pair in pairs(task, held_out=True)} > tested & {task.example}
    assert is_held_out(task.example) and not trained & tested
    assert task.test(20) == task.test(20) == task.test(50)[:20]


@ALL
def test_every_piece_is_a_word_that_is_known(task):
    tokenizer = task.tokenizer
    assert tokenizer_of.__wrapped__(task.words).proto == tokenizer.proto  # alike each time
    for pair in pairs(task, 500):
        for text in pair:
            ids = tokenizer.encode(text)
            assert tokenizer.unk_id not in ids and tokenizer.decode(ids) == text
            assert tokenizer.pieces(ids) == [f"{WORD_START}{word}" for word in text.split()]
            assert len(ids) < recipe.MAX_LEN / 2
    assert tokenizer.vocab_size == len(set(task.words)) + 4


@each_case(
    ("name", "source", "target"),
    [
        ("reverse", "1 2 0 0", "0 0 2 1"),
        ("copy", "1 2 0 0", "1 2 0 0"),
        ("sort", "9 0 3 0 5", "0 0 3 5 9"),
        ("numbers", "nineteen", "1 9"),
        ("numbers", "ninety thousand eleven", "9 0 0 1 1"),
        ("dates", "3 May 1998", "1 9 9 8 - 0 5 - 0 3"),
    ],
)
def test_the_right_answer(name, source, target):
    assert TASKS[name].answer(source) == target


def test_numbers_are_read_as_they_are_written():
    values = [*range(1200), *range(1200, 1_000_000, 997), 999_999]
    assert [to_digits(number_words(value)).replace(" ", "") for value in values] == [str(value) for value in values]


@each_case(
    ("name", "source"),
    [
        ("sort", "1 two"),
        ("numbers", ""),
        ("numbers", "one thousand two thousand"),
        ("dates", "31 April 1998"),
        ("dates", "03 May 1998"),
    ],
)
def test_what_is_no_question_has_no_answer(name, source):
    with pytest.raises(ValueError, match=re.escape(repr(source))):
        TASKS[name].answer(source)


@ALL
def test_its_languages_are_named_in_every_language_of_the_page(task):
    assert languages_of({"languages": languages_record(task.languages)}) == task.languages
    for language in LANGUAGES:
        names = model_language_names(LanguageContext(language, task.languages))
        assert len(set(names.values())) == 2
        # A record has English names.
        same = [language_name(language, named) == named.name for named in task.languages]
        assert all(same) or language != "en"
    assert "Umkehrung" in model_language_names(LanguageContext("de", TASKS["reverse"].languages)).values()
