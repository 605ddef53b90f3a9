"""Why an experiment is refused."""

REFUSALS = {
    "no_piece": "Ein Token {piece} gibt es nicht: Der Satz hat mit seinem Ende {pieces}.",
    "all_hidden": "Mindestens ein Token muss bleiben: Sind alle verdeckt, gibt es nichts, worauf sich achten ließe.",
    "no_examples": "Für einen Mittelwert fehlen Beispielsätze ({source_language}): Ersetze stattdessen durch Nullen.",
    "end_hidden": "Das Satzende ist verdeckt, also kann kein Kopf sein ganzes Gewicht darauf legen.",
    "no_target_piece": "Der Anfang enthält ein Token, das das Modell nie schreiben kann.",
    "end_inside": "Der Anfang geht nach dem Satzende noch weiter.",
    "long_target": "Der Anfang hat {pieces} Tokens; das Modell schreibt höchstens {limit}.",
    "unknown_target": "Für {characters} hat das Modell keine Tokens. Das kann es nie schreiben.",
    "no_text": "Die Übersetzung muss ein Text sein.",
    "empty_target": "Es gibt noch keine Übersetzung: Gib eine ein ({target_language}).",
    "shift": "Um {shift} lassen sich die Positionen nicht verschieben: Das Modell kennt keine Positionen jenseits "
    "seines längsten Satzes, das lässt hier Platz für höchstens {limit}.",
    "no_head": "Diesen Kopf gibt es nicht: {head}. Das Modell hat {encoder} Schichten im Encoder, {decoder} im Decoder "
    "und je {heads} Köpfe, ab 0 gezählt.",
    "no_layer": "Schicht {layer} gibt es nicht: Die Schichten zählen von 0 bis {last}, und -1 ist das Embedding.",
    "width": "Eine Beam-Suche behält hier 1 bis {widest} Hypothesen, nicht {width}.",
    "samples": "Auf einmal werden 1 bis {most} Stichproben gezogen, nicht {count}.",
}
PATCHING = {
    "alike": "Beide Sätze haben dieselbe Übersetzung, also gibt es keinen Schritt, an dem sie einem der beiden folgen "
    "könnte. Ändere ein Wort, das man der Übersetzung ansehen muss.",
}

MEASURE_HEADS = "python -m explorer.catalogue --model FOLDER --dev dev.tsv.gz --pairs train.tsv.gz"
# Why the numbers of a checkpoint's heads are not shown.
UNREADABLE_HEADS = "Die Zahlen zu den Köpfen dieses Checkpoints (heads.json) sind nicht lesbar; miss sie neu."
FOREIGN_HEADS = "Die Zahlen bei diesem Checkpoint (heads.json) gehören zu einem anderen; miss seine Köpfe neu."

# What a head is called whose number passes a threshold (RULES of catalogue.py).
HEAD_NAMES = {
    "previous": "voriges Token",
    "same": "dasselbe Token",
    "next": "nächstes Token",
    "start": "Satzanfang",
    "end": "Satzende",
    "marks": "Satzzeichen",
    "aligns": "Zuordnung",
    "nearby": "Nachbarschaft",
    "broad": "breit",
}
# Whether two halves of the sentences put the heads into the same order.
STABILITY = {
    True: "ab 0.9 nennen wir die Reihenfolge stabil.",
    False: "unter 0.9, also ist die Reihenfolge nicht stabil: Andere Sätze würden viele Köpfe anders einordnen.",
}
