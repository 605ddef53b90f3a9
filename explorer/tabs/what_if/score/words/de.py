"""What the station says."""

LABEL = "Deine Übersetzung"
HINT = "Tippe eine eigene Übersetzung ein und sieh, für wie wahrscheinlich das Modell jedes Token davon hält"

HTML = {
    "how": "Das Modell liest deine Übersetzung Token für Token, was auch immer es selbst geschrieben hätte "
    "([[teacher forcing]]). Jede Zeile sagt, für wie wahrscheinlich es dein Token hielt und was es selbst genommen "
    "hätte.",
    "label": "Deine Übersetzung",
    "placeholder": "Tippe eine Übersetzung ein und drücke Enter",
    "go": "Bewerten",
    "own": "Die des Modells nehmen",
    "own_hint": "Die Übersetzung des Modells in das Feld schreiben, um sie zu ändern",
    "table": "Tokens deiner Übersetzung",
    "step": "Schritt",
    "piece": "Token",
    "probability": "Wahrscheinlichkeit",
    "log": "Log-Wahrscheinlichkeit",
    "rank": "Rang",
    "rank_hint": "1 ist das wahrscheinlichste Token von allen",
    "surprise": "Überraschung",
    "surprise_hint": "Minus der Logarithmus der Wahrscheinlichkeit zur Basis 2: 0 Bit ist sicher, 1 Bit ein Münzwurf",
    "first": "Erste Wahl des Modells",
}
TEXT = {
    "names": {"original": "Greedy", "changed": "Deine"},
    "bits": "{bits} Bit",
    "candidate": "{piece} ({probability})",
    "sum": "alle",
}
