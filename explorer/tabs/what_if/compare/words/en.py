"""What the station says."""

LABEL = "Another sentence"
HINT = "Change the {source_language}, and see what becomes of the {target_language}"

HTML = {
    "how": "Change one word of the {source_language} and compare: which {target_language} [[piece|pieces]] change with "
    "it, and which heads look elsewhere? Or shuffle the words: does the model read the order?",
    "second": "Second sentence",
    "compare": "Compare",
    "first": "Take the first again",
    "first_hint": "Write the first sentence into the box, to change it",
    "shuffle": "Shuffle its words",
    "shuffle_hint": "The words in a random order; the marks at the end stay there",
    "seed": "Seed",
    "seed_hint": "The same seed gives the same order every time",
    "next": "Another order",
    "next_hint": "The order of the next seed",
    "aligned": "Both sentences, piece by piece",
}
TEXT = {
    "names": {"original": "First", "changed": "Second"},
    "signs": "Above stands the first sentence, below the second. − is only in the first, + only in the second.",
    "placesShown": "The same pieces in another order: above each one stands its place in the first sentence.",
    "moved": "“{piece}”: place {first} in the first, {second} in the second",
    "same": "“{first}” in both",
    "instead": "“{first}” in the first, “{second}” in the second",
    "removed": "“{first}” only in the first",
    "added": "“{second}” only in the second",
}
