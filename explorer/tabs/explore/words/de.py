"""What Explore says around the attention view."""

TAB = "Erkunden"

SENTENCE = "Satz ({source_language})"
PLACEHOLDER = "Gib einen Satz ein ({source_language}) und drücke Enter"
TRANSLATE = "Übersetzen"
EXAMPLES = "Beispiele"
COUNTER = "{length} / {limit} Zeichen"
