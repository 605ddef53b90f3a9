"""What the tab Heads says; explorer.ui.glossary links the terms in double brackets."""

from explorer.experiments.words.de import MEASURE_HEADS

TAB = "Köpfe"

NO_HEADS = (
    "Die Köpfe dieses Checkpoints sind noch nicht vermessen. Damit sie hier stehen, führe "
    f"`{MEASURE_HEADS}` aus, was `heads.json` in den Checkpoint schreibt, und starte die Seite noch einmal."
)
REFUSED = "{reason} Der Befehl heißt `" + MEASURE_HEADS + "`."
HTML = {
    "room": "Köpfe",
    "what": "Jeder [[head|Kopf]] dieses Modells in Zahlen, über {sentences} Sätze, die das Modell selbst übersetzt "
    "hat. Einen Namen hat ein Kopf nur, wo eine seiner Zahlen eine Schwelle erreicht: {named} von {heads} haben einen.",
    "kinds": "Art der Attention",
    "name": "Name",
    "name_hint": "Die Köpfe eines Namens zeigen",
    "region": "Tabelle aller Köpfe",
    "rules": "Wann ein Kopf einen Namen hat",
    "rules_hint": "Die Schwellen sind von uns und rund: Ein Kopf knapp darunter ist keine andere Sorte Kopf. Wo "
    "mehrere erreicht sind, hat ein Kopf mehrere Namen.",
    "rule_name": "Name",
    "rule_kinds": "Arten",
    "rule_number": "Zahl",
    "rule_threshold": "ab",
    "measured": "Wie gemessen wurde",
}
HEADING = {"head": "Kopf", "names": "Name"}
PERCENT, NATS, BITS, PIECES, PLAIN = "percent", "nats", "bits", "pieces", "plain"  # how a number is written

# A column for every number: its heading, what it means, how it is written, and what one number says.
COLUMNS = {
    "drop": {
        "title": "Einbuße",
        "meaning": "Einbuße: wie viele Nat an Log-Wahrscheinlichkeit die eigene Übersetzung des Modells verliert, wenn "
        "allein dieser Kopf 0 ausgibt; das Mittel über die Sätze mit seinem 95-%-Intervall. Ein Nat macht sie 2.7-mal "
        "unwahrscheinlicher; unter 0 ist sie ohne den Kopf wahrscheinlicher.",
        "form": NATS,
        "cell": "Abgeschaltet, kostet er eine Übersetzung {value} Nat (95-%-Intervall {low} bis {high}).",
    },
    "entropy": {
        "title": "Entropie",
        "meaning": "Entropie: wie weit eine Zeile ihr Gewicht verteilt, in Bit. 0 ist ein einziges Token, 3 so weit "
        "wie acht Tokens mit gleichen Gewichten.",
        "form": BITS,
        "cell": "Eine Zeile verteilt sich über {value} Bit.",
    },
    "distance": {
        "title": "Abstand",
        "meaning": "Abstand: wie viele Tokens vom eigenen Platz entfernt eine Zeile schaut, in welche Richtung auch "
        "immer. Bei der Cross-Attention wird der Platz des vorhergesagten Tokens ({target_language}) mit dem Token "
        "gleicher Nummer "
        "im Ausgangssatz ({source_language}) verglichen.",
        "form": PIECES,
        "cell": "Er schaut {value} Tokens weit.",
    },
    "previous": {
        "title": "davor",
        "meaning": "Davor: der Anteil des Gewichts auf dem Token vor dem eigenen der Zeile.",
        "form": PERCENT,
        "cell": "Auf dem vorigen Token: {value} des Gewichts.",
    },
    "same": {
        "title": "selbst",
        "meaning": "Selbst: der Anteil des Gewichts auf dem eigenen Token der Zeile; im Decoder ist das das gerade "
        "gelesene.",
        "form": PERCENT,
        "cell": "Auf dem eigenen Token: {value} des Gewichts.",
    },
    "next": {
        "title": "danach",
        "meaning": "Danach: der Anteil des Gewichts auf dem Token nach dem eigenen der Zeile. Der Decoder kann es "
        "nicht sehen.",
        "form": PERCENT,
        "cell": "Auf dem nächsten Token: {value} des Gewichts.",
    },
    "special": {
        "title": "Rand",
        "meaning": "Rand: der Anteil des Gewichts auf dem Token, das kein Wort ist, </s> nach dem Ausgangssatz und "
        "das Startzeichen vor der Übersetzung.",
        "form": PERCENT,
        "cell": "Auf dem Startzeichen oder </s>: {value} des Gewichts.",
    },
    "marks": {
        "title": "Zeichen",
        "meaning": "Zeichen: der Anteil des Gewichts auf Satzzeichen.",
        "form": PERCENT,
        "cell": "Auf Satzzeichen: {value} des Gewichts.",
    },
    "diagonality": {
        "title": "diagonal",
        "meaning": "Diagonal: wie viel näher an der Diagonale er schaut, als es gleiche Gewichte täten: 1 ist auf der "
        "Diagonale, 0 so weit weg wie gleiche Gewichte, unter 0 weiter.",
        "form": PLAIN,
        "cell": "{value}; 1 ist auf der Diagonale, 0 sind gleiche Gewichte.",
    },
    "links": {
        "title": "Zuordnung",
        "meaning": "Zuordnung: der Anteil der Wortpaare ({source_language} und {target_language}), die ein Lexikon "
        "kennt und die dieser Kopf mit seinem größten Gewicht findet, in der Zeile, die das Wort vorhersagt, oder in "
        "der, die es liest, je nachdem, welche mehr findet. Durch Zufall wären es {by_chance}, entlang der Diagonale "
        "{on_diagonal}.",
        "form": PERCENT,
        "cell": "Er findet {value} der Wortpaare.",
    },
}
UNCLASSIFIED = "ohne Namen"
THRESHOLDS = {PERCENT: "{:.0%}", BITS: "{:.1f} Bit", PLAIN: "{:.1f}"}
TABLE = {
    "allKinds": "Alle",
    "anyName": "alle",
    "unclassified": UNCLASSIFIED,
    "count": "{shown} von {all} Köpfen",
    "place": "{kind} {layer} · {head}",
    "open": "{kind}, Schicht {layer}, Kopf {head}: in Erkunden ansehen",
    "try": "testen",
    "off": "aus",
    "offHint": "aus: {kind}, Schicht {layer}, Kopf {head} in „Was wäre, wenn?“ abschalten",
    "none": "–",
    "noneWords": "Diese Zahl gibt es für diese Art der Attention nicht.",
    "interval": "{low} bis {high}",
    "sort": "Nach dieser Spalte ordnen",
}
MEASURED = """\
{sentences} Sätze auf {source_language}, gleich viele aus {data}, gezogen mit Seed {seed}. Das Modell hat jeden greedy
übersetzt; seine eigene Übersetzung wurde dann noch einmal als Ganzes gelesen (Teacher Forcing), einmal unverändert und
einmal ohne jeden Kopf. Eine unveränderte Übersetzung hat im Mittel eine Log-Wahrscheinlichkeit von
{log_probability:.2f} Nat. Eine Einbuße ist die einer ganzen Übersetzung, lange zählen also mehr. Die Intervalle sind "
"durch Bootstrap über die Sätze bestimmt. Ist die Reihenfolge der Köpfe nach ihrer Einbuße stabil? Die "
"Rangkorrelation zweier
zufälliger Hälften der Sätze, gemittelt über viele Aufteilungen, ist {split_half:.2f}; {stability}

Zeilen der Attention: alle des Encoders und der Cross-Attention, auch die des Satzendes; im Decoder alle außer der
ersten, die nur den Anfang sieht. Wortpaare: {links}, nach einem Lexikon, das aus {pairs} gelernt wurde (IBM-Modell 1,
beide Richtungen); Paare von Satzzeichen zählen nicht.

`{command}`
"""
