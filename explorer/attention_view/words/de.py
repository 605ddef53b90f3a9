"""What the attention view says; terms in double brackets are linked with their definition by the glossary."""

from explorer.ui.words.de import FORK, PICKERS, STEP, STEPS

CELL = "{query} achtet auf {key}: {weight}"  # what hovering over a cell of the heatmap says

# Titles of the heatmap's axes, and what its rows and columns are.
AXES = {"query": "Query: {pieces}", "key": "Key: {pieces}"}
SOURCE_PIECE, FED_PIECE = "Token ({source_language})", "gelesen → vorhergesagt"
QUERIES = {"encoder": SOURCE_PIECE, "decoder": FED_PIECE, "cross": FED_PIECE}
KEYS = {"encoder": SOURCE_PIECE, "decoder": "bisher gelesenes Token ({target_language})", "cross": SOURCE_PIECE}
# The same where pieces are joined into words.
SOURCE_WORD, FED_WORD = "Wort ({source_language})", "Wort gelesen → vorhergesagt"
WORD_QUERIES = {"encoder": SOURCE_WORD, "decoder": FED_WORD, "cross": FED_WORD}
WORD_KEYS = {"encoder": SOURCE_WORD, "decoder": "bisher gelesenes Wort ({target_language})", "cross": SOURCE_WORD}

EXPLANATIONS = {
    "encoder": (
        "Jede Zeile ist ein [[piece|Token]] und fragt alle Tokens im Satz ({source_language}): Wie wichtig bist du für "
        "mich? Je kräftiger die Farbe, desto mehr nimmt es von deren [[value|Value]]. Der [[encoder|Encoder]] liest "
        "den ganzen Satz auf einmal, daher ist das Bild immer gleich. Schau in Schicht 1: Achten manche Köpfe auf das "
        "Token davor?"
    ),
    "decoder": (
        "Jede Zeile ist ein Schritt: das gelesene Token und das daraus vorhergesagte. Sie darf nur auf die bisher "
        "gelesenen Tokens achten; die Zukunft ist [[mask|maskiert]], daher das Dreieck. Geh Schritt für Schritt "
        "weiter und sieh zu, wie es wächst."
    ),
    "cross": (
        "Jede Zeile ist ein Schritt: das gelesene Token und das vorhergesagte. Jede Spalte ist ein Token des "
        "Ausgangssatzes ({source_language}). Die Zeile zeigt, wohin der [[decoder|Decoder]] dort schaut, während er "
        "vorhersagt. Manchen [[head|Köpfen]] sieht man an, welches Wort gerade übersetzt wird."
    ),
}

# What is said instead where the cells are lengths, or a rollout over layers.
LENGTH = (
    "Eine Zelle ist die [[length of what is added|Länge des Beitrags]]: von Gewicht × [[value|Value]] × W_O. Ein "
    "großes [[attention weight|Gewicht]] auf einem kurzen Value trägt wenig bei."
)
ROLLED = (
    "[[attention rollout|Rollout]]: die {layers} Schichten multipliziert, jede halb [[mean of heads|Mittel der "
    "Köpfe]], halb [[residual connection|Residualverbindung]]. Eine Zeile sagt, wie viel von jedem "
)
ROLLOUT_EXPLANATIONS = {
    "encoder": ROLLED + "Token ({source_language}) am Ende bei ihr angekommen ist, wenn man nur den Gewichten folgt.",
    "decoder": ROLLED + "gelesenen Token am Ende bei ihr ankommt, folgt man nur diesen Gewichten, ohne Ausgangssatz.",
    "cross": (
        "[[attention rollout|Rollout]]: woraus eine Zeile besteht, zurückverfolgt durch Decoder, Cross-Attention und "
        "Encoder; die [[residual connection|Residualverbindung]] behält je die Hälfte. So stammen immer "
        "{share}\u00a0% aus dem Ausgangssatz: Nur sie sind gezeigt, auf die Summe 1 gebracht. Sonst: gelesene Tokens."
    ),
}

# What the level "picture" says instead.
PLAIN_KINDS = {
    "encoder": "{source_language} → {source_language}",
    "decoder": "{target_language} → {target_language}",
    "cross": "{target_language} → {source_language}",
}
PLAIN_EXPLANATIONS = {
    "encoder": (
        "Zeilen und Spalten sind die Wörter des Satzes ({source_language}). Kräftige Farbe heißt: Während das Modell "
        "das Wort der Zeile liest, schaut es auf das Wort der Spalte. Es liest den ganzen Satz auf einmal, bevor es "
        "schreibt. Dieses Hinschauen heißt [[attention|Attention]]."
    ),
    "decoder": (
        "Jede Zeile ist ein Wort, das gerade geschrieben wird ({target_language}). Kräftige Farbe heißt: Hierhin "
        "schaut das Modell, zurück auf das schon Geschriebene. Vorausschauen kann es nicht, denn dort steht noch "
        "nichts. Dieses Hinschauen heißt [[attention|Attention]]."
    ),
    "cross": (
        "Jede Zeile ist ein Wort, das gerade geschrieben wird ({target_language}), jede Spalte ein Wort des Satzes "
        "({source_language}). Kräftige Farbe heißt: Hierhin schaut das Modell. Drücke die rechte Pfeiltaste, und es "
        "schreibt das nächste Wort. Dieses Hinschauen heißt [[attention|Attention]]."
    ),
}

# One sentence for the row or column that is looked at; an `aim` is what a row is for, and `found` where it looks.
# Every name stands in the accusative.
PLAIN = {
    "pair": "{predicted}",  # what a row of the decoder is called
    "axes": {
        "encoder": {"query": "gelesenes Wort ({source_language})", "key": "Wort ({source_language})"},
        "decoder": {"query": "neues Wort ({target_language})", "key": "früheres Wort ({target_language})"},
        "cross": {"query": "neues Wort ({target_language})", "key": "Wort ({source_language})"},
    },
    "word": "„{word}“",
    "mark": {"start": "(Anfang)", "end": "(Ende)"},  # where nothing but a sign has room
    "place": {"start": "den Satzanfang", "end": "das Satzende"},
    "found": "{name} ({percent}\u00a0%)",
    "both": "{first} und {second}",
    "aim": {"word": "Um {name} zu schreiben", "end": "Um den Satz zu beenden"},
    "row": {
        "encoder": {
            "mostly": "Während es {name} liest, schaut das Modell vor allem auf {found}.",
            "spread": "Während es {name} liest, schaut das Modell auf mehrere Wörter, am meisten auf {found}.",
        },
        "decoder": {
            "mostly": "{aim}, schaut das Modell vor allem zurück auf {found}.",
            "spread": "{aim}, schaut das Modell zurück auf mehrere Wörter, am meisten auf {found}.",
        },
        "cross": {
            "mostly": "{aim}, schaut das Modell vor allem auf {found}.",
            "spread": "{aim}, schaut das Modell auf mehrere Wörter des Satzes, am meisten auf {found}.",
        },
    },
    "column": {
        "encoder": "Auf {name} schaut das Modell am meisten, während es {found} liest.",
        "decoder": "Auf {name} schaut das Modell am meisten zurück, während es {found} schreibt.",
        "cross": "Auf {name} schaut das Modell am meisten, während es {found} schreibt.",
    },
    "unseen": "Auf {name} schaut das Modell bisher kaum.",
    "rows": "Das Modell liest alle Wörter des Satzes auf einmal. Klicke eines an und sieh, wohin es dabei schaut.",
}

HTML = {
    "view": "Attention-Ansicht",
    "source": "{source_language}",
    "target": "{target_language}",
    "steps": STEPS,
    "warned_hint": "Was du wissen solltest, bevor du dieser Übersetzung traust",
    "offer": "Satz für Satz",
    "offer_hint": "Die Sätze einzeln übersetzen, jeden mit eigenem Bild",
    "sentences": "Sätze des Textes",
    "before": "Voriger Satz",
    "after": "Nächster Satz",
    "together": "Als ein Text",
    "together_hint": "Wieder den ganzen Text auf einmal übersetzen",
    "speed": "Tempo",
    "speed_hint": "Schritte pro Sekunde beim Abspielen",
    "speed_1": "1 / s",
    "speed_2": "2 / s",
    "speed_5": "5 / s",
    "speed_15": "15 / s",
    "speed_60": "Film (60 / s)",
    "levels": "Detailstufe",
    "picture": "Bild",
    "picture_hint": "Ein Bild mit ganzen Wörtern",
    "heads": "Köpfe",
    "heads_hint": "Jede Schicht, jeder Kopf, alle Zahlen",
    "whose": "Wer schaut wohin?",
    "overview": "Alle Schichten und Köpfe",
    "overview_hint": "Alle Schichten (Zeilen) und Köpfe (Spalten): Ein Klick vergrößert einen Kopf",
    "looks": "Gewichte zeigen als",
    "heatmap": "Heatmap",
    "heatmap_hint": "Jedes Gewicht als Zelle",
    "ribbons": "Bänder",
    "ribbons_hint": "Gewichte als Bänder zwischen den Tokens",
    "table": "Tabelle",
    "table_hint": "Jedes Gewicht als Zahl in einer Tabelle, die ein Screenreader vorliest",
    "compared": "Zwei Läufe",
    "beside": "Nebeneinander",
    "beside_hint": "Das Bild jedes Laufs",
    "difference": "Differenz",
    "difference_hint": "Ein Bild: die Gewichte des veränderten Laufs minus die des unveränderten",
    "measures": "Was von der Attention gezeigt wird",
    "weight": "Gewichte",
    "weight_hint": "Worauf geschaut wird: das Attention-Gewicht",
    "length": "Längen",
    "length_hint": "Was beigetragen wird: die Länge von Gewicht × Value × W_O; ein Key mit kurzem Value zählt da wenig",
    "pair": "2 Köpfe",
    "pair_hint": "Ein zweiter Kopf neben dem ersten",
    "whole": "Alle Schritte",
    "whole_hint": "Alle Zeilen auf einmal, auch die späterer Schritte",
    "words": "Wörter",
    "words_hint": "Wörter statt Tokens: Gewichte über die Keys eines Worts summiert, über seine Queries gemittelt",
    "arithmetic": "Rechnung",
    "arithmetic_hint": "Woher ein Gewicht kommt: alle Zahlen hinter der umrahmten Zelle oder hinter der stärksten der "
    "Zeile (oder mach einen Doppelklick auf eine Zelle)",
    "options": "Optionen",
    "options_hint": "Farben, besondere Tokens, Anordnung",
    "scale": "Farbskala",
    "scale_fixed": "0 bis 1 (Längen: bis zur größten dieser Art)",
    "scale_row": "jede Query bis zu ihrem Maximum",
    "scale_auto": "0 bis zum Maximum dieses Kopfs",
    "hide": "Besondere Tokens als Keys ausblenden und jede Zeile wieder auf die Summe 1 bringen",
    "transposed": "Transponieren: Keys nach unten, Queries nach rechts",
    "layer": PICKERS["layer"],
    "head": PICKERS["head"],
    "next": "Nächstes Token",
    "entropy": "[[entropy|Entropie]]",
    "off_hint": "Zum Raum „Was wäre, wenn?“, mit diesen Köpfen abgeschaltet",
    "signs": "Zeichen: [[raised dot|·Wort]] [[special pieces|</s>]] [[fed → predicted]] [[mean of heads]]",
}
# Two runs: `changed` and `unchanged` are what they are called, a `name` is one of these.
COMPARED = {
    "heading": "{name} · {heads}",
    "title": "{name} · {title}",
    "difference": "{changed} − {unchanged}",
    "side": "{side} · {name}",
    "alone": "nicht in „{name}“",
    "instead": "„{name}“ hat hier „{piece}“",
    "apart": "ohne Gegenstück",
    "cell": "{query} achtet auf {key}: Differenz {weight}",
    "shows": "{title}. {axes} Jede Zelle ist die Differenz zweier Gewichte; schraffierte Zellen haben keine. Die "
    "Zahlen stehen in der Tabelle.",
    "remark": "Über 0 schaut „{changed}“ mehr dorthin als „{unchanged}“, unter 0 weniger. Schraffiert: keine Zahl, "
    "weil das Gegenstück im anderen Lauf fehlt oder die Maske es verbietet.",
    "beside": {
        "beside": "Jeder Schritt steht neben dem, der ihm entspricht. Ein Strich über einem Token: Der andere Lauf "
        "hat dort ein anderes oder keines.",
        "difference": "Bänder können nicht negativ sein, darum stehen beide Läufe nebeneinander.",
    },
    "parted": "Dem gezeigten Schritt entspricht in diesem Lauf keiner.",
    "lost": "Dazu gibt es in „{name}“ kein Gegenstück.",
    "row": "Zeile {name}, größte Differenzen: {found}",
    "column": "Spalte {name}, größte Differenzen: {found}",
    "all": "Größte Differenzen: {found}",
    "pair": "{query} auf {key}",
    "noPartner": "{name} hat kein Gegenstück im anderen Lauf.",
    "none": "keine",
    "scales": {
        "fixed": "bis zur größten Differenz im Kopf",
        "row": "jede Query bis zur größten Differenz",
        "auto": "−1 bis 1, so sind Köpfe vergleichbar",
    },
}
# Lengths, and a rollout over layers, are told in these words instead of those of weights.
INSTEAD = {
    "changed": "Der stärkste Key ist hier in {here} von {rows} Zeilen ein anderer als nach Gewicht, in allen Köpfen "
    "dieser Art in {all}\u00a0% der Zeilen.",
    "length": {
        "title": "Längen · {short} · {heads}",
        "shows": "{title}. {axes} Je kräftiger eine Zelle, desto länger der Vektor, der beigetragen wird; die Zahlen "
        "stehen in der Tabelle.",
        "cell": "{query} bekommt einen Vektor der Länge {weight} von {key}",
        "row": "Zeile {query}, Summe der Längen {sum}: {keys}",
        "column": "Spalte {key}, am längsten in: {queries}",
        "emptyRow": "Zeile {query} bekommt nur von besonderen Tokens etwas, also bleibt nichts übrig.",
        "rows": "Die Längen jeder Zeile haben die Summe {sum}; die Summe der Vektoren ist höchstens so lang.",
        "rowsBetween": "Die Längen einer Zeile haben Summen von {least} bis {most}, nicht 1; was sie gemeinsam "
        "beitragen, ist höchstens so lang, weil Vektoren sich aufheben können.",
        "hidden": "(besondere Tokens ausgeblendet; die anderen Längen unverändert)",
        "maximum": "(bei mehreren Köpfen die größte)",
        "words": "In Wörtern: über die Keys eines Worts summiert, über seine Queries gemittelt.",
        "loading": "Die Längen werden geladen: {kind} …",
        "notLoaded": "Die Längen ließen sich nicht laden: {kind}. Läuft der Server noch? Wähle sie noch einmal, um es "
        "wieder zu versuchen.",
    },
    "rollout": {
        "cell": "{query} enthält {weight} von {key}, durch alle Schichten",
        "shows": "{title}. {axes} Je kräftiger eine Zelle, desto mehr vom Token der Spalte ist durch alle Schichten in "
        "der Zeile angekommen; die Zahlen stehen in der Tabelle.",
        "emptyRow": "Zeile {query} kommt nur von besonderen Tokens, also bleibt nichts übrig.",
        "words": "In Wörtern: über die Keys eines Worts summiert, über seine Queries gemittelt.",
    },
}
TEXT = {
    "instead": INSTEAD,
    "warned": {"more": "und {count} mehr", "where": "Satz {number} von {count}"},
    "withReason": "{piece}: {reason}",
    "status": STEP,
    "heatmap": "Heatmap: {title}",
    "shows": "{title}. {axes} Je kräftiger eine Zelle, desto größer ihr Gewicht; die Zahlen stehen in der Tabelle.",
    "ribbons": "Bänder: {title}",
    "table": "Tabelle: {title}",
    "caption": "{title}. {axes}",
    "masked": "maskiert",
    "title": "{kind} · {heads}",
    "cell": CELL,
    "rowMaximum": "Max. Zeile",
    "columnMaximum": "Max. Spalte",
    "combined": {"mean": "Mittel", "max": "Max", "rollout": "Rollout"},
    "overview": {"layer": "S{number}", "head": "K{number}"},
    "entropy": "{bits} Bit (0 heißt sicher).",
    "others": "{count} andere: {probability}",
    "fork": FORK,
    "off": {
        "head": "Was wäre ohne diesen Kopf?",
        "layer": "Was wäre ohne die Köpfe von Schicht {layer}?",
        "heads": "Was wäre ohne Kopf {head} in allen Schichten?",
        "all": "Was wäre ohne diese Köpfe?",
    },
    "start": "Satzanfang, wird zuerst gelesen",
    "sourcePiece": "Token {number}, ID {id}: Klicke, um es anzuheften",
    "unknownPiece": "nicht im Vokabular",
    "targetPiece": "Schritt {step}: Wahrscheinlichkeit {probability}",
    "axes": "Zeilen: {rows}. Spalten: {columns}.",
    "compared": COMPARED,
    "row": "Zeile {query}, Summe {sum}: {keys}",
    "column": "Spalte {key}, am stärksten in: {queries}",
    "emptyRow": "Zeile {query} achtet nur auf besondere Tokens, also bleibt nichts übrig.",
    "rows": "Jede Zeile hat die Summe {sum}.",
    "rowsBetween": "Die Summen der Zeilen reichen von {least} bis {most}.",
    "howToPin": "Klicke auf eine Zelle, um ihre Zeile anzuheften, oder auf die Beschriftung einer Zeile oder Spalte.",
    "none": "nichts",
    "hidden": "(besondere Tokens ausgeblendet; jede Zeile auf die Summe 1 gebracht)",
    "maximum": "(ein Maximum ist keine Verteilung: Die Summe einer Zeile kann über 1 liegen)",
    "words": "In Wörtern: Gewichte über die Keys eines Worts summiert, über seine Queries gemittelt.",
    "pair": "{fed} → {predicted}",
    "save": "Als Bild speichern",
    "zoom": "Zoom",
    "reset": "Wieder alles zeigen (Taste 0)",
    "stopped": "Abgebrochen. Dein Text steht noch im Feld, das Bild zeigt den Satz davor.",
    "noAnswer": "Es kam keine Antwort. Läuft der Server noch? Nichts ist verloren: Dein Text steht noch im Feld, das "
    "Bild gehört zum Satz davor. Drücke auf „Übersetzen“, um es noch einmal zu versuchen.",
    "loading": "Die Gewichte werden geladen: {kind} …",
    "notLoaded": "Die Gewichte ließen sich nicht laden: {kind}. Läuft der Server noch? Wähle es noch einmal.",
}
