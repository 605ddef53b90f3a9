"""What the station says; explorer.ui.glossary links the terms in double brackets."""

from explorer.experiments.words.de import MEASURE_HEADS

LABEL = "Köpfe abschalten"
HINT = "Schalte beliebige Attention-Köpfe ab und ordne alle danach, was die Übersetzung ohne sie verliert"

HTML = {
    "how": "Jede Zelle ist ein [[head|Kopf]]: Klicke darauf, um ihn ab- oder wieder anzuschalten, oder auf den Namen "
    "einer Zeile für die ganze Schicht. Darunter siehst du, was aus der Übersetzung wird.",
    "by": "Abgeschaltet heißt",
    "by_hint": "Was an die Stelle eines abgeschalteten Kopfes tritt",
    "none": "Alle an",
    "none_hint": "Alle Köpfe wieder anschalten",
    "grids": "Alle Köpfe: welche abgeschaltet sind",
    "rank": "Alle Köpfe ordnen",
    "rank_hint": "Jeden Kopf einmal allein abschalten und sehen, wie viel unwahrscheinlicher die Übersetzung dieses "
    "Satzes dadurch wird",
    "over": "Einbuße bei",
    "sentence": "diesem Satz",
    "sentence_hint": "Um wie viel die Log-Wahrscheinlichkeit der Übersetzung dieses Satzes sinkt, wenn ein Kopf fehlt",
    "average": "vielen Sätzen",
    "average_hint": "Das Mittel über viele Sätze, mit seinem 95-%-Intervall",
    "progress": "Bisher eingeordnete Köpfe",
    "list": "Köpfe nach ihrer Einbuße",
    "all": "Alle Köpfe zeigen",
    "few": "Nur das erste Dutzend zeigen",
    "others": "Was andere gefunden haben und was wir hier finden",
    "michel": "<b>Michel, Levy und Neubig 2019</b> (<a href='https://arxiv.org/abs/1905.10650'>arXiv:1905.10650</a>) "
    "schalteten in einem großen Übersetzungsmodell nach dem Training einzelne Köpfe ab: Die meisten machten für BLEU "
    "keinen signifikanten Unterschied, ohne manche wurde es sogar besser, und etwa ein Fünftel konnte gemeinsam "
    "wegfallen. Am dringendsten brauchte die Cross-Attention ihre vielen Köpfe.",
    "voita": "<b>Voita et al. 2019</b> (<a href='https://arxiv.org/abs/1905.09418'>arXiv:1905.09418</a>) fanden, dass "
    "die Köpfe, auf die es ankommt, Aufgaben haben: auf das Nachbar-Token schauen, der Syntax folgen oder seltene "
    "Wörter finden. In einem anderen Modell ließen sich mit weiterem Training 38 von 48 Encoder-Köpfen entfernen; das "
    "kostete 0.15 BLEU.",
    "ours": "Dieses Modell, über viele Sätze:",
}
WAYS = {
    "zero": {
        "label": "null",
        "words": "Die Ausgabe des Kopfes ist 0, die Ausgabeprojektion trägt also nichts für ihn bei: Das nennt man "
        "meist Pruning.",
    },
    "uniform": {
        "label": "gleiche Gewichte",
        "words": "Der Kopf verteilt sein Gewicht gleichmäßig auf alle Tokens, die er sehen darf: Er trägt noch etwas "
        "bei, wählt aber nicht mehr aus.",
    },
    "mean": {
        "label": "sein Mittel",
        "words": "Die Ausgabe des Kopfes ist überall ihr Mittel über die Beispielsätze: Was er immer beiträgt, bleibt; "
        "was er über diesen Satz sagt, geht verloren.",
    },
    "special": {
        "label": "alles auf ein besonderes Token",
        "words": "Der Kopf legt sein ganzes Gewicht auf das Startzeichen (im Decoder) oder </s> (im Ausgangssatz), "
        "wohin viele Köpfe schauen, wenn es für sie nichts zu holen gibt.",
    },
}
TEXT = {
    "names": {"original": "Unverändert", "changed": "Köpfe aus"},
    "ways": WAYS,
    "place": "{kind} {layer} · {head}",
    "cell": "{kind}, Schicht {layer}, Kopf {head}",
    "layer": "S{layer}: alle Köpfe der Schicht ab- oder anschalten",
    "row": "S{layer}",
    "all": "alle aus",
    "allHint": "{kind}: alle Köpfe abschalten",
    "others": "alle außer diesen",
    "othersHint": "{kind}: abschalten, was an ist, und anschalten, was aus ist; ist gerade nur ein Kopf aus, bleibt so "
    "er allein an",
    "count": "Abgeschaltet: {off} von {all} Köpfen.",
    "noneOff": "Kein Kopf ist abgeschaltet.",
    "ranking": "{done} von {all} Köpfen eingeordnet",
    "ranked": "Allein abgeschaltet, kostet „{head}“ die Übersetzung dieses Satzes am meisten: {drop} Nat. Bei {better} "
    "von {all} Köpfen wird sie durch das Abschalten wahrscheinlicher.",
    "notRanked": "Noch nicht geordnet.",
    "average": "Einbußen mit „null“, was auch immer oben gewählt ist.",
    "interval": "{low} bis {high}",
    "bar": "{head}: {drop} Nat",
}
AVERAGE = (
    "Mittel über {sentences} Sätze. Rangkorrelation zweier zufälliger Hälften davon: {split_half:.2f}; {stability}"
)
NO_AVERAGE = (
    f"Für diesen Checkpoint gibt es noch kein Mittel: Führe {MEASURE_HEADS} aus und starte die Seite noch einmal."
)
REFUSED = "{reason} Der Befehl heißt: " + MEASURE_HEADS
NO_PART = "Einen solchen Teil der Rangfolge gibt es nicht."
FOUND = {
    "single": "Bei {worse} von {heads} einzelnen Köpfen wird die Übersetzung deutlich unwahrscheinlicher, wenn sie "
    "fehlen (das ganze Intervall liegt über 0), bei {better} wahrscheinlicher. Am meisten kostet {kind} {layer} · "
    "{head}: {drop:.2f} Nat.",
    "kinds": "Alle Einbußen zusammen, nach Art der Attention, und in Klammern, wie viele der ersten {first} Köpfe "
    "dazugehören: {shares}.",
    "share": "{kind} {share:.0%} ({first})",
    "positional": "Köpfe, die nach dem vorigen, demselben oder dem nächsten Token benannt sind ({count}), kosten im "
    "Mittel {mean:.2f} Nat, die übrigen Köpfe von Encoder und Decoder {others:.2f}.",
    "no_positional": "Kein Kopf schaut oft genug auf das vorige, dasselbe oder das nächste Token, um danach benannt "
    "zu sein.",
    "aligning": "Köpfe der Cross-Attention, die Wörter zuordnen ({count}), kosten im Mittel {mean:.2f} Nat, ihre "
    "übrigen Köpfe {others:.2f}.",
    "no_aligning": "Entweder ordnet kein Kopf der Cross-Attention Wörter zu, oder alle tun es.",
}
