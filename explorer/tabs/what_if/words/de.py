"""What the frame of the room says; each station has words of its own."""

from explorer.ui.words.de import CONTEXT

TAB = "Was wäre, wenn?"

HTML = {
    "room": "Was wäre, wenn: Experimente",
    "choose": "Was geändert wird",
    "outcome": "Was sich dadurch ändert",
    "source": CONTEXT["source"],
    "rescored": "Die unveränderte Übersetzung, Token für Token",
    "rescored_hint": "Wie sehr sich im Experiment die Log-Wahrscheinlichkeit jedes Tokens der unveränderten "
    "Übersetzung ändert (in Nat, natürlicher Logarithmus): Unter 0 ist das Token unwahrscheinlicher geworden",
    "reset": "Änderung zurücknehmen",
    "reset_hint": "Zurück zur unveränderten Übersetzung",
    "view": "Attention",
}
LAB = {
    "running": "Läuft …",
    "noAnswer": "Es kam keine Antwort. Läuft der Server noch? Verloren ist nichts: Wähle noch einmal, um es erneut zu "
    "versuchen.",
    "total": "Log-Wahrscheinlichkeit {total}",
    "totalHint": "Die Summe der Log-Wahrscheinlichkeiten aller Tokens, auch des Satzendes (natürlicher Logarithmus). "
    "Für den ganzen Satz ist das eine Wahrscheinlichkeit von {probability}",
    "same": "Die Übersetzung bleibt gleich.",
    "other": "Die Übersetzung ändert sich (weggefallene Tokens: {removed}, neue Tokens: {added}).",
    "drop": "Mit der Änderung hat die unveränderte Übersetzung die Log-Wahrscheinlichkeit {changed} statt {original}: "
    "{difference}. Am meisten verliert das Token „{piece}“ ({most}).",
    "rise": "Mit der Änderung hat die unveränderte Übersetzung die Log-Wahrscheinlichkeit {changed} statt {original}: "
    "{difference}. Kein Token verliert.",
    "step": "Schritt {step}, „{piece}“: {original} → {changed}",
    "removed": "„{piece}“, nur in der unveränderten Übersetzung",
    "added": "„{piece}“, nur in der geänderten Übersetzung",
    "kept": "„{piece}“, Log-Wahrscheinlichkeit {log}",
    "started": "Noch ist nichts geändert.",
}
