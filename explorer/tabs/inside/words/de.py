"""What the tab Inside says; explorer.ui.glossary links the terms in double brackets."""

TAB = "Im Inneren"

HTML = {
    "room": "Attention, Zelle für Zelle",
    "query": "Query",
    "query_hint": "Das Token, das fragt: eine Zeile der Karte",
    "key": "Key",
    "key_hint": "Das Token, das gefragt wird: eine Spalte der Karte",
    "map": "Die Karte des Kopfes: Die Pfeiltasten bewegen die Zelle",
    "map_hint": "Die Karte des Kopfes, Queries als Zeilen, Keys als Spalten: Klicke auf eine Zelle oder bewege sie mit "
    "den Pfeiltasten",
    "numbers": "Zahlen",
    "numbers_hint": "Die Zahlen in die Zellen aller Streifen schreiben",
    "dimension": "Verfolge Dimension",
    "mistakes": "Häufige Fehler",
    "where_masked": "wo die Query nicht auf Key j achten darf",
    "see": "Eine Zelle einer Attention-Karte, auseinandergenommen: jede Zahl von zwei Vektoren bis zur Ausgabe der "
    "Teilschicht, in einem Durchlauf über die fertige Übersetzung. [[query|Query]] und [[key|Key]], ihr "
    "[[score|Score]], die [[softmax|Softmax]] über die Zeile und die [[value|Values]], die von den [[attention "
    "weight|Gewichten]] gemischt werden. Die Farbe der Attention-Art heißt positiv, Braun (Encoder) oder Violett "
    "negativ; je kräftiger, desto größer. Zeige auf eine Zelle, um ihren Wert zu sehen. Diese Seite liest die Zahlen "
    "an den Aufrufen von [[probe|probe( )]] ab.",
    "notice": "Wie wenige der Produkte zählen: Viele heben sich auf, und die größten paar machen fast das ganze "
    "Skalarprodukt aus.",
    "try": "Probiere den stärksten Key einer Zeile, dann einen schwachen: Wo unterscheiden sich ihre Produkte?",
}
INSIDE = {
    "heading": "Query „{query}“ achtet auf Key „{key}“: {weight} ({kind}, Schicht {layer}, Kopf {head})",
    "maskedHeading": "Query „{query}“ darf nicht auf Key „{key}“ achten: maskiert ({kind}, Schicht {layer}, Kopf "
    "{head})",
    "several": "In Erkunden steht für diese Zelle {weight} ({heads}). Die Rechnung hier unten gilt für einen Kopf; "
    "wähle einen:",
    "head": "S{layer} K{head}: {weight}",
    "rollout": "In Erkunden steht der Rollout über alle Schichten: {weight} in dieser Zelle. Das ist ein Produkt über "
    "alle Schichten; die Rechnung hier unten gilt für einen Kopf einer Schicht.",
    "lengths": "Erkunden zeigt Längen dessen, was addiert wird; hier sieht man, woher das Gewicht darin kommt.",
    "specials": "Erkunden blendet besondere Tokens aus und skaliert jede Zeile neu; hier stehen die Gewichte des "
    "Modells selbst.",
    "masked": "maskiert",
    "notLoaded": "Die Zahlen dieses Kopfes konnten nicht geladen werden. Läuft der Server noch? Wähle ihn noch einmal, "
    "um es erneut zu versuchen.",
    "map": "Dieser Kopf: Queries als Zeilen, Keys als Spalten. Klicke auf eine Zelle oder bewege sie mit den "
    "Pfeiltasten.",
    "strips": {
        "queryStream": "Strom x von {query}",
        "queryWeights": "Gewichte für q[{dimension}]",
        "q": "Query q von {query}",
        "keyStream": "Strom x von {key}",
        "keyWeights": "Gewichte für k[{dimension}]",
        "k": "Key k von {key}",
        "product": "q mal k",
        "scores": "Scores s der Zeile",
        "masked": "nach der Maske",
        "exponentials": "e hoch s − m",
        "weights": "Gewichte α",
        "mistaken": "mit dem Fehler",
        "valueWeights": "Gewichte für v[{valueDimension}]",
        "value": "Value v von {key}",
        "weighted": "α v, je Key eine Zeile",
        "headOutput": "ihre Summe o",
        "concatenated": "c: alle Köpfe",
        "output": "y für {query}",
    },
    "from": {
        "encoder": "Beide Vektoren kommen aus dem Strom des Encoders, wie er in diese Schicht eintritt.",
        "decoder": "Beide Vektoren kommen aus dem Strom des Decoders, wie er in diese Schicht eintritt.",
        "cross": "Hier kommt die Query aus dem Strom des Decoders und der Key aus der Ausgabe des Encoders.",
    },
    "dimension": "die stärkste",
    "projected": "{name}[{number}] = x · Gewichte + b = {dot} + {bias} = {value}.",
    "projectedWithoutBias": "{name}[{number}] = x · Gewichte = {value}.",
    "element": "{strip} [{number}]",
    "ofHead": "Kopf {head}, Dimension {number}",
    "check": "Die Summe der Zeile ist {sum}; ihre maskierten Gewichte ({count}) sind genau 0.",
    "checkUnmasked": "Die Summe der Zeile ist {sum}.",
    "someMasked": "Was nach der Query kommt, ist maskiert, denn vorausschauen darf sie nicht: hier {count} von {keys} "
    "Keys.",
    "noneMasked": {
        "encoder": "Hier ist nichts maskiert: Der Encoder sieht den ganzen Satz, und ein einzelner Satz braucht kein "
        "Padding.",
        "decoder": "Hier ist nichts maskiert: Das ist die letzte Query, jeder Key ist also schon gelesen.",
        "cross": "Hier ist nichts maskiert: Der Decoder darf den ganzen Ausgangssatz sehen, und der hat kein Padding.",
    },
}
MISTAKES = {
    "none": {"title": "keiner", "words": ""},
    "undivided": {
        "title": "Scores nicht durch √d_head geteilt",
        "words": "Dieselbe Zeile ohne die Division: Die Softmax ist schärfer, ihre Entropie geht von {before} auf "
        "{after} Bit, und wo ein Gewicht fast 0 oder 1 ist, bleibt kaum ein Gradient, aus dem sich lernen lässt.",
        "alone": "Wo es nur einen Key gibt, ist sein Gewicht so oder so 1. Eine spätere Query zeigt den Unterschied.",
    },
    "dropped": {
        "title": "Gewichte nach dem Dropout gelesen",
        "words": "Im Training setzt Dropout (p = {p}) manche Gewichte auf 0 und teilt die übrigen durch 1 − p. Danach "
        "gelesen, ist die Summe der Zeile {sum} statt 1, und jedes Mal eine andere; was die Softmax selbst "
        "ergab, steht in der Zeile darüber.",
    },
    "mislabelled": {
        "title": "Zeilen mit dem falschen Satz beschriftet",
        "words": "Manche veröffentlichten Notebooks beschriften die Zeilen jeder Karte mit den Tokens des "
        "Ausgangssatzes. Diese Zeile hieße dann „{wrong}“, aber ihre Query ist „{query}“. Die Zahlen stimmen, also "
        "fällt nichts auf, und doch ist das Bild falsch.",
        "encoder": "Manche veröffentlichten Notebooks beschriften die Zeilen jeder Karte mit den Tokens des "
        "Ausgangssatzes. Hier stimmt das: „{query}“ ist die Query. Wähle den Decoder oder die Cross-Attention, um zu "
        "sehen, wo es nicht stimmt.",
        "beyond": "(keines: der Ausgangssatz ist kürzer)",
    },
}
STAGES = {
    "project": {
        "title": "Projizieren",
        "words": "Jeder [[head|Kopf]] hat eigene Matrizen: Eine macht aus dem Vektor eines Tokens eine [[query|Query]] "
        "(wonach suche ich?), eine andere einen [[key|Key]] (was ist hier zu finden?).",
    },
    "multiply": {
        "title": "Skalarprodukt",
        "words": "Query mal Key, Dimension für Dimension, alles addiert: das Skalarprodukt. Es ist groß, wenn beide in "
        "denselben Dimensionen groß sind und dort dasselbe Vorzeichen haben.",
    },
    "scale": {
        "title": "Teilen",
        "words": "Je mehr Dimensionen addiert werden, desto größer wird die Summe meist. Geteilt durch √[[d_head]], "
        "bleiben die [[score|Scores]] dort, wo die Softmax noch lernen kann. Der Score oben ist der des umrahmten "
        "Keys.",
    },
    "mask": {
        "title": "Maskieren",
        "words": "Ein Key, den die [[mask|Maske]] verbietet, bekommt den Score −∞, wie groß er vorher auch war.",
    },
    "softmax": {
        "title": "Softmax der Zeile",
        "words": "Die [[softmax|Softmax]]: e hoch jeden Score, geteilt durch die Summe über alle Keys, ergibt die "
        "Gewichte dieser Query. Dass zuerst der größte Score m abgezogen wird, hält die Zahlen klein und ändert sonst "
        "nichts.",
    },
    "values": {
        "title": "Values gewichten",
        "words": "Der [[value|Value]]-Vektor jedes Keys mal sein Gewicht. Spalte für Spalte addiert, ergeben sie, was "
        "dieser Kopf für diese Query gefunden hat. [[dropout|Dropout]] ist beim Übersetzen ausgeschaltet.",
    },
    "concatenate": {
        "title": "Aneinanderhängen",
        "words": "Die Ausgaben aller Köpfe nebeneinander; der Rahmen zeigt den Teil dieses Kopfes.",
    },
    "output": {
        "title": "Ausgabeprojektion",
        "words": "Noch eine Matrix mischt die Köpfe. Das Ergebnis wird zum [[residual stream|Strom]] der Query "
        "[[residual connection|addiert]] und [[layer normalisation|normalisiert]].",
    },
}
