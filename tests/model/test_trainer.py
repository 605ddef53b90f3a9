"""The trainer: it learns, its loss is as told, and it updates by plan: learning rate and moments of the average."""

import pytest
import torch
from cases import each_case
from tiny_training import TINY, tiny_config
from tiny_training import pairs as pairs
from tiny_training import tiny_preset as tiny_preset
from torch import nn

from model.checkpoints import checkpoint
from model.config import PRESETS
from model.decoding import Translator
from model.errors import UserError
from model.tokenizer import Tokenizer
from model.training.data import Batch, EncodedPair, collate, encode_pairs
from model.training.trainer import (
    Position,
    Trainer,
    WeightAverage,
    from_checkpoint,
    is_average_due,
    learning_rate,
    validate,
)


def test_four_pairs_are_learnt_to_exact_translation(tokenizer, pairs):
    trainer = Trainer(tiny_config(steps=150, peak_lr=1e-2, warmup_steps=20), tokenizer)
    batch = collate(encode_pairs(pairs[:4], tokenizer, 40), tokenizer)
    for _ in range(150):
        trainer.train_step(batch)
    translator = Translator(trainer.model.eval(), tokenizer)
    for beam in (1, 3):
        assert translator.translate([pair.src for pair in pairs[:4]], beam) == [pair.tgt for pair in pairs[:4]]


def reversal(tokenizer: Tokenizer, count: int, length: int) -> Batch:
    """Random sequences over ten pieces, with their reverses as targets."""
    rows = torch.randint(4, 14, (count, length)).tolist()
    return collate([EncodedPair([*row, tokenizer.eos_id], row[::-1]) for row in rows], tokenizer)


@pytest.mark.thorough  # a toy that learns to reverse (tests/toys) is looked at in every round
def test_reversing_is_learnt_with_anti_diagonal_cross_attention(tokenizer, monkeypatch):
    monkeypatch.setitem(PRESETS, "tiny", {**TINY, "n_layers": 1, "n_heads": 2, "d_model": 32, "d_ff": 64})
    trainer = Trainer(tiny_config(steps=300, peak_lr=1e-2, warmup_steps=20), tokenizer)
    for _ in range(300):
        trainer.train_step(reversal(tokenizer, 32, 6))
    unseen = reversal(tokenizer, 100, 6)
    with torch.no_grad():
        decoded = trainer.model.eval()(unseen.src, unseen.tgt_in)
    assert (decoded.logits.argmax(dim=-1) == unseen.tgt_out).float().mean() > 0.99
    weights = decoded.cross_attention[0].mean(dim=(0, 1))[:6]  # [tgt src]: row t should look at position 5 - t
    assert weights.argmax(dim=1).tolist() == [5, 4, 3, 2, 1, 0]
    assert weights[range(6), range(5, -1, -1)].min() > 0.5


def test_the_loss_is_the_smoothed_cross_entropy_of_the_models_own_logits(tokenizer, pairs):
    trainer = Trainer(tiny_config(), tokenizer)
    batch = collate(encode_pairs(pairs, tokenizer, 40), tokenizer)
    loss, pieces = trainer.loss(batch, 0.1)
    logits = trainer.model(batch.src, batch.tgt_in).logits
    expected = nn.functional.cross_entropy(
        logits.flatten(0, 1), batch.tgt_out.flatten(), ignore_index=0, reduction="sum", label_smoothing=0.1
    )
    torch.testing.assert_close(loss, expected)
    assert pieces == sum(len(tokenizer.encode(pair.tgt)) + 1 for pair in pairs)


def test_r_drop_costs_nothing_where_both_passes_agree_and_something_where_dropout_differs(tokenizer, pairs):
    def loss(**changes) -> float:
        trainer = Trainer(tiny_config(**changes), tokenizer)
        trainer.model.train()
        return trainer.loss(collate(encode_pairs(pairs, tokenizer, 40), tokenizer), 0.1)[0].item()

    assert loss(dropout=0.0, r_drop=5.0) == pytest.approx(loss(dropout=0.0), rel=1e-5)
    assert loss(dropout=0.5, r_drop=50.0) > loss(dropout=0.5, r_drop=1e-6) + 1


def test_validation_gives_the_mean_over_all_pieces_without_smoothing_and_dropout(tokenizer, pairs):
    trainer = Trainer(tiny_config(dropout=0.5, label_smoothing=0.3), tokenizer)
    encoded = encode_pairs(pairs, tokenizer, 40)
    trainer.model.train()
    found = validate(trainer, encoded)
    assert trainer.model.training and found == validate(trainer, encoded)
    trainer.model.eval()
    with torch.no_grad():
        total, pieces = trainer.loss(collate(encoded, tokenizer), 0.0)
    assert found == pytest.approx(float(total) / pieces)


def test_an_update_uses_the_scheduled_rate_and_counts_itself(tokenizer, pairs):
    trainer = Trainer(tiny_config(steps=10, warmup_steps=4), tokenizer)
    batch = collate(encode_pairs(pairs, tokenizer, 40), tokenizer)
    scheduled, before = trainer.lr, trainer.model.projection.weight.detach().clone()
    trainer.train_step(batch)
    assert {group["lr"] for group in trainer.optimizer.param_groups} == {scheduled}
    # Adam's first step moves every weight that has a gradient by the learning rate.
    assert (trainer.model.projection.weight - before).abs().max().item() == pytest.approx(scheduled, rel=1e-3)
    assert trainer.position == Position(step=1, batch_of_epoch=1, tokens=int((batch.tgt_out != 0).sum()))


def test_gradients_are_clipped_and_do_not_pile_up(tokenizer, pairs, monkeypatch):
    trainer, norms = Trainer(tiny_config(clip_norm=0.01), tokenizer), []
    update = trainer.optimizer.step

    def step() -> None:
        grads = [weight.grad.norm() for weight in trainer.model.parameters() if weight.grad is not None]
        norms.append(float(torch.stack(grads).norm()))
        update()

    monkeypatch.setattr(trainer.optimizer, "step", step)
    trainer.train_step(collate(encode_pairs(pairs, tokenizer, 40), tokenizer))
    assert norms == [pytest.approx(0.01, rel=1e-3)]
    assert all(weight.grad is None or not weight.grad.any() for weight in trainer.model.parameters())


@each_case(
    ("plan", "unit", "expected"),
    [
        ({"steps": 1000}, "step", {0: 0.125, 1: 0.25 * 0.999, 3: 0.5 * 0.997, 250: 0.375, 500: 0.25, 1000: 0.0}),
        ({"minutes": 2.0}, "seconds", {30.0: 0.375, 90.0: 0.125, 120.0: 0.0, 200.0: 0.0}),
        ({"tokens": 1000}, "tokens", {250: 0.375, 1000: 0.0, 1100: 0.0}),
    ],
)
def test_the_learning_rate_rises_linearly_and_then_falls_to_zero_at_the_end_of_the_plan(plan, unit, expected):
    config, begun = tiny_config(**{"steps": 0, "warmup_steps": 4, "peak_lr": 0.5, **plan}), {"step": 5}
    rates = {done: learning_rate(config, Position(**{**begun, unit: done})) for done in expected}
    assert rates == pytest.approx(expected)


def test_the_papers_learning_rate_falls_with_the_square_root_of_the_step():
    d_model, warmup_steps = 512, 4000
    peak_lr = (d_model * warmup_steps) ** -0.5
    config = tiny_config(steps=100_000, schedule="inverse_sqrt", warmup_steps=warmup_steps, peak_lr=peak_lr)
    for step in (1, 100, 3999, 4000, 4001, 16_000, 100_000):  # counted from one, as in section 5.3
        paper = d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)
        assert learning_rate(config, Position(step=step - 1)) == pytest.approx(paper)


@each_case(
    ("part", "count", "moments"), [(0.5, 5, [12, 14, 16, 18, 20]), (0.1, 1, [20]), (1.0, 2, [10, 20]), (0.5, 0, [])]
)
def test_the_moments_of_the_average_are_spread_evenly_over_the_last_part(part, count, moments):
    config, added = tiny_config(steps=20, average_part=part, average_count=count), []
    for step in range(1, 21):
        added += [step] * is_average_due(config, Position(step=step), len(added))
    assert added == moments


def test_weights_are_averaged_over_the_moments_that_were_added():
    layer, average = nn.Linear(2, 1), WeightAverage()
    for value in (1.0, 2.0, 6.0):
        nn.init.constant_(layer.weight, value)
        average.add(layer)
    nn.init.zeros_(layer.weight)
    average.apply_to(layer)
    assert layer.weight.tolist() == [[3.0, 3.0]]


def test_a_widened_checkpoint_computes_the_same_and_all_its_neurons_learn(tokenizer, pairs, tmp_path):
    narrow = Trainer(tiny_config(), tokenizer)
    checkpoint.save(Translator(narrow.model.eval(), tokenizer), tmp_path / "start")
    wide = from_checkpoint(tiny_config(start=str(tmp_path / "start"), d_ff=40, peak_lr=1e-2))
    src = torch.tensor([tokenizer.encode(pairs[0].src)])
    expected = checkpoint.load(tmp_path / "start").model(src, src).logits
    torch.testing.assert_close(wide.model.eval()(src, src).logits, expected)
    for _ in range(2):  # the first update makes the new neurons heard
        wide.train_step(collate(encode_pairs(pairs[:4], tokenizer, 40), tokenizer))
    outgoing = wide.model.decoder.layers[0].feed_forward.w_2.weight
    assert outgoing.shape == (16, 40) and outgoing.abs().sum(dim=0).all()
    with pytest.raises(UserError, match="d_ff 8 is less than the 24 of "):
        from_checkpoint(tiny_config(start=str(tmp_path / "start"), d_ff=8))
