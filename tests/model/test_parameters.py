"""The parameter table: the walkthrough article's numbers, tied matrices counted once, shares, the command."""

import re

from reference import tiny_model

from model.parameters import main, parameter_table, preset

# The rows with parameters of the article's torchinfo table, in its order. Its LayerNorm is our AddNorm; it projects
# queries, keys and values in one matrix, as many numbers as our three; its positional encoding and dropout hold none.
ENCODER_LAYER = [1_050_624, 1_024, 2_099_712, 1_024]
DECODER_LAYER = [1_050_624, 1_024, 1_050_624, 1_024, 2_099_712, 1_024]
ARTICLE = [51_200, *(6 * ENCODER_LAYER), 61_440, *(6 * DECODER_LAYER), 61_560]


def test_the_seed_preset_has_the_articles_parameters_row_by_row():
    whole, *parts = parameter_table(preset("seed"))
    blocks = [part for part in parts if re.search(r"tokens|layers\.\d+\.\w+$|projection", part.path)]
    assert [part.parameters for part in blocks] == ARTICLE
    assert whole.parameters == sum(ARTICLE) == 44_312_696


def test_a_tied_matrix_is_counted_once_and_its_owner_named():
    found = {part.path: part for part in parameter_table(tiny_model())}
    assert found["encoder.embedding.tokens"].parameters == 30 * 16
    assert found["decoder.embedding.tokens"].parameters == 0
    assert found["decoder.embedding.tokens"].tied == {"weight": "encoder.embedding.tokens.weight"}
    assert found["projection"].parameters == 30  # its bias
    assert found["projection"].own == "weight [30, 16] (that of encoder.embedding.tokens), bias [30]"


def test_the_command_prints_the_table_of_a_preset_or_of_the_shipped_checkpoint(shipped, capsys):
    main(["--preset", "seed"])
    lines = capsys.readouterr().out.splitlines()
    attention = next(line for line in lines if "MultiHeadAttention" in line)
    assert attention.startswith("        self_attention") and attention.endswith("1,050,624     2.37%")
    assert lines[-1] == "44,312,696 parameters: 177.25 MB as 32-bit floats"
    main([])
    assert f"\n{sum(weight.numel() for weight in shipped.model.parameters()):,} parameters" in capsys.readouterr().out
