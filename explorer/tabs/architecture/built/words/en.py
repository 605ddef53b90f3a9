"""What is said of the choices by which models differ; terms in double brackets are linked by the glossary."""

DEPTHS = {
    "same": "{encoder} [[layer|layers]] in the [[encoder]] and as many in the [[decoder]], with {heads} [[head|heads]] "
    "in every [[attention]].",
    "different": "{encoder} [[layer|layers]] in the [[encoder]], {decoder} in the [[decoder]], with {heads} "
    "[[head|heads]] in every [[attention]]. The stacks need not be equally deep: every decoder layer reads the output "
    "of the last encoder layer. The encoder runs once for a sentence and the decoder once for every [[piece]], so a "
    "shallow decoder is fast.",
}
ACTIVATION = {
    "relu": "The [[activation]] is ReLU, max(0, x): negative numbers become 0.",
    "gelu": "The [[activation]] is GELU, x · Φ(x), with the share Φ(x) of a normal distribution that lies below x: a "
    "smooth ReLU, a little below 0 for small negative numbers.",
    "silu": "The [[activation]] is [[SiLU]], x · σ(x) = x / (1 + exp(−x)), also called Swish: a smooth ReLU, a little "
    "below 0 for small negative numbers.",
}
POSITIONS = {
    "sinusoidal": "The [[positional encoding|positions]] are sines and cosines in turn, as in the paper: computed, not "
    "learned.",
    "sinusoidal halves": "The [[positional encoding|positions]] are the paper's sines and cosines in another order: "
    "first all sines, then all cosines.",
    "learned": "The [[positional encoding|positions]] are a learned table, one row for each position.",
    "none": "There are no [[positional encoding|positions]]: nothing is added to the [[embedding]].",
}
START = {
    "bos": "Decoding starts from a [[special pieces|special piece]] of its own.",
    "pad": "Decoding starts from the padding piece, as the model has no start of its own. In that first place it pads "
    "nothing, so the [[padding mask]] leaves it visible.",
}
BIAS = (
    "A bias is added to the [[logits]], one number for every piece of the [[vocabulary]]: how probable it is whatever "
    "was read."
)
PIECES = {
    "one": "One SentencePiece model cuts the sentences of both languages into [[piece|pieces]].",
    "two": "Each language has a SentencePiece model of its own that cuts its sentences into [[piece|pieces]], and one "
    "[[vocabulary]] gives the pieces of both their [[id|ids]].",
}
TAGS = {
    "one": "The [[vocabulary]] has a tag, {first}, which stands before a sentence and says into which language to "
    "translate. To the model it is a [[piece]] like any other.",
    "several": "It translates into more than one language: a tag before the sentence, such as {first}, says which. To "
    "the model a tag is a [[piece]] like any other; the vocabulary has {count}.",
}
