"""Why an experiment is refused."""

REFUSALS = {
    "no_piece": "There is no piece {piece}: the sentence has {pieces}, its end included.",
    "all_hidden": "At least one piece must stay: with all of them hidden there is nothing to attend to.",
    "end_hidden": "The end of the sentence is hidden, so no head can put all its weight on it.",
    "no_german_piece": "The beginning holds a piece that the model can never write.",
    "end_inside": "The beginning goes on after the end of the sentence.",
    "long_german": "The beginning has {pieces} pieces; the model writes at most {limit}.",
    "shift": "Positions cannot be shifted by {shift}: the model knows no positions beyond its longest sentence, which "
    "leaves room for at most {limit} here.",
    "no_head": "There is no such head: {head}. The model has {layers} layers and {heads} heads, counted from 0.",
    "no_layer": "There is no layer {layer}: layers count from 0 to {last}, and -1 is the embedding.",
}
