"""What the Positions tab says: formulas between dollar signs, terms of explorer.ui.glossary in double brackets."""

TAB = "Positions"

CONTROLS = {
    "length": "Positions shown",
    "position": "Position pos",
    "dimension": "Dimension",
    "measure": "Similarity by",
    "start": "Position pos",
    "distance": "Distance k",
    "side": "Sentence from Explore",
    "forget": "Forget the factor √d_model",
    "first": "Sentence",
    "second": "The same pieces in another order",
    "compare": "Compare",
    "reset": "Back to the first value",
}
DIMENSIONS = {
    **dict.fromkeys(("sinusoidal", "learned"), "Dimensions drawn (even: solid; odd: dotted)"),
    "sinusoidal halves": "Dimensions drawn (sines: solid; cosines: dotted)",
}
PAIRS = {
    **dict.fromkeys(("sinusoidal", "learned"), "Even dimension of the pair, 2i"),
    "sinusoidal halves": "Pair i, the dimension of its sine",
}
SIDES = {"encoder": "{source_language}", "decoder": "{target_language}"}
MEASURES = {"dot product": "dot product", "cosine": "cosine"}
STRIPS = {
    "scaled": "embedding × {scale:.4g}",
    "unscaled": "embedding",
    "positions": "+ position",
    "stream": "= sum",
}

# Axes, labels and hover texts of the figures; Plotly fills in the names after a % sign.
FIGURES = {
    "place": "position in the sentence",
    "dimension": "dimension of the encoding",
    "cell": "position %{y}, dimension %{x}: %{z:.3f}",
    "trained": "longest in training: {trained}",
    "curve": "dimension {dimension}",
    "wave": "dimension {dimension}: a turn in {wavelength:,.1f}",
    "point": "position %{{x}}, dimension {dimension}: %{{y:.3f}}",
    "value": "value",
    "wavelengths": "positions for one turn",
    "wavelength": "dimensions %{x} and %{customdata}: %{y:,.1f} positions",
    "position": "position",
    "similar": "positions %{{y}} and %{{x}}: {measure} %{{z:.3f}}",
    "distances": "distance between two positions",
    "apart": "distance %{{x}}: {measure} %{{y:.3f}}",
    "plane": "position %{pointNumber}: cosine %{x:.3f}, sine %{y:.3f}",
    "one": "position {position}",
    "hand": "position {position}: %{{x:.3f}}, %{{y:.3f}}",
    "strip": "{name}, dimension %{{x}}: %{{z:.3f}}",
    "distance": "distance",
    "pair": "{row} and {column}: {distance:.3g}",
}

# The axes of the plane of a pair, across and up.
PLANES = {
    "sinusoidal": ("odd dimension (cosine)", "even dimension (sine)"),
    "sinusoidal halves": ("dimension in the second half (cosine)", "dimension in the first half (sine)"),
    "learned": ("odd dimension", "even dimension"),
}

TABLE = {
    "sinusoidal": (
        "### The table\n[[attention|Attention]] by itself does not know the order of the pieces. So a vector that "
        "depends only on the position is added to each embedding: $PE(pos, 2i) = \\sin(pos / "
        "10000^{{2i/d_{{model}}}})$ in the even dimensions, the cosine of the same angle in the odd ones, here with "
        "$d_{{model}} = {d_model}$. Each row is the vector of one position. Dimensions on the left change quickly "
        "from one position to the next, those on the right hardly at all, like the second hand and the hour hand of a "
        "clock. Choose a position and a dimension, and follow the formula to the number in the table."
    ),
    "sinusoidal halves": (
        "### The table\n[[attention|Attention]] by itself does not know the order of the pieces. So a vector that "
        "depends only on the position is added to each embedding. Its first half are sines, $PE(pos, i) = \\sin(pos / "
        "10000^{{2i/d_{{model}}}})$ for every $i$ below $d_{{model}}/2$, its second half the cosines of the same "
        "angles, here with $d_{{model}} = {d_model}$. The paper puts each cosine beside its sine instead. Those are "
        "the same numbers; only the order of the dimensions differs. Each row is the vector of one position. At the "
        "left end of each half dimensions change quickly from one position to the next, at its right end hardly at "
        "all, like the second hand and the hour hand of a clock. Choose a position and a dimension, and follow the "
        "formula to the number in the table."
    ),
    "none": (
        "### No positions\n[[attention|Attention]] by itself does not know the order of the pieces. Most models add a "
        "vector to each embedding that tells its position; **this one adds none**, so there is no table to show here, "
        "and no wave in it. What follows? To its [[encoder]] a sentence is a bag of pieces: in another order the same "
        "pieces give the same vectors, each in its new place (compare two orders below). So what depends on the order "
        "of the source cannot be learned, such as who bites whom, or how to reverse a list. What only asks which "
        "pieces there are, such as sorting them, can be. The [[decoder]] is better off: its [[look-ahead mask]] lets "
        "every step see one piece more than the one before, from which it can tell how far it has come."
    ),
    "learned": (
        "### The table\n[[attention|Attention]] by itself does not know the order of the pieces. So a vector that "
        "depends only on the position is added to each embedding. In this model there is no formula: the vectors were "
        "learned, one for each of the {max_len} positions. These are the encoder's; the decoder has its own. Each row "
        "is the vector of one position. Do neighbouring rows look alike? Choose a position and a dimension to read "
        "its number."
    ),
}
HALVES = ("first", "second")
WAVE_NAMES = ("sine", "cosine")  # of an even dimension, of an odd one
FORMULA = {
    "sinusoidal": (
        "$i = {i}$, so $2i = {even}$, and dimension {dimension} is the {name}:\n\n$PE({position}, {dimension}) = "
        "\\{function}\\left({position} / 10000^{{{even}/{d_model}}}\\right) = \\{function}({angle:.4f}) = "
        "{value:.4f}$\n\nThe model's own table holds **{held:.4f}** there."
    ),
    "sinusoidal halves": (
        "Dimension {dimension} is in the {half} half: it is the {name} of the pair $i = {i}$, so $2i = {even}$:\n\n"
        "$PE({position}, {dimension}) = \\{function}\\left({position} / 10000^{{{even}/{d_model}}}\\right) = "
        "\\{function}({angle:.4f}) = {value:.4f}$\n\nThe model's own table holds **{held:.4f}** there."
    ),
    "learned": "Row {position}, dimension {dimension} of the learned table holds **{held:.4f}**.",
}
WAVES = {
    "sinusoidal": (
        "### The waves\nThe same table, column by column: each dimension is a wave along the sentence. A pair of "
        "dimensions takes $2\\pi \\cdot 10000^{{2i/d_{{model}}}}$ positions for one turn, from {shortest:.1f} in the "
        "first pair to {longest:,.0f} in the last; the lower figure shows them all. A sine and the cosine next to it "
        "have the same wavelength. Try two dimensions far to the right: within a sentence they are almost straight "
        "lines."
    ),
    "sinusoidal halves": (
        "### The waves\nThe same table, column by column: each dimension is a wave along the sentence. A pair takes "
        "$2\\pi \\cdot 10000^{{2i/d_{{model}}}}$ positions for one turn, from {shortest:.1f} in the first pair to "
        "{longest:,.0f} in the last; the lower figure shows them all. A sine in the first half has the wavelength of "
        "the cosine in the same place of the second half. Try two dimensions far to the right in their half: within a "
        "sentence they are almost straight lines."
    ),
    "learned": (
        "### The curves\nThe same table, column by column: how one dimension changes along the sentence. Nothing "
        "forces these curves to be waves, or even smooth. Can you find a dimension that has learned to change slowly?"
    ),
}
SIMILARITY = {
    "sinusoidal": (
        "### Which positions are alike?\nEvery position's vector compared with every other's: by the dot product, or "
        "by the cosine of the angle between them. Both say the same here, because all sinusoidal encodings have the "
        "same length, √(d_model / 2). The picture is made of stripes: only the distance matters, not where in the "
        "sentence the two positions are. How far apart must two positions be to be half as alike?"
    ),
    "learned": (
        "### Which positions are alike?\nEvery position's vector compared with every other's: by the dot product, or "
        "by the cosine of the angle between them. How far is the picture from stripes, which would mean that only the "
        "distance matters? The grey band reaches from the least to the greatest similarity at each distance. Dot "
        "product and cosine differ only if the vectors' lengths do."
    ),
}
SIMILARITY["sinusoidal halves"] = SIMILARITY["sinusoidal"]
TURN = {
    "sinusoidal": (
        "### A shift is a turn\nTake a sine and the cosine next to it as a point: every position lies on one circle. "
        "The position k further on lies $k / 10000^{2i/d_{model}}$ further round it, wherever you start. So "
        "$PE(pos+k)$ is a fixed linear map of $PE(pos)$, which the authors hoped would let attention learn relative "
        "positions. Change pos: the dotted arc keeps its length. Then change k, or the pair."
    ),
    "sinusoidal halves": (
        "### A shift is a turn\nTake a sine of the first half and its cosine of the second half as a point: every "
        "position lies on one circle. The position k further on lies $k / 10000^{2i/d_{model}}$ further round it, "
        "wherever you start. So $PE(pos+k)$ is a fixed linear map of $PE(pos)$, which the authors hoped would let "
        "attention learn relative positions. Change pos: the dotted arc keeps its length. Then change k, or the pair."
    ),
    "learned": (
        "### Is a shift a linear map?\nFor sinusoids, $PE(pos+k)$ is a turn of $PE(pos)$, the same for every pos. A "
        "learned table promises no such thing. Here two of its dimensions are drawn as a point for each position; "
        "they lie on no circle. Try another pair, or a larger k."
    ),
}
ERROR = {
    "sinusoidal": (
        "This pair turns by **{turn:.4f}** radians ({degrees:.1f}°). Turned in this way, pair by pair, all {count} "
        "positions that have another one {distance} further on miss its vector in the model's table by at most "
        "**{error:.1e}**, which is rounding."
    ),
    "learned": (
        "A linear map from a position to the one {distance} further on was fitted on every second position. On the "
        "positions in between, it gets **{error:.0%}** of the vectors' length wrong (0%: a linear map; 100%: no "
        "better than answering zero)."
    ),
    "undetermined": (
        "Whether a shift is a linear map cannot be said here: there are fewer pairs of positions {distance} apart "
        "than dimensions, so some linear map always fits."
    ),
}
ERROR["sinusoidal halves"] = ERROR["sinusoidal"]
PIECES = {
    "added": (
        "### Your pieces\nWhat enters the first layer, for your sentence: the [[embedding]] times "
        "$\\sqrt{{d_{{model}}}} = {scale:.4g}$, the position, and their sum, all on one colour scale; the number to "
        "the right of each row is its length (norm). Equal pieces have equal embeddings, but different sums: type a "
        "sentence with a repeated word in Explore and come back. Then forget the factor."
    ),
    "none": (
        "### Your pieces\nWhat enters the first layer, for your sentence: the [[embedding]] times "
        "$\\sqrt{{d_{{model}}}} = {scale:.4g}$, and nothing else. The number to the right of each row is its length "
        "(norm). Equal pieces have equal rows, wherever they stand: type a sentence with a repeated word in Explore "
        "and come back."
    ),
}
NORMS = (
    "On average an embedding is **{embedding:.2f}** long, a position **{positions:.2f}** and their sum "
    "**{stream:.2f}**."
)
NOTHING_ADDED = "On average an embedding is **{embedding:.2f}** long. No position is added to it."
MISTAKE = (
    "**Common mistake: leaving out the factor.** One introduction adds positions to the bare embeddings. In this "
    "model those are **{bare:.2f}** long, beside positions of {positions:.2f}. {drowned}How much it matters depends "
    "on how the table is initialised: PyTorch's `nn.Embedding` starts with variance 1, this model's with 1 / "
    "d_model.{tied}"
)
TIED = " That suits its second use, as the output projection."
DROWNED = (
    "So the piece itself would nearly be drowned out. (Another article says that unscaled embeddings would "
    "*dominate*: here it is the other way round.) "
)
ORDER = {
    "added": (
        "### Does order matter?\nThe [[encoder]] reads both sentences, and every output of the first is compared with "
        "every output of the second: the stronger the colour, the nearer. On the left, the model as it is; on the "
        "right, zeros are added instead of positions. Without positions, each piece finds an exact copy of itself, "
        "even both copies of a repeated piece: to attention alone there is no order. Try your own sentence, with its "
        "words in another order."
    ),
    "none": (
        "### Does order matter?\nThe [[encoder]] reads both sentences, and every output of the first is compared with "
        "every output of the second: the stronger the colour, the nearer. This model adds no positions, so each piece "
        "finds an exact copy of itself, even both copies of a repeated piece: to attention alone there is no order. "
        "Try your own sentence, with its words in another order."
    ),
}
ORDER_RESULT = {
    "added": (
        "The largest distance between a piece and itself in the other sentence is <b>{ordered:.3g}</b> with positions "
        "and <b>{unordered:.1e}</b> without, which is rounding."
    ),
    "none": (
        "The largest distance between a piece and itself in the other sentence is <b>{ordered:.1e}</b>, which is "
        "rounding: to this encoder both sentences are the same."
    ),
}
ORDER_PANELS = {"added": ("with positions", "without positions"), "none": ("as the model is",)}
DOOR = "What if: the sentence of Explore without positions"
TWO_SENTENCES = "Type a sentence into both boxes, the second with the pieces of the first in another order."
OTHER_PIECES = (
    "The two sentences must consist of the same pieces in another order; yours are {first} and {second}. Check "
    "capitals and full stops."
)
BEYOND = {
    "marked": ("### Beyond the training\nThis model was trained on sentences of at most **{trained}** positions. "),
    "unknown": "### Beyond the training\nHow long the training sentences were is not recorded. ",
    "covered": (
        "### Beyond the training\nThe training allowed sentences of {trained} positions, and this model has "
        "{max_len}, so none lies beyond it. "
    ),
    "sinusoidal": (
        "The formula goes on beyond that, which is why the paper's authors hoped that sinusoids might extrapolate. "
        "But layers that have never seen such rows may not know what to do with them: it is a hope, not a promise."
    ),
    "learned": (
        "A learned row changes only when a sentence reaches it: rows beyond the longest sentence are as random as on "
        "the first day, and beyond row {last} there are none at all."
    ),
    "none": (
        "### Beyond the training\nNo sentence reaches positions that the training did not: there are none. But in a "
        "longer sentence every [[softmax]] spreads over more pieces than the layers ever saw."
    ),
    "try": " To see where the training ended, show {shown} positions above: a dashed line marks it.",
}
BEYOND["sinusoidal halves"] = BEYOND["sinusoidal"]
