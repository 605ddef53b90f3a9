"""What Glossary says above the terms."""

TAB = "Glossary"

INTRO = "The terms of the field, as this page uses them."
