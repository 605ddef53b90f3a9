"""Glossary: the words of the field."""
