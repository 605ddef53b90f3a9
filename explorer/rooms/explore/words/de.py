"""What Explore says around the attention view."""

TAB = "Explore"

SENTENCE = "English sentence"
PLACEHOLDER = "Type an English sentence and press Enter"
TRANSLATE = "Translate"
EXAMPLES = "Try"
COUNTER = "{length} / {limit} characters"
