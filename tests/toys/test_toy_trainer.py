"""What a toy learns, and how it is examined."""

import pytest
import torch
from cases import each_case

from explorer.toys import recipe
from explorer.toys.recipe import ToyConfig, learning_rate
from explorer.toys.report import example_attention, make_report
from explorer.toys.toy_trainer import ToyTrainer
from model.training.data import Pair


def taught(steps: int, **config) -> ToyTrainer:
    trainer = ToyTrainer(ToyConfig(**config))
    for _ in range(steps):
        trainer.train_step()
    return trainer


@pytest.fixture(scope="module")
def reverser() -> ToyTrainer:
    """One layer, one head: enough to reverse two of three rows of digits after some seconds."""
    return taught(200, task="reverse", layers=1, heads=1)


@torch.inference_mode()
def looked_at(trainer: ToyTrainer) -> list[tuple[int, int, int]]:
    """For every target piece of the test: its place, how many there are, and the source piece it looked at most."""
    rows = []
    for pair in trainer.task.test(40):
        batch = trainer.collate_pairs([pair])
        weights = trainer.model(batch.src, batch.tgt_in).cross_attention[-1][0].mean(dim=0)
        n = len(pair.src.split())
        rows += [(t, n, int(weights[t].argmax())) for t in range(n)]
    return rows


def test_reversing_looks_along_the_other_diagonal(reverser):
    rows = looked_at(reverser)
    assert sum(most == n - 1 - t for t, n, most in rows) > 0.75 * len(rows)
    assert sum(most == t for t, n, most in rows) < 0.3 * len(rows)


def test_copying_looks_along_the_diagonal():
    rows = looked_at(taught(150, task="copy", layers=1, heads=1))
    assert sum(most == t for t, n, most in rows) > 0.85 * len(rows)


def test_a_test_counts_what_greedy_decoding_gets_wholly_right(reverser):
    test = reverser.task.test(recipe.TEST_PAIRS)
    written = reverser.translator.translate([pair.src for pair in test])
    right = [pair.tgt == said for pair, said in zip(test, written, strict=True)]
    metrics = reverser.evaluate()
    assert 0.4 < metrics.right == sum(right) / len(right) < 1
    assert metrics.right < metrics.pieces_right < 1


def test_the_loss_of_a_test_is_that_of_the_untrained_chance(reverser):
    new = ToyTrainer(ToyConfig())
    metrics = new.evaluate()
    assert metrics.right == 0 and metrics.loss > 2 > reverser.evaluate().loss


def test_the_same_choices_give_the_same_numbers():
    trainers = (ToyTrainer(ToyConfig(task="sort", seed=seed)) for seed in (5, 5, 6))
    one, other, third = ([trainer.train_step() for _ in range(3)] for trainer in trainers)
    assert one == other != third


def test_a_test_changes_nothing_of_what_is_learnt():
    one, other = ToyTrainer(ToyConfig()), ToyTrainer(ToyConfig())
    one.train_step()
    other.train_step()
    one.evaluate()
    example_attention(one)
    assert one.train_step() == other.train_step()


def test_without_positions_the_order_of_a_question_makes_no_difference():
    trainer = taught(5, task="copy", positions=False)
    batch = trainer.collate_pairs([Pair("1 2 3 4", "1"), Pair("3 1 4 2", "1")])
    with torch.inference_mode():
        logits = trainer.model(batch.src, batch.tgt_in).logits
    assert torch.allclose(logits[0], logits[1], atol=1e-5)
    with_positions = ToyTrainer(ToyConfig(task="copy"))
    with torch.inference_mode():
        logits = with_positions.model(batch.src, batch.tgt_in).logits
    assert not torch.allclose(logits[0], logits[1], atol=1e-2)


def test_the_rate_rises_and_falls():
    rates = [learning_rate(step) for step in range(400)]
    assert max(rates) == rates[recipe.WARMUP_STEPS - 1] == recipe.PEAK_LR
    assert rates[:100] == sorted(rates[:100]) and rates[99:] == sorted(rates[99:], reverse=True)


@each_case("wrong", [{"layers": 0}, {"layers": 4}, {"heads": 5}, {"seed": -1}, {"task": "chess"}])
def test_what_is_out_of_bounds_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ToyConfig(**wrong)


@each_case("heads", [1, 2, 3, 4])
def test_what_is_seen_has_a_row_for_every_piece_fed(heads):
    trainer = ToyTrainer(ToyConfig(task="dates", layers=3, heads=heads))
    told = make_report(trainer, trainer.evaluate(), number=1, state="learning", seconds=0.0, loss=None)
    example = told.seen
    assert example.source == ["9", "May", "1984", "</s>"]
    assert example.fed == ["<s>", *"1984-05-09"] and example.right == [*"1984-05-09", "</s>"]
    assert len(example.predicted) == len(example.fed)
    for kind, queries, keys in (("encoder", 4, 4), ("decoder", 11, 11), ("cross", 11, 4)):
        weights = torch.tensor(example.weights[kind])
        assert weights.shape == (3, heads, queries, keys)
        assert torch.allclose(weights.sum(dim=-1), torch.ones(()), atol=0.01)
    assert type(told).model_validate_json(told.model_dump_json()) == told
