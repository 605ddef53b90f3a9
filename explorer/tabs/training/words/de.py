"""What the Training tab says."""

from explorer.ui.words.de import TRANSPORT as PLAY

TAB = "Training"

NO_STORY = (
    "Zu diesem Checkpoint gibt es keine Geschichte: Sie würde zeigen, was das Modell im Lauf seines Trainings aus ein "
    "paar Sätzen gemacht hat. So entsteht eine: Trainiere mit `python -m model.train --moments`, rufe dann `python -m "
    "explorer.story RUN_FOLDER` auf, das `story.json.gz` in den Checkpoint schreibt, und starte die Seite neu."
)
NO_RUN = {
    "converted": "Dieses Modell wurde nicht hier trainiert: Es wurde aus einem öffentlichen Checkpoint umgewandelt, "
    "der kein Protokoll seines Trainings enthält. Darum gibt es keine Kurven und keine Geschichte seiner Sätze.",
    "unknown": "Das Protokoll dieses Checkpoints erzählt von keinem Trainingslauf. Darum gibt es keine Kurven und "
    "keine Geschichte seiner Sätze.",
}
STORY_REFUSED = (
    "Die Geschichte dieses Checkpoints wird nicht gezeigt. {fault} Um sie neu zu machen, rufe `python -m "
    "explorer.story RUN_FOLDER` auf und starte die Seite neu."
)
HTML = {
    "room": "Training",
    "scale": "Skala der Schritte",
    "steps": "Schritte",
    "log": "log",
    "log_hint": "Zieht den Anfang auseinander: Jede Zehnerpotenz bekommt gleich viel Platz",
    "linear": "linear",
    "linear_hint": "Jeder Schritt bekommt gleich viel Platz",
    "losses": "Trainings- und Validierungsverlust über die Schritte",
    "sentence": "Satz",
    "map": "Heatmap",
    "fed": "Was der Decoder liest, für die Heatmap unten",
    "own": "Übersetzung jetzt",
    "own_hint": "Die Heatmap zu dem, was das Modell in diesem Moment selbst übersetzt",
    "final": "Übersetzung am Ende",
    "final_hint": "Die Heatmap, wenn das Modell in jedem Moment die endgültige Übersetzung liest, als hätte es sie "
    "selbst geschrieben: Zeilen und Spalten bleiben dieselben, sodass du die Gewichte verfolgen kannst",
    "moments": "Momente des Trainings",
    "pace": "Lernrate und Tempo über die Schritte",
}
TRANSPORT = {
    "first": "Erster Moment",
    "first_hint": "Erster Moment (Pos1)",
    "previous": "Voriger Moment",
    "previous_hint": "Voriger Moment (Pfeil nach links)",
    "play": PLAY["play"],
    "pause": PLAY["pause"],
    "play_hint": "Das Training abspielen oder anhalten (Leertaste)",
    "next": "Nächster Moment",
    "next_hint": "Nächster Moment (Pfeil nach rechts)",
    "last": "Letzter Moment",
    "last_hint": "Letzter Moment (Ende)",
    "slider": "Moment des Trainings",
    "slider_hint": "Zu einem Moment des Trainings gehen",
}
STORY = {
    "moment": "Moment {number} von {count}: nach Schritt {step}",
    "loss": "Trainingsverlust {loss}",
    "dev_loss": "Validierungsverlust {loss}",
    "nothing": "(leer: sofort zu Ende)",
    "unended": "{translation} …",
    "stopped": "Hier abgebrochen, ein paar Tokens nach dem Ende der endgültigen Übersetzung: Kein Ende war in Sicht.",
    "loading": "Die Geschichte dieses Trainings wird geladen …",
    "notLoaded": (
        "Die Geschichte dieses Trainings ließ sich nicht laden. Läuft der Server noch? Öffne die Seite noch einmal."
    ),
}
STORY_QUERIES = {
    "encoder": "Token ({source_language})",
    "decoder": "gelesen → nächstes ({target_language})",
    "cross": "gelesen → nächstes ({target_language})",
}
STORY_WORD_QUERIES = {
    "encoder": "Wort ({source_language})",
    "decoder": "gelesen → nächstes ({target_language})",
    "cross": "gelesen → nächstes ({target_language})",
}
STORY_EXPLANATIONS = {
    "encoder": (
        "Jede Zeile ist ein Token des Ausgangssatzes und fragt jedes Token dieses Satzes: Wie wichtig bist du für "
        "mich? Mit zufälligen Gewichten sind alle etwa gleich wichtig. Achte darauf, wann ein Kopf sein Muster "
        "findet, in Schicht 1 und in der letzten Schicht."
    ),
    "decoder": (
        "Jede Zeile ist ein Schritt des Decoders: das gelesene Token und das nächste. Sie schaut nur auf die Tokens, "
        "die bis dahin gelesen sind; mit zufälligen Gewichten verteilt sie sich gleichmäßig auf sie. Klicke auf ein "
        "frühes Token der Übersetzung, um eine kurze Zeile zu sehen."
    ),
    "cross": (
        "Jede Zeile ist ein Schritt des Decoders: das gelesene Token und das nächste; jede Spalte ist ein Token des "
        "Ausgangssatzes. Mit zufälligen Gewichten ist eine Zeile gleichmäßig verteilt: Der Decoder schaut überallhin "
        "und nirgendwohin. Achte darauf, wann dunkle Zellen auftauchen und dass sie dort liegen, wo ein Wort das "
        "andere übersetzt. Vergleiche Schicht 1 mit der letzten Schicht."
    ),
}

# The curves: a panel each, with the names of its curves by what the log calls them.
LOSSES = (("Verlust, Nat pro Token", {"loss": "Training", "dev_loss": "Validierung"}),)
PACE = (("Lernrate", {"lr": ""}), ("Tokens pro Sekunde ({target_language})", {"tokens_per_s": ""}))
PANEL = "{title}: {curves}"
POINT = "Schritt %{x:,}: %{y:,.4~g}"  # Plotly fills in the names

RECORD = {
    "model": "### Das Modell",
    "size": "Größe",
    "value": "Hier",
    "run": "### Der Trainingslauf",
    "runs": "### Die Trainingsläufe, jeder setzt den vorigen fort",
    "fact": "Zu jedem Lauf",
    "number": "Lauf {number}",
    "command": "**Befehl**",
    "commands": "**Befehl von Lauf {number}**",
    "data": "### Daten und Lizenzen",
    "scores": "### Ergebnisse auf Sätzen, die nicht im Training waren",
}
DURATION = {"hours": "{hours} h {minutes} min", "minutes": "{minutes} min", "seconds": "{seconds:.0f} s"}
RECORD_FACTS = {
    "hardware": "Hardware",
    "seconds": "Dauer",
    "steps": "Schritte",
    "epochs": "Epochen",
    "tokens": "Tokens im Training ({target_language})",
    "dev_loss": "Validierungsverlust am Ende, Nat pro Token",
}
MODEL_FACTS = {
    "parameters": "Parameter",
    "layers": "Schichten, Encoder + Decoder",
    "heads": "Köpfe einer Attention",
    "d_model": "Breite des Stroms, d_model",
    "d_ff": "Innere Breite der Feedforward-Netze, d_ff",
    "vocabulary": "Tokens des Vokabulars",
    "repository": "Umgewandelt aus",
    "revision": "Dessen Commit",
    "licence": "Dessen Lizenz",
}
RECORD_FILES = {"file": "Datei", "pairs": "Satzpaare", "role": "Verwendet für"}
RECORD_SCORES = {
    "file": "Testdatei",
    "pairs": "Paare",
    "decoding": "Decoding",
    "bleu": "BLEU",
    "bleu_lowercase": "kleingeschrieben",
    "chrf": "chrF",
    "accuracy": "ganz richtig, %",
}
MISSING = {
    "value": "nicht festgehalten",
    "command": "Der Befehl ist nicht festgehalten.",
    "data": "Woraus das Modell gelernt hat, ist nicht festgehalten.",
    "licences": "Herkunft und Lizenzen sind nicht festgehalten.",
    "scores": "Ergebnisse sind nicht festgehalten: `python -m model.evaluate --write` fügt sie hinzu.",
    "log": "Im Protokoll dieses Checkpoints steht kein Verlauf, darum gibt es keine Kurven.",
}
CURVES = (
    "Der Trainingsverlust wird an den Sätzen gemessen, die gerade gelernt werden, mit Dropout und geglätteten Zielen; "
    "der Validierungsverlust an zurückgehaltenen Sätzen, ohne beides. Darum kann er der kleinere sein."
)
CURVES_OF_RUNS = "Eine gepunktete Linie zeigt, wo ein weiterer Lauf mit den Gewichten des vorigen weitermacht."
