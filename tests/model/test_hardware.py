"""Device, precision, memory."""

from types import SimpleNamespace

import torch
from cases import each_case
from reference import assert_near, randomised, sentences, tiny_config
from torch.utils.flop_counter import FlopCounterMode

from model.checkpoints import checkpoint
from model.config import ModelConfig
from model.hardware import pick_device, training_flops, uses_bfloat16
from model.layers import MAX_ACTIVE, FeedForward
from model.training.data import EncodedPair, collate
from model.training.loss import BatchLoss
from model.transformer import Transformer

CPU = torch.device("cpu")


@each_case(
    ("cuda", "mps", "index", "expected"),
    [(True, True, None, "cuda"), (True, True, 1, "cuda:1"), (False, True, 1, "mps"), (False, False, 0, "cpu")],
)
def test_auto_takes_the_fastest_device_at_hand(monkeypatch, cuda, mps, index, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    # Stands for the devices, of which this machine may have none.
    monkeypatch.setattr(torch, "zeros", lambda _, device: SimpleNamespace(device=torch.device(device)))
    assert pick_device("auto", index) == torch.device(expected)  # test_train.py: which are refused


@each_case("fast", [True, False])
def test_auto_uses_bfloat16_where_the_processor_has_it(monkeypatch, fast):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: fast)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: fast and not including_emulation)
    assert uses_bfloat16("auto", CPU) == fast
    assert uses_bfloat16("auto", torch.device("cuda")) == fast
    assert not uses_bfloat16("auto", torch.device("mps"))


def test_a_loaded_models_matrices_lie_column_by_column_with_the_same_values_shapes_and_ties(toy, tmp_path):
    checkpoint.save(toy, tmp_path, precision=torch.float32)
    model, same = checkpoint.load(tmp_path).model, toy.model
    assert all(torch.equal(weight, other) for weight, other in zip(model.parameters(), same.parameters(), strict=True))
    assert model.projection.weight is model.encoder.embedding.tokens.weight
    linear = [module.weight for module in model.modules() if isinstance(module, torch.nn.Linear)]
    assert all(weight.stride() == (1, len(weight)) for weight in linear)  # column by column
    src = sentences(5, 3)
    torch.testing.assert_close(model(src, src).logits, same(src, src).logits)


@each_case("n_active", [0, 1, 8, 9, 64])
def test_a_single_position_reads_only_the_columns_of_few_hidden_numbers_that_are_not_0(n_active):
    network, hidden = randomised(FeedForward(tiny_config(d_ff=64))).double(), torch.zeros(1, 1, 64).double()
    hidden[..., :n_active] = 0.5
    expected = network.project(hidden)
    network.w_2.weight.data = network.w_2.weight.data.T.contiguous().T  # as a checkpoint is loaded
    if n_active <= 64 * MAX_ACTIVE:
        network.w_2.weight.data[:, n_active:] = torch.nan  # whoever reads one of them gets no number
    assert_near(network.project(hidden), expected, within=1e-12)


@each_case(("n_layers", "d_ff", "d_value"), [(1, 24, 4), (3, 40, 6)])
def test_a_step_takes_as_many_products_as_torch_counts(tokenizer, n_layers, d_ff, d_value):
    vocab = tokenizer.vocab_size
    layers = {"n_layers": n_layers, "d_model": 16, "n_heads": 4, "d_ff": d_ff, "d_value": d_value}
    sizes = ModelConfig(src_vocab_size=vocab, tgt_vocab_size=vocab, **layers)
    batch = collate([EncodedPair([5, 6, 7, 3], [8, 9]), EncodedPair([5, 3], [8, 9, 10, 11, 12])], tokenizer)
    loss = BatchLoss(Transformer(sizes), bfloat16=False, compiled=False)
    with FlopCounterMode(display=False) as counter:
        loss(batch, 0.1).backward()
    assert training_flops(sizes, rows=2, src=4, tgt=6, pieces=batch.pieces) == counter.get_total_flops()
