"""What stands on what is handed out: reports, worksheets, and pages without a server."""

REPORT = {
    "title": "Worauf das Modell geachtet hat",
    "dark": "Hell oder dunkel",
    "source": "{source_language}",
    "notes": "Notizen",
    "notes_hint": "Was du dir merken oder anderen sagen willst.",
    "save": "Mit Notizen speichern",
    "save_hint": "Speichert diese Datei noch einmal, mit den Notizen, wie sie jetzt sind",
}
REPORT_TITLE = "Attention: {sentence}"
PRINTING = "Gedruckt ist diese Seite ein Arbeitsblatt: zwei Seiten zum Bearbeiten und eine mit Lösungen."
LONG = "Zu diesem Satz gibt es kein Arbeitsblatt: Er hat mehr Wörter, als auf eine Seite passen."
TARGET = "{target_language}"
TEXT = {"unchanged": "{target_language}, unverändert", "changed": "{target_language}, verändert"}
WORTH = "Log-Wahrscheinlichkeit {total:.2f} Nat"
CHANGES = "Was verändert wurde"
NAMES = {"unchanged": "unverändert", "changed": "verändert"}  # zwei Läufe nebeneinander
MADE = (
    "Erstellt mit dem Attention Explorer: ein Transformer mit {encoder} + {decoder} Schichten zu je {heads} Köpfen und "
    "{parameters:.1f} Millionen Parametern. Alles auf dieser Seite steht in ihrer Datei; sie fragt bei keinem Server "
    "an."
)
EXPERIMENT = {
    "source": "Stattdessen gelesen: {text}",
    "word_order": "Die Wörter in anderer Reihenfolge: {text}",
    "hidden": "Verdeckt, nichts darf darauf achten: {pieces}",
    "beginning": "Die Übersetzung musste beginnen mit: {pieces}",
    "off": "Abgeschaltete Köpfe ({how}): {heads}",
    "off_by": {
        "zero": "ihre Ausgabe ist null",
        "uniform": "sie achten auf alles gleich",
        "mean": "ihre Ausgabe ist ihr Mittel über andere Sätze",
        "special": "sie achten allein auf ein besonderes Token",
    },
    "encoder": "Positionen des Encoders: {how}",
    "decoder": "Positionen des Decoders: {how}",
    "positions": {"off": "aus", "shuffled": "gemischt (Seed {seed})", "shifted": "um {shift} verschoben"},
    "patch": "Aus dem Durchlauf von „{sentence}“ kopiert: {what}",
    "cell": "der Strom des {stack}s nach Schicht {layer} an Position {position}",
    "stacks": {"encoder": "Encoder", "decoder": "Decoder"},
}

NO_VIEW = "Was zuerst zu sehen sein soll, ist nicht zu verstehen."
NOTES = "Notizen sind ein Text von höchstens {limit} Zeichen."

# The worksheet, for a class. Sections are a title and what is to be done.
SHEET_TITLE = "Worauf achtet das Modell?"
BLANKS = ("Name", "Datum")
SIDES = ("Satz ({source_language})", "Übersetzung ({target_language})")
INTRO = (
    "Ein Transformer übersetzt ein Wort nach dem anderen. Für jedes neue Wort verteilt er Gewichte auf die Wörter des "
    "Satzes: 0 heißt „nicht beachtet“, 1 heißt „sonst nichts beachtet“. Das nennt man Attention."
)
SHEET = {
    "guess": (
        "A  Schätze",
        "Auf welches Wort des Satzes achtet das Modell wohl am meisten, während es jedes dieser Wörter schreibt? Trage "
        "dessen Nummer aus B in die zweite Spalte ein. Die dritte bleibt noch leer.",
    ),
    "lines": ("B  Zeichne", "Zieh von jedem Wort rechts eine Linie zu deiner Schätzung."),
    "picture": (
        "C  Das Bild",
        "Eine Zeile für jedes Wort der Übersetzung, eine Spalte für jedes Wort des Satzes; </s> ist sein Ende. Je "
        "dunkler eine Zelle, desto größer das Gewicht. Such in jeder Zeile die dunkelste Zelle und trage ihre Nummer "
        "in die dritte Spalte von A ein. (Letzte Schicht, Mittel von {heads} Köpfen.)",
    ),
    "weights": (
        "D  Lies Gewichte ab",
        "Lies diese Zeilen mithilfe der Skala aus dem Bild ab, auf eine Dezimale. Wie groß ist die Summe einer Zeile?",
    ),
    "order": (
        "E  Reihenfolge",
        "Zieh die Linien in B mit einer anderen Farbe so, wie es die dritte Spalte von A sagt.",
    ),
    "think": (
        "F  Denk nach",
        "Wo lag deine Schätzung daneben? Gibt es ein Wort, das auf mehrere andere achtet oder auf eines, das nicht "
        "dasselbe bedeutet? Woran könnte das liegen?",
    ),
}
GUESS_HEADER = ("Das Modell schreibt", "Meine Schätzung", "Dunkelste Zelle")
ORDER_BLANKS = ("Paare von Linien, die sich kreuzen:", "Wörter, die in der Übersetzung woanders stehen:")
PICTURE = "Attention-Gewichte: {rows} Wörter der Übersetzung, {columns} Wörter des Satzes"
DRAWING = "Links die Wörter des Satzes, rechts Wörter der Übersetzung"
KEY_TITLE = "Lösungen"
KEY_INTRO = (
    "Aus denselben Zahlen wie das Bild: Cross-Attention der letzten Schicht, Mittel von {heads} Köpfen; die Tokens "
    "eines Worts sind zusammengefasst. Grautöne sind schwer zu unterscheiden: Auch 0.1 daneben ist gut abgelesen."
)
KEY_HEADER = ("Das Modell schreibt", "und achtet vor allem auf", "Gewicht")
CROSSINGS = "Paare von Linien, die sich kreuzen: {count}."
THOUGHT = (
    "Hier gibt es nicht die eine Antwort. Die Gewichte einer Zeile ergeben zusammen 1; was ein Wort bekommt, fehlt den "
    "anderen. Gerundet kann die Summe 0.9 oder 1.1 sein. Ein großes Gewicht sagt, worauf das Modell achtet, aber noch "
    "nicht, warum: Das zeigt erst ein Experiment."
)
TOO_LONG = (
    "Ein Arbeitsblatt hat Platz für {limit} Wörter; dieser Satz oder seine Übersetzung hat {words}, Satzzeichen "
    "mitgezählt."
)
