"""What the page says where it is plain files."""

SITE = {
    "sentence": "Satz",
    "made": "Das sind einfache Dateien: Sätze, die schon vorher übersetzt wurden. Nichts, was du hier tust, wird "
    "irgendwohin gesendet.",
}
REFUSALS = {
    "sentence": "Diese Seite hat nur die Sätze ihrer Liste. Das Programm übersetzt jeden: python app.py",
    "server": "Dazu braucht es das Modell selbst, und das haben einfache Dateien nicht. Installiere das Programm und "
    "starte es: python app.py",
}
AWAY = (
    "Dieser Raum rechnet mit dem Modell, während du ihn benutzt. Dateien allein genügen ihm nicht, er braucht das "
    "Programm: Installiere es, wie sein README sagt, und starte es mit python app.py."
)
FILE = {
    "text": "{file} ist kein Text in UTF-8.",
    "none": "{file} enthält keinen Satz: Schreib in jede Zeile einen.",
    "many": "{file} hat {count} Sätze; in einen Ordner passen höchstens {limit}.",
    "line": "{file}, Zeile {line}: {reason}",
    "again": "Derselbe Satz steht in Zeile {line}.",
    "foreign": "{folder} enthält etwas anderes als eine solche Seite: Nimm einen leeren Ordner oder einen neuen.",
}
