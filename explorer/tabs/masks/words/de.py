"""What the tab Masks says; explorer.ui.glossary links the terms in double brackets."""

TAB = "Masken"

BATCH_SIZE = "Tippe zwei oder drei Sätze ein: Erst durch Padding passen verschieden lange Sätze in einen Batch."
REFUSED = "Satz {number}: {reason}"
HTML = {
    "keys_region": "Der Batch als IDs: Keys",
    "queries_region": "Der Batch als IDs: Queries",
    "room": "Masken",
    "first": "Erster Satz",
    "second": "Zweiter Satz",
    "third": "Dritter Satz",
    "batch": "Batch bilden",
    "batch_hint": "Diese Sätze zu einem Batch zusammenfassen (Enter)",
    "sentence": "Satz",
    "sentence_hint": "Der Satz, dessen Masken gezeigt werden",
    "query": "Query",
    "query_hint": "Die Zeile, die durch die Softmax verfolgt wird",
    "see": "Die Sätze eines [[batch|Batchs]] müssen gleich lang sein, deshalb werden kürzere mit Padding aufgefüllt. "
    "Eine [[mask|Maske]] hält die Attention vom Padding fern; im Decoder verdeckt eine zweite die Zukunft. "
    "Schraffierte Zellen sind maskiert; Queries sind Zeilen, Keys Spalten.",
    "notice": "Die [[padding mask|Padding-Maske]] verdeckt Spalten (Keys), nie Zeilen (Queries): So behält jede Zeile "
    "etwas, worauf sie achten kann.",
    "try": "Probiere im Encoder eine Query, die Padding ist, und vergleiche die letzten beiden Zeilen; dann den "
    "Decoder, wo die [[look-ahead mask|kausale Maske]] das Padding ohnehin vor jeder echten Query verdeckt.",
}
MASKS = {
    "masked": "maskiert",
    "notLoaded": "Die Masken konnten nicht geladen werden. Läuft der Server noch? Drücke den Knopf, um es noch einmal "
    "zu versuchen.",
    "ids": "Der Batch als IDs",
    "idsWords": {
        "encoder": "[batch, key] = [{batch}, {length}]: die Tokens des Ausgangssatzes, als Queries und als Keys.",
        "decoder": "[batch, key] = [{batch}, {length}]: die gelesenen Tokens der Übersetzung, als Queries und als "
        "Keys.",
        "cross": "[batch, key] = [{batch}, {length}]: Die Tokens des Ausgangssatzes sind die Keys.",
    },
    "queryIdsWords": "[batch, query] = [{batch}, {length}]: Die gelesenen Tokens der Übersetzung sind die Queries.",
    "grids": {
        "padding": {"title": "Padding-Maske", "words": "Eine Zeile, für jede Query dieselbe."},
        "causal": {"title": "Kausale Maske", "words": "Verdeckt die Zukunft; übrig bleibt das untere Dreieck."},
        "combined": {
            "title": "Beide zusammen",
            "words": "Was das Modell benutzt hat: Ein Key ist nur sichtbar, wenn beide Masken es erlauben.",
        },
        "on_queries": {
            "title": "Ein häufiger Fehler",
            "words": "Padding bei den Queries maskiert: Zeilen statt Spalten.",
        },
    },
    "startsFromPadding": "Eine Zeile, für jede Query dieselbe. Das Decoding beginnt hier mit dem Padding-Token: An der "
    "ersten Stelle füllt es nichts auf und bleibt sichtbar.",
    "notCausal": "Hier nicht benutzt: Nur die Self-Attention des Decoders hat eine Zukunft zu verdecken.",
    "row": "Die Zeile von „{query}“ in Satz {sentence}, von den Scores zu den Gewichten",
    "rows": {
        "scores": {
            "title": "Scores, vor jeder Maske",
            "words": "Wie das Modell sie berechnet hat, geteilt durch √d_head.",
        },
        "weights": {
            "title": "mit Maske: die Gewichte des Modells",
            "words": "Summe {sum}, davon {padding} auf Padding. Maskierte Gewichte sind genau 0.",
        },
        "unmasked": {
            "title": "ohne Maske",
            "words": "Summe {sum}, davon {padding} auf Padding: dieselben Scores, mit der Softmax über alle Keys.",
        },
        "mistaken": {
            "title": "der Fehler, maskiert mit −∞",
            "words": "Summe {sum}, davon {padding} auf Padding.",
            "empty": "Jeder Key ist maskiert: Eine Softmax über lauter −∞ ergibt NaN, und alles, was daraus berechnet "
            "wird, ebenso.",
        },
        "mistaken_finite": {
            "title": "der Fehler, maskiert mit −1e9",
            "words": "Summe {sum}, davon {padding} auf Padding.",
            "even": "Jeder Key ist gleichermaßen maskiert, also bekommen alle dasselbe Gewicht, {each}: Nichts schlägt "
            "fehl, und der Fehler bleibt unbemerkt.",
        },
    },
}
