"""Was der Abschnitt Jetzt eins trainieren sagt."""

HTML = {
    "room": "Jetzt eins trainieren",
    "choose": "Was dieser Raum zeigt",
    "came": "Wie dieses Modell entstand",
    "now": "Jetzt eins trainieren",
    "intro": "Ein kleiner Transformer derselben Bauart lernt hier aus zufälligen Gewichten eine einzige Aufgabe, in "
    "weniger als einer Minute. Sieh zu, was aus seiner [[attention|Attention]] wird.",
    "task": "Aufgabe",
    "layers": "Schichten",
    "heads": "Köpfe",
    "positions": "Positionen",
    "on": "an",
    "off": "aus",
    "off_hint": "Nichts sagt dem Modell, wo in der Folge ein Stück steht",
    "train": "Trainieren",
    "stop": "Anhalten",
    "go_on": "Weiter",
    "again": "Von vorn",
    "again_hint": "Gibt dieses auf und beginnt neu mit der Auswahl darüber",
    "open": "In allen Räumen öffnen",
    "open_hint": "Als eigene Seite in einem neuen Tab; wer ihre Adresse hat, kann sie auch öffnen, solange es sie gibt",
    "accuracy": "Ganz richtig, % von 256 Fragen, die es nie übt",
    "loss": "Verlust, Nat pro Stück: <b>Training</b>, <i>zurückgehalten</i>",
    "seen": "Wohin es gerade sieht",
    "kind": "Art der Attention",
    "layer": "Schicht",
    "head": "Kopf",
}
TASKS = {
    "reverse": {
        "name": "Umdrehen",
        "why": "Jeder Schritt muss eine Stelle weiter links hinsehen: In der Karte entsteht eine Diagonale, die "
        "rückwärts läuft.",
    },
    "copy": {
        "name": "Abschreiben",
        "why": "Jeder Schritt muss auf die Stelle sehen, die er schreibt: die schlichteste Diagonale.",
    },
    "sort": {
        "name": "Sortieren",
        "why": "Jeder Schritt muss die Ziffer finden, die der Größe nach als nächste kommt, wo immer sie steht: Er "
        "sieht nach dem Inhalt, nicht nach der Stelle.",
    },
    "numbers": {
        "name": "Wörter zu Ziffern",
        "why": "„Thousand“ und „hundred“ sagen, an welche Stelle eine Ziffer gehört: Die Wörter müssen erst einander "
        "ansehen.",
    },
    "dates": {
        "name": "Daten",
        "why": "Das Jahr kommt zuerst und der Tag zuletzt: Jeder Schritt springt zu dem einen Wort, das er braucht.",
    },
}
OFF = (
    "Hier wird kein Modell trainiert: Diese Seite wurde ohne das gestartet. Auf dem eigenen Computer bietet "
    "`python app.py` es an, mit `--toys 2` für zwei zugleich; auf einem Space muss es mit `--toys` "
    "eingeschaltet werden."
)
TEXT = {
    "kinds": {"cross": "Cross-Attention", "encoder": "Encoder", "decoder": "Decoder"},
    "mean": "Mittel",
    "cell": "{query} sieht auf {key}: {percent} %",
    "fed": "{fed} → {predicted}",
    "wrong": "{fed} → {predicted} (richtig: {right})",
    "map": "{kind}, Schicht {layer}, Kopf {head}",
    "reading": {
        "cross": "Eine Zeile ist ein Schritt: das Stück, das gelesen wird, und was es vorhersagt. Eine Spalte ist ein "
        "Stück der Aufgabe. Je kräftiger die Farbe, desto mehr sieht es dorthin.",
        "encoder": "Eine Zeile ist ein Stück der Aufgabe, eine Spalte ein anderes, auf das es sieht, bevor etwas "
        "geschrieben wird.",
        "decoder": "Eine Zeile ist ein Schritt, eine Spalte ein schon geschriebenes Stück. Niemand sieht voraus.",
    },
    "writes": "Mit der richtigen Antwort bis dahin schreibt es: {written}",
    "figures": "{seconds} s Training · {examples} Beispiele · {steps} Schritte",
    "right": "{percent} % richtig",
    "axis": "{seconds} s",
    "loss": "Verlust bei zurückgehaltenen Fragen: {loss} Nat pro Stück",
    "before": "Wähle eine Aufgabe und drücke auf Trainieren: Hier siehst du dann, wie viel es schon kann und wohin es "
    "sieht.",
    "starting": "Bittet um einen Platz …",
    "unreachable": "Der Server antwortet nicht. Läuft er noch?",
    "milestones": {
        "begun": "Das Training hat begonnen.",
        "passed": "{percent} Prozent richtig nach {seconds} Sekunden.",
    },
    "without": {
        "reverse": "Ohne Positionen sehen 3 1 4 und 4 1 3 für den Encoder genau gleich aus: Attention allein sieht "
        "einen Beutel voller Stücke. Welche Ziffer die letzte war, steht dann nirgends, so lange es auch trainiert.",
        "copy": "Ohne Positionen sehen 3 1 4 und 4 1 3 für den Encoder genau gleich aus: Attention allein sieht einen "
        "Beutel voller Stücke. Die richtigen Ziffern kann es schreiben, nicht aber in ihrer Reihenfolge, so lange es "
        "auch trainiert.",
        "sort": "Sortieren braucht keine Positionen: Die Antwort ist dieselbe, in welcher Reihenfolge die Ziffern auch "
        "kommen. Welche es gibt und wie oft, findet Attention auch in einem Beutel.",
        "numbers": "Ohne Positionen sehen „two hundred three“ und „three hundred two“ genau gleich aus. Was nur eine "
        "Lesart hat, etwa „forty two“, kann trotzdem gelernt werden.",
        "dates": "Ein Datum braucht keine Positionen: Tag, Monat und Jahr unterscheiden sich durch das, was sie sind, "
        "nicht durch ihre Stelle.",
    },
    "try": {
        "reverse": "Versuche es mit ausgeschalteten Positionen.",
        "copy": "Versuche es mit ausgeschalteten Positionen.",
        "sort": "Versuche es mit ausgeschalteten Positionen: Kann es noch sortieren?",
        "numbers": "Versuche es mit ausgeschalteten Positionen.",
        "dates": "Versuche es mit ausgeschalteten Positionen: Kann es das dann noch?",
    },
}
