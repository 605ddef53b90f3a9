"""What files of numbers say about themselves."""

CORNER = "Query / Key"  # einer Matrix: Zeilen sind Queries, Spalten sind Keys

NPZ = (
    "Alles, was der Attention Explorer an einer Übersetzung aufgezeichnet hat. Alle Indizes zählen von null an.",
    "sentence, translation: der gelesene und der geschriebene Text.",
    "encoder [layer, head, query, key]: Gewichte der Self-Attention im Encoder, 32-Bit-Gleitkommazahlen. Zeilen und "
    "Spalten sind die Tokens in source_text.",
    "decoder [layer, head, query, key]: Gewichte der Self-Attention im Decoder. Zeile t ist Schritt t; Spalten sind "
    "die Tokens in fed_text. Was die kausale Maske verbietet, ist genau 0.",
    "cross [layer, head, query, key]: Gewichte der Cross-Attention. Zeile t ist Schritt t; Spalten sind die Tokens in "
    "source_text.",
    "source_text, source_id [source]: die gelesenen Tokens und ihre Nummern. Ein hochgestellter Punkt beginnt ein "
    "Wort.",
    "fed_text, fed_id [step]: das Token, das der Decoder in jedem Schritt gelesen hat; das erste ist der Anfang.",
    "predicted_text, predicted_id [step]: das Token, das in jedem Schritt gewählt wurde; das letzte ist das Ende.",
    "..._unknown, ..._special, ..._starts_word: ob ein Token nicht im Vokabular steht, ob es Anfang oder Ende eines "
    "Satzes ist, ob es ein Wort beginnt.",
    "probability, log_probability (natürlicher Logarithmus), rank (wie viele Tokens wahrscheinlicher waren) [step]: "
    "des gewählten Tokens.",
    "entropy [step]: der Verteilung über das ganze Vokabular, in Bit.",
    "candidate_text, candidate_id, candidate_probability [step, candidate]: die wahrscheinlichsten Tokens, das beste "
    "zuerst.",
    "stopped_at_limit: ob die Übersetzung bei der größten Länge abgeschnitten wurde; vocabulary: aus wie vielen Tokens "
    "jeder Schritt wählen konnte.",
    "model: das Modell, als JSON-Text.",
    "Bei einem Experiment: experiment, was geändert wurde, als JSON-Text; und zu jedem NAMEN oben changed_NAME, der "
    "der geänderten Übersetzung. Namen ohne changed_ sind die der unveränderten.",
)
JSON = {
    "": "Alles, was der Attention Explorer an einer Übersetzung aufgezeichnet hat. Alle Indizes zählen von null an.",
    "model": "Das Modell, das übersetzt hat: Name, Sprachen, Größen.",
    "trace": "Die Übersetzung. Bei einem Experiment die unveränderte.",
    "experiment": "Was das Experiment ändert; nur wo es eines gibt.",
    "changed": "Die geänderte Übersetzung, mit denselben Feldern wie trace; nur bei einem Experiment.",
    "trace.sentence, trace.translation": "Der gelesene und der geschriebene Text.",
    "trace.source": "Die gelesenen Tokens mit ihren Nummern. Ein hochgestellter Punkt beginnt ein Wort.",
    "trace.target": "Das Token, das der Decoder in jedem Schritt gelesen hat; das erste ist der Anfang.",
    "trace.steps": "Von jedem Schritt: das gelesene Token und das daraus vorhergesagte, dessen probability, "
    "log_probability (natürlicher Logarithmus) und rank (wie viele Tokens wahrscheinlicher waren), die Entropie der "
    "Verteilung über das ganze Vokabular in Bit, und die wahrscheinlichsten Kandidaten.",
    "trace.attention": "Gewichte von encoder (Self-Attention), decoder (maskierter Self-Attention) und "
    "Cross-Attention.",
    "trace.attention.*.shape": "[layer, head, query, key]: Schicht, Kopf, Zeile, Spalte",
    "trace.attention.*.queries, keys": "Namen der Zeilen und Spalten. Eine Zeile von decoder und cross ist ein "
    "Schritt: „gelesen → vorhergesagt“.",
    "trace.attention.*.weights": "32-Bit-Gleitkommazahlen, [layer][head][query][key]. Was die kausale Maske verbietet, "
    "ist genau 0.",
    "trace.vocabulary": "Aus wie vielen Tokens jeder Schritt wählen konnte.",
    "trace.stopped_at_limit": "Ob die Übersetzung bei der größten Länge abgeschnitten wurde.",
}
