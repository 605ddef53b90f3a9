"""What the station says."""

LABEL = "Positionen"
HINT = "Nimm dem Modell den Sinn für Reihenfolge oder führe ihn in die Irre"

HTML = {
    "how": "[[attention|Attention]] allein kennt keine Reihenfolge: Wo ein [[piece|Token]] steht, sagt dem Modell eine "
    "[[positional encoding|Positionscodierung]], die zum [[embedding|Embedding]] addiert wird. Hier lässt sie sich "
    "weglassen, mischen oder verschieben.",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "trained": "Wie gelernt",
    "trained_hint": "Position p bekommt p",
    "off": "Ohne",
    "off_hint": "Gar keine Positionen",
    "shuffled": "Gemischt",
    "shuffled_hint": "Dieselben Positionen in zufälliger Reihenfolge",
    "shifted": "Verschoben",
    "shifted_hint": "Alle Positionen um denselben Betrag verschoben",
    "seed": "Seed",
    "seed_hint": "Derselbe Seed mischt jedes Mal in dieselbe Reihenfolge",
    "shift": "Verschieben um",
    "shift_hint": "Position p bekommt p und so viele mehr",
}
OWN = {
    "none": "Dieses Modell addiert keine Positionen, also lässt sich ihm keine nehmen: Was hier auch gewählt wird, "
    "ändert nichts.",
    "learned": "Dieses Modell hat seine Positionen gelernt: Was unten über Sinus und Kosinus steht, muss für sie "
    "nicht gelten.",
}
TEXT = {
    "names": {"original": "Unverändert", "changed": "Geändert"},
    "stacks": {"encoder": "Encoder", "decoder": "Decoder"},
    "expect": "{stack}: {sentence}",
    # What one should expect, and why.
    "encoder": {
        "off": "Erwarte die richtigen Wörter in falschen Beziehungen, denn ohne Positionen liest er einen Sack voller "
        "Tokens und weiß nicht, wer was tut; außerdem wurde das Modell nie ohne sie trainiert.",
        "shuffled": "Erwarte, dass die Wörter anders zusammenfinden, denn jedes Token bekommt einen anderen Platz "
        "genannt: Er liest einen anderen Satz aus denselben Tokens.",
        "shifted": "Erwarte, dass die Beziehungen meist bleiben, die Übersetzung sich aber oft ändert, denn bei "
        "Sinuskurven hängt das Skalarprodukt zweier "
        "Positionen nur von ihrem Abstand ab, und der bleibt; das Modell hat aber auch von den Plätzen selbst gelernt, "
        "und ferne kamen im Training selten vor, deshalb schadet eine große Verschiebung noch mehr.",
    },
    "decoder": {
        "off": "Erwarte doppelte oder fehlende Wörter, denn verloren geht, wie weit die Übersetzung ist; mancher Satz "
        "wird trotzdem richtig, denn die Maske lässt jeden Schritt weiterhin nur sehen, was vor ihm geschrieben wurde, "
        "und das zuletzt gelesene Token ist bekannt.",
        "shuffled": "Erwarte ausgelassene und wiederholte Tokens oder ein zu frühes Ende, denn jeder Schritt bekommt "
        "einen anderen Platz in der Übersetzung genannt und schließt daraus, wie viel schon geschrieben ist.",
        "shifted": "Erwarte, dass der Anfang fehlt, denn die Abstände bleiben, aber der Platz selbst sagt, wie viel "
        "schon geschrieben ist: Um 5 verschoben, geht die Übersetzung weiter, als stünden dort schon fünf Tokens.",
    },
}
