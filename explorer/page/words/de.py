"""What the page says above its tabs."""

TITLE = "Attention Explorer"
SUBTITLE = "Sieh einem Transformer beim Übersetzen zu ({source_language} → {target_language})."
MODEL = "{encoder} + {decoder} Schichten, {heads} Köpfe."
TOY = {
    "trained": "Hier trainiert: {about}",
    "back": "Zur Hauptseite",
}
GONE = {
    "title": "Dieses Modell ist nicht da",
    "text": "Ein Modell, das auf der Seite trainiert wurde, bleibt nur eine Weile und geht, wenn das Programm endet. "
    "Ein neues zu trainieren dauert weniger als eine Minute.",
    "back": "Zum Attention Explorer",
}

TOOLS = {
    "tools": "Die Seite",
    "tour": "Tour",
    "tour_hint": "Sieben Hinweise am Bild selbst; Esc beendet sie, und beim nächsten Mal geht es dort weiter",
    "copy": "Link kopieren",
    "copy_hint": "Einen Link auf genau das kopieren, was gerade zu sehen ist",
    "save": "Speichern",
    "save_hint": "Das Bild, seine Zahlen oder alles an dieser Übersetzung speichern (s)",
    "theme_hint": "Zwischen hell und dunkel wechseln; dieser Browser merkt es sich",
    "projector": "Beamer",
    "projector_hint": "Ein Feld allein, groß genug für die letzte Reihe (p; Esc führt zurück)",
    "skip": "Zum Bild springen",
    "keys": "Tasten",
    "keys_hint": "Was die Tasten tun (?)",
    "keys_title": "Tasten",
    "keys_where": "Sie wirken überall, außer beim Schreiben und wo eine Liste offen ist.",
    "close": "Schließen",
}
KEYS = (  # names of keys, separated by spaces, and what they do
    ("← →", "Einen Schritt zurück oder weiter. In „Training“: einen Moment."),
    ("Pos1 Ende", "Der erste und der letzte Schritt"),
    ("Leertaste", "Abspielen und anhalten"),
    ("Esc", "Angeheftetes lösen; schließen, was offen ist"),
    ("0", "Wieder das ganze Bild, nachdem ein Teil vergrößert war"),
    ("← → ↑ ↓", "In „Im Inneren“: die Zelle links, rechts, darüber, darunter"),
    ("Tab", "Zur nächsten Gruppe: Reiter, Beispiele, ein Satz, die Übersicht"),
    ("← → ↑ ↓", "In einer solchen Gruppe: zum nächsten Element; Enter wählt es"),
    ("Umschalt Enter", "In der Übersicht, bei zwei Köpfen: den zweiten wählen"),
    ("P", "Das offene Feld allein und groß, für den Beamer; noch einmal oder Esc führt zurück"),
    ("S", "Das Bild, seine Zahlen oder alles an dieser Übersetzung speichern"),
    ("?", "Diese Tasten"),
)
TOOLBAR: dict[str, str | dict[str, str]] = {  # what the buttons say once they are pressed, and what is said of a link
    "copied": "Link kopiert.",
    "copyByHand": "Diese Seite darf die Zwischenablage nicht benutzen. Kopiere den Link hier:",
    "link": "Link auf das, was zu sehen ist",
    "tooLong": "Was zu sehen ist, passt nicht in einen Link von 2000 Zeichen. Kürzere Sätze passen.",
    "themes": {"dark": "Dunkel", "light": "Hell"},
    "projector": {"show": "Beamer", "leave": "Beamer aus (Esc)"},
    "damaged": "Im Link nicht verstanden und weggelassen: {parts}.",
}

# What the button that leads to this language says when it is pointed at.
SAME_PAGE = "Dieselbe Seite auf Deutsch"

TOUR = {
    "invitation": "Zur Tour",
    "tour": TOOLS["tour"],
    "title": "Tour, {number} von {count}",
    "next": "Weiter",
    "without": "Überspringen",
    "finish": "Fertig",
    "close": "Tour beenden",
    "stops": {
        "sentence": "Das Modell übersetzt den Satz ({source_language} → {target_language}), ein Wort nach dem anderen. "
        "Diese Zeile sagt, wohin es bei seinem neuesten Wort schaut.",
        "row": "Diese Zeile ist das Wort, das gerade geschrieben wird; jede Spalte ist ein Wort des Ausgangssatzes. "
        "Kräftige Farbe heißt: Hierhin schaut das Modell.",
        "step": "Drücke die rechte Pfeiltaste oder diesen Knopf: Das Modell schreibt das nächste Wort.",
        "word": "Wähle jetzt eines der Wörter des Ausgangssatzes: Klicke darauf, oder geh mit Tab hin und drücke "
        "Enter.",
        "ask": "Wähle ein Beispiel unter diesem Feld, oder schreib einen eigenen Satz hinein und drücke Enter.",
        "level": "Was du gesehen hast, ist das Mittel mehrerer Köpfe, die nebeneinander auf den Satz schauen. Drücke "
        "„Köpfe“, um jeden einzeln zu sehen.",
        "heads": "Jedes kleine Bild ist ein Kopf einer Schicht: Klicke darauf, und es wird groß. „Bild“ führt zurück, "
        "und die Reiter oben führen zu den Zahlen hinter all dem.",
    },
    "done": {
        "step": "Eine neue Zeile ist da, und der Satz über dem Bild sagt, wohin das Modell jetzt schaut.",
        "word": "Seine Spalte ist umrahmt, und der Satz darüber sagt, bei welchem neuen Wort das Modell am meisten "
        "dorthin geschaut hat. Esc oder ein zweiter Klick löst es wieder.",
        "ask": "Das ist dein Satz in der Übersetzung, geöffnet bei einem Wort, dessen Bild klar ist.",
    },
}

# The lesson that stands on the page: what its HTML says, and what it says as one goes on.
LESSON_HTML = {
    "lesson": "Lektion",
    "close": "Lektion schließen",
    "close_hint": "Lektion schließen; wie weit du warst, bleibt in diesem Browser",
    "commit": "Antwort festlegen",
    "show": "Zeig es mir",
    "show_hint": "Führt ohne dich dorthin",
    "back": "Zurück",
}
LESSON = {
    "of": "Lektion, Schritt {step} von {steps}",
    "fold": "Einklappen",
    "unfold": "Ausklappen",
    "next": "Weiter",
    "skip": "Überspringen",
    "finish": "Fertig",
    "same": "Wie du vermutet hast.",
    "other": "Anders, als du vermutet hast.",
    "guessed": "Du:",
    "model": "Das Modell:",
    "tally": "In {same} von {made} Fällen hat das Modell getan, was du vermutet hast.",
}

DRAFT = {
    "translating": "Wird übersetzt …",
    "stillShows": "Noch nicht übersetzt. Das Bild zeigt weiter: {sentence}",
}
# Why a program's call is refused.
API_REFUSALS = {
    "among": "{name} muss eines von {choices} sein, nicht {value!r}.",
    "whole": "{name} muss eine ganze Zahl sein, nicht {value!r}.",
    "real": "{name} muss eine Zahl sein, nicht {value!r}.",
    "unmeasured": "Die Köpfe dieses Checkpoints wurden nicht gemessen: Das tut python -m explorer.catalogue.",
}

# What the buttons of Plotly's figures are called, by its own names for them.
FIGURES = {
    "Download plot as a PNG": "Als Bild speichern (PNG)",
    "Reset axes": "Wieder alles zeigen",
    "Zoom": "Vergrößern",
    "Pan": "Verschieben",
    "Zoom in": "Hinein",
    "Zoom out": "Heraus",
    "Autoscale": "Automatisch",
    "Box Select": "Rechteck wählen",
    "Lasso Select": "Freihand wählen",
    "Produced with Plotly.js": "Gezeichnet mit Plotly.js",
}
