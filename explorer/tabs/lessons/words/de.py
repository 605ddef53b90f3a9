"""What the tab of lessons says."""

TAB = "Lektionen"

HTML = {
    "room": "Lektionen",
    "intro": "Erst vermuten, dann auf der Seite selbst ausprobieren und sehen, ob das Modell tut, was du vermutet "
    "hast. Eine Lektion steht neben der Seite, während du arbeitest; du kannst sie schließen und später "
    "weitermachen. Was du vermutet hast, bleibt in diesem Browser.",
}
CARD = {
    "minutes": "{minutes} Minuten",
    "steps": "{steps} Schritte",
    "new": "noch nicht begonnen",
    "at": "Schritt {step} von {steps}",
    "over": "fertig",
    "score": "fertig, {same} von {made} Vermutungen trafen zu",
    "start": "Beginnen",
    "resume": "Weiter",
    "again": "Noch einmal",
    "away": "Diese Lektion braucht das Programm: Einfachen Dateien fehlt ein Raum, durch den sie führt.",
}
FOREIGN = (
    "Die mitgelieferten Lektionen sprechen vom mitgelieferten Checkpoint. Geladen ist ein anderer, von dem sie falsch "
    "sein könnten. Eigene Lektionen zeigt `python app.py --model NAME --lessons ORDNER`, und "
    "`python -m explorer.lessons --model NAME ORDNER` prüft, ob stimmt, was sie behaupten."
)
