"""Which pieces of two translations correspond."""

from explorer.experiments.differences import match_elements, match_permutation, pair_pieces
from explorer.recording.trace import record


def test_the_same_elements_are_partners():
    assert match_elements("abcd", "abcd") == (0, 1, 2, 3)


def test_what_was_put_in_has_no_partner():
    assert match_elements("abd", "abcd") == (0, 1, None, 2)


def test_what_was_left_out_is_nobodys_partner():
    assert match_elements("abcd", "abd") == (0, 1, 3)


def test_what_was_replaced_one_by_one_corresponds_and_else_not():
    assert match_elements("axd", "ayd") == (0, 1, 2)
    assert match_elements("axd", "ayzd") == (0, None, None, 2)


def test_the_nth_of_several_equal_ones_goes_with_the_nth():
    assert match_permutation([7, 8, 7], [7, 7, 8]) == (0, 2, 1)


def test_words_in_another_order_correspond_to_themselves(toy):
    first, second = record(toy, "The dog sleeps."), record(toy, "sleeps dog The.")
    pairs = pair_pieces(first, second).source
    assert sorted(pairs, key=int) == list(range(len(first.source))) and list(pairs) != sorted(pairs, key=int)
    assert [first.source[place].id for place in pairs if place is not None] == [piece.id for piece in second.source]


def test_a_translation_corresponds_to_itself(toy):
    trace = record(toy, "The dog sleeps.")
    assert pair_pieces(trace, trace) == (tuple(range(len(trace.source))), tuple(range(len(trace.steps))))
