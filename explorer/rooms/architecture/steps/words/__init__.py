"""Words, by language (explorer/shared/language.py)."""

from explorer.shared.language import spoken

__getattr__ = spoken(__name__)
