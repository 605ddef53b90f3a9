"""Wie Spielmodelle heißen."""

TASKS = {
    "reverse": "Umdrehen",
    "copy": "Abschreiben",
    "sort": "Sortieren",
    "numbers": "Wörter zu Ziffern",
    "dates": "Daten",
}
ABOUT = {
    "layer": "{count} Schicht",
    "layers": "{count} Schichten",
    "head": "{count} Kopf",
    "heads": "{count} Köpfe",
    "without": "ohne Positionen",
}
