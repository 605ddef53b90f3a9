"""The arithmetic of a training step, against torch's own count."""

from cases import each_case
from torch.utils.flop_counter import FlopCounterMode

from model.config import ModelConfig
from model.hardware import training_flops
from model.training.data import EncodedPair, collate
from model.training.loss import BatchLoss
from model.transformer import Transformer


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
