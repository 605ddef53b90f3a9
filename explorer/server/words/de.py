"""Why a question is not taken."""

REFUSALS = {
    "large": "Eine Frage hat höchstens {bytes} Bytes.",
    "foreign": "Eine Seite einer anderen Website kann hier nichts fragen.",
    "slow": "Die Frage kam nicht innerhalb von {seconds} Sekunden an.",
    "json": "Eine Frage wird als JSON gesendet, mit dem Inhaltstyp application/json.",
    "malformed": "Das ist keine Frage (die Stelle des Fehlers: {fault}).",
    "language": "Die Sprache muss eine von diesen sein: {languages}.",
}
