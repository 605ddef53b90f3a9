"""Words, by language (explorer/ui/language.py)."""

from explorer.ui.language import spoken

__getattr__ = spoken(__name__)
