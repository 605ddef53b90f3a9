"""What the Positions tab says: formulas between dollar signs, terms of explorer.shared.glossary in double brackets."""

TAB = "Positions"

CONTROLS = {
    "length": "Positions shown",
    "position": "Position pos",
    "dimension": "Dimension",
    "dimensions": "Dimensions drawn (even: solid; odd: dotted)",
    "measure": "Similarity as",
    "pair": "Even dimension of the pair, 2i",
    "start": "Position pos",
    "distance": "Distance k",
    "side": "Sentence of Explore",
    "forget": "Forget the factor √d_model",
    "first": "Sentence",
    "second": "The same pieces in another order",
    "compare": "Compare",
}
SIDES = {"encoder": "English", "decoder": "German"}
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
    "wavelength": "dimensions %{x} and the next: %{y:,.1f} positions",
    "position": "position",
    "similar": "positions %{{y}} and %{{x}}: {measure} %{{z:.3f}}",
    "distances": "distance between two positions",
    "apart": "distance %{{x}}: {measure} %{{y:.3f}}",
    "plane": "position %{pointNumber}: cosine %{x:.3f}, sine %{y:.3f}",
    "one": "position {position}",
    "hand": "position {position}: %{{x:.3f}}, %{{y:.3f}}",
    "odd": "odd dimension",
    "odd_cosine": "odd dimension (cosine)",
    "even": "even dimension",
    "even_sine": "even dimension (sine)",
    "strip": "{name}, dimension %{{x}}: %{{z:.3f}}",
    "distance": "distance",
    "pair": "{row} and {column}: {distance:.3g}",
}

TABLE = {
    "sinusoidal": (
        "### The table\n[[attention|Attention]] alone does not know the order of the pieces. So a vector that depends "
        "only on the position is added to each embedding: $PE(pos, 2i) = \\sin(pos / 10000^{{2i/d_{{model}}}})$ in "
        "the even dimensions, the cosine of the same angle in the odd ones, here with $d_{{model}} = {d_model}$. Each "
        "row is the vector of one position. Notice that dimensions on the left turn quickly from one position to the "
        "next, those on the right hardly at all, like a clock's hands for seconds and hours. Try: choose a position "
        "and a dimension, and follow the formula to the number in the table."
    ),
    "learned": (
        "### The table\n[[attention|Attention]] alone does not know the order of the pieces. So a vector that depends "
        "only on the position is added to each embedding. In this model there is no formula: the vectors were "
        "learned, one for each of the {max_len} positions. These are the encoder's; the decoder has its own. Each row "
        "is the vector of one position. Notice whether neighbouring rows look alike. Try: choose a position and a "
        "dimension to read its number."
    ),
}
WAVE_NAMES = ("sine", "cosine")  # of an even dimension, of an odd one
FORMULA = {
    "sinusoidal": (
        "$i = {i}$, so $2i = {even}$, and dimension {dimension} is the {name}:\n\n$PE({position}, {dimension}) = "
        "\\{function}\\left({position} / 10000^{{{even}/{d_model}}}\\right) = \\{function}({angle:.4f}) = "
        "{value:.4f}$\n\nThe model's own table holds **{held:.4f}** there."
    ),
    "learned": "Row {position}, dimension {dimension} of the learned table holds **{held:.4f}**.",
}
WAVES = {
    "sinusoidal": (
        "### The waves\nThe same table, column by column: each dimension is a wave along the sentence. A pair of "
        "dimensions takes $2\\pi \\cdot 10000^{{2i/d_{{model}}}}$ positions for one turn, from {shortest:.1f} in the "
        "first pair to {longest:,.0f} in the last; below you see all of them. Notice that a sine and the cosine "
        "beside it have the same wavelength. Try: draw two dimensions far to the right. Within a sentence they are "
        "almost straight lines."
    ),
    "learned": (
        "### The curves\nThe same table, column by column: how one dimension changes along the sentence. Nothing "
        "makes these curves waves, or even smooth. Try: look for a dimension that has learned a slow change."
    ),
}
SIMILARITY = {
    "sinusoidal": (
        "### Which positions are alike?\nEvery position's vector compared with every other's: by the dot product, or "
        "by the cosine of the angle between them. Both say the same here, because all sinusoidal encodings are "
        "equally long: √(d_model / 2). Notice that the picture consists of stripes: only the distance counts, not "
        "where in the sentence the two positions are. Try: find how far apart two positions must be to be half as "
        "alike."
    ),
    "learned": (
        "### Which positions are alike?\nEvery position's vector compared with every other's: by the dot product, or "
        "by the cosine of the angle between them. Notice how far the picture is from stripes, which would mean that "
        "only the distance counts: the grey band reaches from the least to the greatest similarity at each distance. "
        "Try: compare dot product and cosine, which differ as far as the vectors differ in length."
    ),
}
TURN = {
    "sinusoidal": (
        "### A shift is a turn\nTake a sine and the cosine beside it as a point: every position lies on one circle. "
        "The position k further on lies $k / 10000^{2i/d_{model}}$ further round it, wherever one starts. So "
        "$PE(pos+k)$ is a fixed linear map of $PE(pos)$, which the authors hoped would let attention learn relative "
        "positions. Notice that the dotted arc keeps its length when you change pos. Try: change k, then another pair."
    ),
    "learned": (
        "### Is a shift a linear map?\nFor sinusoids $PE(pos+k)$ is a turn of $PE(pos)$, the same for every pos. A "
        "learned table promises no such thing. Here two of its dimensions are drawn as a point for each position. "
        "Notice that they lie on no circle. Try: another pair, or a larger k."
    ),
}
ERROR = {
    "sinusoidal": (
        "This pair turns by **{turn:.4f}** (in radians; {degrees:.1f}°). Turning all pairs of all {count} positions "
        "that have another {distance} further on misses the model's table by at most **{error:.1e}**, which is "
        "rounding."
    ),
    "learned": (
        "A linear map from a position to the one {distance} further on was fitted on every second position. On those "
        "between it gets **{error:.0%}** of the vectors' length wrong (0%: a linear map; 100%: no better than "
        "answering zero)."
    ),
    "undetermined": (
        "Whether a shift is a linear map cannot be said here: there are fewer pairs of positions {distance} apart "
        "than dimensions, so that some linear map always fits."
    ),
}
PIECES = (
    "### Your pieces\nWhat enters the first layer, for your sentence: the [[embedding]] times $\\sqrt{{d_{{model}}}} "
    "= {scale:.4g}$, the position, and their sum, all on one colour scale; the number at the right of each row is its "
    "length (norm). Notice that equal pieces have equal embeddings, and unequal sums. Try: type a sentence with a "
    "repeated word in Explore and come back, then forget the factor."
)
NORMS = (
    "On average an embedding is **{embedding:.2f}** long, a position **{positions:.2f}**, their sum **{stream:.2f}**."
)
MISTAKE = (
    "**Common mistake: the factor is left out.** One introduction adds positions to the bare embeddings. In this "
    "model those are **{bare:.2f}** long, beside positions of {positions:.2f}. {drowned}How much it matters depends "
    "on how the table begins: PyTorch's `nn.Embedding` starts with variance 1, this model's with 1 / d_model{tied}."
)
TIED = ", which suits its second use as the output projection"
DROWNED = (
    "So the piece itself would nearly drown. (Another article says that unscaled embeddings would *dominate*: here it "
    "is the other way round.) "
)
ORDER = (
    "### Does order matter?\nThe [[encoder]] reads both sentences, and every output of the first is compared with "
    "every output of the second: strong colour means near. On the left the model as it is; on the right zeros are "
    "added instead of positions. Notice that without positions each piece finds an exact copy of itself, even both "
    "copies of a repeated piece: to attention alone there is no order. Try: your own sentence, with its words in "
    "another order."
)
EXPLORED = "The sentence of Explore: {sentence}"
ORDER_RESULT = (
    "The largest distance between a piece and itself in the other sentence is <b>{ordered:.3g}</b> with positions and "
    "<b>{unordered:.1e}</b> without, which is rounding."
)
ORDER_PANELS = ("with positions", "without positions")
ORDER_EXAMPLE = ("the cat sat on the mat", "the mat sat on the cat")
TWO_SENTENCES = "Type a sentence into both boxes: the second with the pieces of the first in another order."
OTHER_PIECES = (
    "The two sentences must consist of the same pieces in another order; these are {first} and {second}. Mind "
    "capitals and full stops."
)
BEYOND = {
    "marked": (
        "### Beyond the training\nThis model was trained without sentences of more than **{trained}** positions. "
    ),
    "unknown": "### Beyond the training\nHow long the sentences of this training were is not recorded. ",
    "covered": (
        "### Beyond the training\nThe training allowed sentences of {trained} positions, and this model has "
        "{max_len}: none lies beyond it. "
    ),
    "sinusoidal": (
        "The formula goes on beyond it: that is why the paper's authors hoped that sinusoids might extrapolate. But "
        "layers that never met such rows may not know what to do with them, so it is a hope and not a promise."
    ),
    "learned": (
        "A learned row changes only when a sentence reaches it: rows beyond the longest sentence are as random as on "
        "the first day, and beyond row {last} there is nothing at all."
    ),
    "try": " Try: show {shown} positions above. A dashed line marks where the training ended.",
}
