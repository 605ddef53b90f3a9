"""What the glossary says. A term is called by its key, unless NAMES calls it otherwise."""

NAMES: dict[str, str] = {}
GLOSSARY = {
    "activation": (
        "A non-linear function of each number; without it, two linear maps collapse into one. The paper's is ReLU, "
        "which sets negative numbers to 0."
    ),
    "attention": (
        "A weighted mean of values: every query compares itself with all keys, and the better a key fits, the more of "
        "its value the query receives."
    ),
    "attention weight": (
        "How much of a key's value a query takes: a number from 0 to 1. The weights of a query, one row of the "
        "heatmap, sum to 1."
    ),
    "attention rollout": (
        "Attention across all layers: every layer counts as half the mean of its heads and half what the residual "
        "connection keeps, and the layers are multiplied (Abnar and Zuidema 2020). It follows weights only, not what "
        "the values and the feed-forward networks make of them."
    ),
    "batch": (
        "Several sentences computed at once, one along the first axis of a tensor. A single sentence is a batch of one."
    ),
    "beam search": (
        "Decoding that keeps several beginnings of a translation at every step, lets each go on with every piece, and "
        "keeps the best of all that come of it. The paper decodes with a beam of 4."
    ),
    "cross-attention": (
        "Attention from one sequence to another: the queries come from the decoder, the keys and values from the "
        "encoder's output. It is how the translation looks at the source."
    ),
    "d_ff": "The width of the feed-forward network's hidden layer: 2048 in the paper's base model, four times d_model.",
    "d_head": (
        "The width of one head's queries and keys, d_k in the paper: d_model divided by the number of heads there "
        "(512 / 8 = 64)."
    ),
    "d_value": "The width of one head's values, d_v in the paper, where it equals d_head.",
    "d_model": "The width of the residual stream: how many numbers represent one piece. 512 in the paper's base model.",
    "decoder": (
        "The half that writes the translation: it reads what has been written so far and the encoder's output, and "
        "predicts the next piece."
    ),
    "dropout": (
        "During training, some numbers are set to 0 at random and the others made larger, so that the model does not "
        "rely on any single one. Switched off afterwards."
    ),
    "embedding": "The learned vector of a piece: a row of a table with one row for every piece of the vocabulary.",
    "encoder": "The half that reads the source sentence, all of it at once, and gives one vector for each piece.",
    "entropy": (
        "How undecided a distribution is, in bits: 0 if one piece has all the probability, 1 if two are equally likely."
    ),
    "fed → predicted": (
        "The two pieces of a decoding step: the one that the decoder was fed last, and the one that it predicts from "
        "it. A row of the decoder belongs to both."
    ),
    "feed-forward network": (
        "Two linear maps with an activation between them, applied to each position separately and in the same way: "
        "wider first (d_ff), then back to d_model."
    ),
    "greedy decoding": (
        "Choosing the most probable piece at every step and feeding it back in, until the end of the sentence is "
        "chosen."
    ),
    "head": (
        "One of several attentions side by side, each with its own projections to queries, keys and values, so that "
        "each can look for something else."
    ),
    "key": "The vector that a piece is found by: queries are compared with it.",
    "layer": (
        "The unit that is repeated: self-attention and a feed-forward network in the encoder, with cross-attention "
        "between them in the decoder. The paper stacks 6 in each half."
    ),
    "layer normalisation": (
        "Brings each position's vector to mean 0 and variance 1, then scales and shifts every dimension by learned "
        "numbers."
    ),
    "id": "The number of a piece in the vocabulary: what the model is fed in its place.",
    "length of what is added": (
        "Each key adds the vector weight × value × W_O to a query's output; this is its Euclidean length (Kobayashi et "
        "al. 2020). It has no unit: only lengths of the same layer compare. The value's bias is inside, the bias of "
        "W_O is added once and is no key's part. Of several heads it is the mean or maximum of their lengths."
    ),
    "logit lens": (
        "Reading the stream of an inner layer through the output projection, as if the model ended there "
        "(nostalgebraist 2020)."
    ),
    "logits": "One number for every piece of the vocabulary, which the softmax then turns into probabilities.",
    "look-ahead mask": (
        "Hides later positions in the decoder's self-attention, so that a prediction depends only on what was written "
        "before it. Also called causal mask."
    ),
    "mask": (
        "Says which keys a query may attend to. A forbidden score becomes minus infinity, so that its weight is "
        "exactly 0."
    ),
    "mean of heads": (
        "The weights of all heads of a layer, added up and divided by their number, so that one picture stands for all."
    ),
    "memory": "The encoder's output, one vector for each source piece; every decoder layer attends to it.",
    "multi-head attention": (
        "Several heads side by side; their outputs are joined and mixed by one more linear map, W_O."
    ),
    "padding mask": (
        "Hides the filler that makes the sentences of a batch equally long. It hides keys: no query may attend to "
        "padding."
    ),
    "parameter": "A number that training adjusts: an element of a matrix, a bias, a scale.",
    "piece": (
        "What a text is cut into: a frequent word or a part of a word, also called a token. A raised dot marks the "
        "start of a word."
    ),
    "positional encoding": (
        "A vector that depends only on the position, added to each embedding because attention alone does not know "
        "the order. The paper uses sines and cosines; it can also be learned, or left out."
    ),
    "probe": (
        "In this project's code: shows every intermediate tensor, by name, to whoever is looking; where nobody is, it "
        "passes the tensor on unchanged."
    ),
    "query": "The vector that a piece asks with: it is compared with the keys.",
    "raised dot": (
        "The sign · stands where a word begins: ·dog is a word, or its first piece. A piece without it goes on with "
        "the word before."
    ),
    "residual connection": (
        "The input of a sub-layer is added to its output, so that the sub-layer only has to learn what to change."
    ),
    "residual stream": (
        "The vectors that run through all layers, one for each position; every sub-layer reads them and adds to them."
    ),
    "sampling": ("Decoding that draws each next piece by chance: the more probable it is, the more often."),
    "score": "How well a query fits a key: their dot product, divided by the square root of d_head.",
    "self-attention": "Attention within one sequence: queries, keys and values all come from the same pieces.",
    "shape": "How many numbers a tensor has along each axis: [1, 8, 9, 7] is 1 sentence, 8 heads, 9 queries, 7 keys.",
    "SiLU": (
        "An activation that is used instead of ReLU: x times its sigmoid, x / (1 + e to the power of −x). It is "
        "smooth: nearly x for large x, nearly 0 for very negative x, and a little below 0 before that."
    ),
    "softmax": (
        "Turns numbers into positive ones that sum to 1: e to the power of each, divided by the sum of them all. The "
        "largest number gets the largest share."
    ),
    "special pieces": (
        "Signs that stand for no word: </s> ends a sentence, and before it has written anything the decoder is fed a "
        "start, <s> in many models and in others the padding piece <pad>."
    ),
    "sub-layer": "A part of a layer with a residual connection around it: an attention or a feed-forward network.",
    "teacher forcing": (
        "Feeding the decoder a given translation piece by piece instead of its own choices, as training does: every "
        "step then says how probable it found the given piece."
    ),
    "temperature": (
        "Divides the logits before the softmax: above 1 the probabilities draw together, below 1 the largest one "
        "stands out."
    ),
    "value": "The vector that a piece hands over to the queries that attend to it.",
    "vocabulary": "All pieces that the model knows. Each has a number, its id.",
    "weight tying": (
        "One matrix for several jobs: the rows that embed the pieces also score them at the output. The paper shares "
        "it between both embeddings and the output projection."
    ),
}
