"""What the dialog says that saves what is shown."""

HTML = {
    "title": "Speichern",
    "what": "Was",
    "grey": "In Grau, zum Drucken",
    "grey_hint": "Schwarz auf Weiß, welche Farben die Seite auch hat; Zahlen unter null sind gestreift",
    "caption": "Mit Bildunterschrift",
    "caption_hint": "Unter dem Bild: Satz, Übersetzung bis hierher, Art, Schicht, Kopf, Schritt, Modell und Link",
    "preview": "So wird das Bild",
    "notes": "Notizen",
    "notes_hint": "Sie stehen im Bericht und lassen sich dort ändern",
    "close": "Schließen",
}
GROUPS = {"picture": "Bild", "numbers": "Zahlen", "handout": "Zum Austeilen"}
ENTRIES = {  # was auf dem Knopf steht, und was man bekommt
    "svg": ("SVG", "Aus Linien und Text: für einen Aufsatz, und um es in einem Zeichenprogramm zu ändern"),
    "png": ("PNG", "Aus Bildpunkten, doppelt so fein wie der Bildschirm: für eine Folie"),
    "csv": (
        "Diese Matrix, CSV",
        "Die Matrix vor dir mit den Namen ihrer Zeilen und Spalten, für die Tabellenkalkulation",
    ),
    "csv_unchanged": (
        "Unverändert, CSV",
        "Dieselbe Matrix der unveränderten Übersetzung, mit den Namen ihrer Zeilen und Spalten",
    ),
    "json": (
        "Alles, JSON",
        "Jede Art, jede Schicht, jeder Kopf und jeder Schritt dieser Übersetzung, und was alles bedeutet, als Text",
    ),
    "npz": ("Alles, NPZ", "Dasselbe als Arrays für numpy.load"),
    "report": (
        "Bericht, HTML",
        "Diese Übersetzung als eine Datei, die ohne Netz aufgeht: alle Arten, Schichten, Köpfe, Schritte",
    ),
    "worksheet": (
        "Arbeitsblatt, HTML",
        "Zwei A4-Seiten zum Bearbeiten und eine mit Lösungen, aus dem Browser zu drucken",
    ),
    "print": ("Arbeitsblatt drucken", "Dasselbe, gleich gedruckt"),
}
CAPTION = {  # below a picture
    "step": "Schritt {step} von {steps}",
    "whole": "alle Schritte",
    "pinned": "angeheftet: „{label}“",
    "specials": "besondere Tokens ausgeblendet",
    "lengths": "Längen",
    "source": "{source_language}: {text}",
    "target": "{target_language} bis hierher: {text}",
    "translation": "{target_language}: {text}",
    "unchanged": "{target_language}, unverändert: {text}",
    "changed": "{target_language}, verändert: {text}",
    "changes": "Geändert: {changes}",
    "model": "Modell: {model}",
}
PARTS = {  # what can be a picture
    "picture": "Das Bild",
    "overview": "Übersicht aller Köpfe",
    "station": "Das Experiment",
    "outcome": "Was es ändert",
    "table": "Die Tabelle",
    "curves": "Verlustkurven",
    "pace": "Tempo des Trainings",
    "all": "Der ganze Raum",
    "none": "Hier ist noch kein Bild.",
}
MODEL = "{layers} + {decoder_layers} Schichten, {heads} Köpfe, d_model {d_model}, {parameters} Millionen Parameter"
TEXT = {
    "of": "Satz: {sentence} Matrix: {matrix}, alle Zeilen.",
    "working": "Wird gespeichert …",
    "saved": "Gespeichert: {name}, {size}.",
    "failed": "Das ließ sich nicht speichern. Lade die Seite neu und versuche es noch einmal.",
    "tooLarge": "Dieses Bild ist zu groß für diesen Browser. Speichere es stattdessen als SVG.",
    "noAnswer": "Der Server hat nicht geantwortet. Versuche es noch einmal.",
    "kilobytes": "{number} kB",
    "megabytes": "{number} MB",
}
REFUSALS = {
    "lengths": "Längen gibt es nur von einzelnen Schichten und nur von der unveränderten Übersetzung.",
    "no_matrix": "Eine solche Matrix gibt es nicht.",
}
