"""What the page says where it is plain files."""

SITE = {
    "sentence": "Sentence",
    "made": "These are plain files: sentences that were translated beforehand. Nothing you do here is sent anywhere.",
}
REFUSALS = {
    "sentence": "This page holds only the sentences of its list. The program translates any: python app.py",
    "server": "This needs the model itself, which plain files do not have. Install the program and start it: "
    "python app.py",
}
AWAY = (
    "This room computes with the model while you use it, so it needs the program and not only files: install it as its "
    "README says, and start it with python app.py."
)
FILE = {
    "text": "{file} is no text in UTF-8.",
    "none": "{file} holds no sentence: write one on each line.",
    "many": "{file} has {count} sentences; a folder holds at most {limit}.",
    "line": "{file}, line {line}: {reason}",
    "again": "the same sentence stands on line {line}.",
    "foreign": "{folder} holds something else than such a page: choose an empty folder, or a new one.",
}
