"""Why a sentence is refused, and what a visitor should know of its translation."""

from explorer.ui.limits import LOW_CONFIDENCE

REFUSALS = {
    "opening": "Die Seite öffnet mit einem Satz, den dieses Modell ablehnt; wähle mit --examples andere",
    "empty": "Es gibt noch nichts zu übersetzen: Gib einen Satz ein ({source_language}).",
    "long": "Der Text hat {length} Zeichen, erlaubt sind {limit}. Bitte kürze ihn.",
    "pieces": "Der Text hat mit seinem Ende {pieces} Tokens, gezeigt werden höchstens {limit}. Bitte kürze ihn.",
    "control": "Der Text enthält das Steuerzeichen {code}, das sich nicht übersetzen lässt. Bitte entferne es.",
    "unknown": "Das Modell kennt keines dieser Zeichen. Lesen gelernt hat es nur {source_language}.",
    "kind": "kind muss {kinds} oder {last} sein, nicht {value!r}.",
}

NOTES = {
    "unsure": f"Hier war das Modell unsicher (unter {100 * LOW_CONFIDENCE:.0f}\u00a0%): {{pieces}}",
    "source": "{source_language} hat keine Leerzeichen zwischen Wörtern; darum gilt hier jedes Stück als Wort.",
    "source_turned": "{source_language} läuft von rechts nach links, und so stehen hier seine Stücke, auch die einer "
    "Zahl. Bilder zählen sie von links, und die rechte Pfeiltaste heißt auch hier: das nächste.",
    "target_turned": "{target_language} läuft von rechts nach links, und so stehen hier seine Stücke, auch die einer "
    "Zahl. Bilder zählen sie von links, und die rechte Pfeiltaste heißt auch hier: das nächste.",
    "both_turned": "{source_language} und {target_language} laufen von rechts nach links, und so stehen hier ihre "
    "Stücke, auch die einer Zahl. Bilder zählen sie von links, und die rechte Pfeiltaste heißt auch hier: das nächste.",
    "target": "{target_language} hat keine Leerzeichen zwischen Wörtern; darum gilt hier jedes Stück als Wort.",
}

# One plain sentence each (explorer/recording/warnings.py), the gravest first.
WARNINGS = {
    "language": {
        "named": "Das sieht nach {language} aus, nicht nach {source_language}. Das Modell hat nur {source_language} "
        "gelernt; was es daraus macht, ist keine Übersetzung.",
        "none": "Das sieht nicht nach {source_language} aus. Das Modell hat nur {source_language} gelernt; was es "
        "daraus macht, ist keine Übersetzung.",
    },
    "limit": {"text": "Nach {steps} Schritten abgebrochen: Das Modell hat den Satz nicht beendet."},
    "unknown": {"text": "Nicht im Vokabular, also für das Modell alle gleich: {characters}"},
    "missing": {
        "words": "Vielleicht fehlt etwas, denn auf diese Wörter hat das Modell kaum geachtet: {words}",
        "short": "Vielleicht fehlt etwas: Die Übersetzung ist viel kürzer als der Satz.",
    },
    "repetition": {"text": "Die Übersetzung wiederholt sich; oft hat das Modell dann den Faden verloren: {words}"},
    "rare": {"text": "Selten für dieses Modell; es liest das in kleinen Stücken und verstümmelt es leicht: {words}"},
    "capitals": {
        "text": "Alles in Großbuchstaben: Gelernt hat das Modell aus gewöhnlichen Texten, so etwas liest es Buchstabe "
        "für Buchstabe."
    },
    "several": {"text": "{count} Sätze als ein Text übersetzt; gelernt hat das Modell meist aus einzelnen."},
    "lower": {
        "text": "Alles kleingeschrieben: Gelernt hat das Modell mit Großbuchstaben, hier kann es schlechter sein."
    },
    "long": {"text": "Mit {pieces} Tokens länger als fast alles, womit das Modell trainiert wurde."},
}
# What a marked piece says when it is pointed at.
PIECE_REASONS = {
    "rare": "Teil eines Worts, das für dieses Modell selten ist",
    "missing": "kaum beachtet: fehlt vielleicht in der Übersetzung",
    "repetition": "in der Übersetzung wiederholt",
}
# Warum die Geschichte eines Trainings nicht gezeigt wird.
STORY_FAULTS = {
    "link": "{file} ist eine Verknüpfung, und nur eine Datei des Checkpoints selbst darf hier gelesen werden.",
    "irregular": "{file} ist keine gewöhnliche Datei.",
    "large": "{file} ist größer als {largest} MB.",
    "unpacked": "{file} wird entpackt größer als {unpacked} MB.",
    "unreadable": "{file} ist nicht lesbar, beschädigt oder keine Geschichte.",
}
