"""Words and numbers of the screen that several rooms use."""

KIND_TITLES = {
    "encoder": "Encoder-Self-Attention",
    "decoder": "Decoder-Self-Attention (maskiert)",
    "cross": "Cross-Attention",
}
KIND_NAMES = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}
KINDS = "Art der Attention"

# How a head is called, or the mean or maximum of several.
HEADS = {
    "both": "{layer} · {head}",
    "layer": {
        "one": "Schicht {number}",
        "mean": "Mittel der Schichten",
        "max": "Maximum der Schichten",
        "rollout": "Rollout",
    },
    "head": {"one": "Kopf {number}", "mean": "Mittel der Köpfe", "max": "Maximum der Köpfe"},
}
PICKERS = {
    "kinds": KINDS,
    "layer": "Schicht",
    "layer_hint": "Welche Schicht des Stapels",
    "head": "Kopf",
    "head_hint": "Welcher Attention-Kopf der Schicht",
}

# The sentence of Explore and its translation so far, in the rooms that follow.
CONTEXT = {
    "source": "{source_language}",
    "target": "{target_language}",
    "title": "Zu dem Schritt, der dieses Token vorhersagt",
}

NO_FONT = "Dein Gerät hat keine Schrift für {scripts}; was so geschrieben ist, erscheint hier als leere Kästchen."
FORK = "Was wäre, wenn „{piece}“ als Nächstes käme? Von dort weiter"  # of a candidate
STEPS = "Schritte der Übersetzung"
STEP = "Schritt {step} von {steps}: gelesen „{fed}“, vorhergesagt „{predicted}“ ({probability})"
TRANSPORT = {
    "first": "Erster Schritt",
    "first_hint": "Erster Schritt (Pos1)",
    "previous": "Voriger Schritt",
    "previous_hint": "Voriger Schritt (Pfeil nach links)",
    "play": "Start",
    "pause": "Pause",
    "play_hint": "Abspielen oder anhalten (Leertaste)",
    "next": "Nächster Schritt",
    "next_hint": "Nächster Schritt (Pfeil nach rechts)",
    "last": "Letzter Schritt",
    "last_hint": "Letzter Schritt (Ende)",
    "slider": "Schritt der Übersetzung",
    "slider_hint": "Zu einem Schritt der Übersetzung",
}

# Why the server does not answer.
REFUSALS = {
    "full": "Gerade fragen zu viele zugleich. Bitte versuche es in {seconds} s noch einmal; dein Text bleibt stehen.",
    "values": "Dafür braucht es {needed} Werte, es kamen {given}.",
    "no_question": "Das lässt sich nicht fragen.",
    "no_answer": "Das lässt sich so nicht fragen (die Stelle des Fehlers: {fault}).",
    "index": "{name} muss zwischen 0 und {last} liegen, nicht bei {value}.",
}
# Von dem, was vom Server unterwegs ist.
WAITING = {"turn": "Du bist dran.", "ahead": "In der Schlange: {ahead} vor dir.", "stop": "Abbrechen"}

# Languages that are none, by their codes: what a toy reads and writes (explorer/toys/tasks.py).
TOY_LANGUAGES = {
    "zxx-x-forwards": "Vorwärts",
    "zxx-x-backward": "Rückwärts",
    "zxx-x-original": "Original",
    "zxx-x-copy": "Kopie",
    "zxx-x-unsorted": "Unsortiert",
    "zxx-x-sorted": "Sortiert",
    "zxx-x-spelled": "Ausgeschrieben",
    "zxx-x-digits": "Ziffern",
    "zxx-x-date": "Datum",
    "zxx-x-isodate": "ISO-Datum",
}
