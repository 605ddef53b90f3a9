"""What Glossary says above the terms."""

INTRO = "The words of the field, as this page uses them."
