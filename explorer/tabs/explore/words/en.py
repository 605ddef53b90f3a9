"""What Explore says around the attention view."""

TAB = "Explore"

SENTENCE = "{source_language} sentence"
PLACEHOLDER = "Type a sentence in {source_language} and press Enter"
TRANSLATE = "Translate"
EXAMPLES = "Try"
COUNTER = "{length} / {limit} characters"
