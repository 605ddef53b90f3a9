"""What Glossary says above the terms."""

TAB = "Glossary"

INTRO = "The words of the field, as this page uses them."
