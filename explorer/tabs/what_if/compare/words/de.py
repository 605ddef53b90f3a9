"""What the station says."""

LABEL = "Anderer Satz"
HINT = "Ändere den Ausgangssatz und sieh, was aus der Übersetzung wird"

HTML = {
    "how": "Ändere ein Wort des Ausgangssatzes und vergleiche: Welche [[piece|Tokens]] der Übersetzung ändern sich "
    "mit, und welche Köpfe schauen nun anderswohin? Oder mische die Wörter: Achtet das Modell auf die Reihenfolge?",
    "second": "Zweiter Satz",
    "compare": "Vergleichen",
    "first": "Wieder der erste Satz",
    "first_hint": "Den ersten Satz in das Feld schreiben, um ihn zu ändern",
    "shuffle": "Seine Wörter mischen",
    "shuffle_hint": "Die Wörter in zufälliger Reihenfolge; die Satzzeichen am Ende bleiben dort",
    "seed": "Seed",
    "seed_hint": "Derselbe Seed gibt jedes Mal dieselbe Reihenfolge",
    "next": "Andere Reihenfolge",
    "next_hint": "Die Reihenfolge des nächsten Seeds",
    "aligned": "Beide Sätze, Token für Token",
}
TEXT = {
    "names": {"original": "Erster", "changed": "Zweiter"},
    "signs": "Oben steht der erste Satz, darunter der zweite. − steht nur im ersten, + nur im zweiten.",
    "placesShown": "Dieselben Tokens in anderer Reihenfolge: Über jedem steht sein Platz im ersten Satz.",
    "moved": "„{piece}“: Platz {first} im ersten, {second} im zweiten",
    "same": "„{first}“ in beiden",
    "instead": "„{first}“ im ersten, „{second}“ im zweiten",
    "removed": "„{first}“ nur im ersten",
    "added": "„{second}“ nur im zweiten",
}
