"""Warum ein Spielmodell nicht trainiert wird oder nicht da ist."""

REFUSALS = {
    "full": "Es warten so viele Trainings, wie Platz haben. Versuche es in ein paar Minuten wieder.",
    "unknown": "Dieses Training gibt es nicht. Vielleicht ist es längst vorbei: Trainiere es noch einmal.",
    "room": "Dieses Spielmodell wurde weggeräumt, weil andere seinen Platz brauchten. Trainiere es noch einmal: "
    "Dieselbe Auswahl ergibt es wieder.",
    "idle": "Dieses Spielmodell wurde weggeräumt, weil eine Weile niemand hinsah. Trainiere es noch einmal: Dieselbe "
    "Auswahl ergibt es wieder.",
    "left": "Dieses Training wurde aufgegeben. Trainiere es noch einmal: Dieselbe Auswahl ergibt es wieder.",
    "replaced": "Dieses Training wurde aufgegeben, als du ein anderes begonnen hast.",
    "closed": "Die Seite schließt gerade: Es kann kein Training beginnen.",
    "early": "Von diesem Spielmodell gibt es noch nichts zu öffnen. Halte sein Training an, oder warte, bis es vorbei "
    "ist.",
}
STATES = {
    "waiting": "Wartet: {ahead} andere Trainings kommen zuerst.",
    "second": "Wartet: 1 anderes Training kommt zuerst.",
    "next": "Wartet: Dieses Training beginnt als nächstes.",
    "starting": "Das Training beginnt: Sein Prozess braucht ein paar Sekunden, bis er läuft.",
    "learning": "Trainiert.",
    "stopped": "Angehalten nach {step} Schritten. Es geht dort weiter, wo es steht.",
    "failed": "Das Training brach ab: Sein Prozess endete ohne ein Wort (Status {status}). Trainiere es noch einmal.",
    "stillborn": "Das Training konnte nicht beginnen: Dieser Rechner hat keinen Platz für einen weiteren Prozess. "
    "Versuche es später wieder.",
}
FINISHED = {
    "reached": "Geschafft: Nach {seconds} Sekunden kommen {right} % der zurückgehaltenen Fragen ganz richtig heraus.",
    "time": "Die Zeit ist um: Nach {seconds} Sekunden kommen {right} % der zurückgehaltenen Fragen ganz richtig "
    "heraus.",
    "idle": "Es stand so lange still, dass es beendet wurde. {right} % der zurückgehaltenen Fragen kommen ganz "
    "richtig heraus.",
    "ended": "Es wurde beendet, weil andere seinen Speicher brauchten. {right} % der zurückgehaltenen Fragen kommen "
    "ganz richtig heraus.",
    "memory": "Es brauchte mehr Speicher, als es darf, und wurde beendet. {right} % der zurückgehaltenen Fragen "
    "kommen ganz richtig heraus.",
}
