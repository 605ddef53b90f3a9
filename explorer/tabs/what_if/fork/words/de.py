"""What the station says."""

LABEL = "Anderes Token"
HINT = "Lass die Übersetzung mit einem anderen Token weitergehen oder so beginnen, wie du möchtest"

HTML = {
    "how": "Greedy-Decoding nimmt bei jedem Schritt das wahrscheinlichste [[piece|Token]]. Wähle einen Schritt und "
    "dann einen anderen Kandidaten: Dieses Token wird genommen, wie unwahrscheinlich es auch sein mag, und von dort "
    "geht es greedy weiter. Jede Wahl ist ein Zweig.",
    "pieces": "Übersetzung bis hier: Wähle einen Schritt",
    "candidates": "Kandidaten bei diesem Schritt: Wähle einen anderen",
    "begin": "Oder beginne mit",
    "placeholder": "{target_language}",
    "go": "Von dort weiter",
    "tree": "Zweige",
}
TEXT = {
    "names": {"original": "Greedy", "changed": "Dieser Zweig"},
    "step": "Schritt {step}: gelesen „{fed}“, vorhergesagt „{predicted}“ ({probability})",
    "candidate": "Mit „{piece}“ weitergehen (Wahrscheinlichkeit {probability})",
    "root": "greedy: {target}",
    "branch": "Schritt {step}, „{piece}“ statt „{instead}“: {target}",
    "end": "Ende",
    "total": "Log-Wahrscheinlichkeit {total}",
    "remove": "Diesen Zweig entfernen",
    "waiting": "…",
}
