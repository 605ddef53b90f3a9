"""A score as the record of a checkpoint holds it."""

SCORE = {"file": "test.tsv", "pairs": 1000, "decoding": "beam 5", "bleu": 31.26, "chrf": 58.0, "signature": "BLEU a|b"}
