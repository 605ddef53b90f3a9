"""Why an experiment is refused."""

REFUSALS = {
    "no_piece": "There is no piece {piece}: the sentence has {pieces}, its end included.",
    "all_hidden": "At least one piece must stay: with all of them hidden there is nothing to attend to.",
    "no_examples": "There are no example sentences in {source_language} to take a mean over: replace by zeros instead.",
    "end_hidden": "The end of the sentence is hidden, so no head can put all its weight on it.",
    "no_target_piece": "The beginning holds a piece that the model can never write.",
    "end_inside": "The beginning goes on after the end of the sentence.",
    "long_target": "The beginning has {pieces} pieces; the model writes at most {limit}.",
    "unknown_target": "The model has no pieces for {characters}. It can never write that.",
    "no_text": "The translation must be a text.",
    "empty_target": "There is no {target_language} yet: type some.",
    "shift": "Positions cannot be shifted by {shift}: the model knows no positions beyond its longest sentence, which "
    "leaves room for at most {limit} here.",
    "no_head": "There is no such head: {head}. The model has {encoder} layers in the encoder, {decoder} in the decoder "
    "and {heads} heads in each, counted from 0.",
    "no_layer": "There is no layer {layer}: layers count from 0 to {last}, and -1 is the embedding.",
    "width": "A beam keeps from 1 to {widest} hypotheses here, not {width}.",
    "samples": "From 1 to {most} samples are drawn at once, not {count}.",
}
PATCHING = {
    "alike": "Both sentences have the same {target_language}, so there is no step at which it could follow one of "
    "them. Change a word that the {target_language} must show.",
}

MEASURE_HEADS = "python -m explorer.catalogue --model FOLDER --dev dev.tsv.gz --pairs train.tsv.gz"
# Why the numbers of a checkpoint's heads are not shown.
UNREADABLE_HEADS = "The numbers of this checkpoint's heads (heads.json) cannot be read; measure them again."
FOREIGN_HEADS = "The numbers beside this checkpoint (heads.json) belong to another one; measure its heads again."

# What a head is called whose number passes a threshold (RULES of catalogue.py).
HEAD_NAMES = {
    "previous": "previous piece",
    "same": "same piece",
    "next": "next piece",
    "start": "start of sentence",
    "end": "end of sentence",
    "marks": "punctuation",
    "aligns": "aligns",
    "nearby": "nearby",
    "broad": "broad",
}
# Whether two halves of the sentences put the heads into the same order.
STABILITY = {
    True: "from 0.9 on we call the order stable.",
    False: "under 0.9, so the order is unstable: other sentences would put many heads into another order.",
}
