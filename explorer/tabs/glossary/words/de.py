"""What Glossary says above the terms."""

TAB = "Glossar"

INTRO = "Die Fachbegriffe, so wie diese Seite sie verwendet."
