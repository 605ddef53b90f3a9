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
        "Jede Art, Schicht, jeder Kopf und Schritt dieser Übersetzung, und was es bedeutet, als Text",
    ),
    "npz": ("Alles, NPZ", "Dasselbe als Arrays für numpy.load"),
    "report": (
        "Bericht, HTML",
        "Diese Übersetzung als eine Datei, die ohne Netz aufgeht: alle Arten, Schichten, Köpfe, Schritte",
    ),
    "worksheet": ("Arbeitsblatt, HTML", "Zwei A4-Seiten zum Bearbeiten und eine mit Lösungen, aus dem Browser zu drucken"),
    "print": ("Arbeitsblatt drucken", "Dasselbe, gleich gedruckt"),
}
TEXT = {
    "working": "Wird gespeichert …",
    "saved": "Gespeichert: {name}, {size}.",
    "noAnswer": "Der Server hat nicht geantwortet. Versuche es noch einmal.",
    "noPicture": "Hier ist noch kein Bild.",
    "kilobytes": "{number} kB",
    "megabytes": "{number} MB",
}
REFUSALS = {
    "no_entry": "Etwas namens {name!r} lässt sich nicht speichern.",
    "index": "{name} muss zwischen 0 und {last} liegen, nicht {value}.",
    "lengths": "Längen gibt es nur von Schichten, und nur von der unveränderten Übersetzung.",
    "no_matrix": "Eine solche Matrix gibt es nicht.",
}
