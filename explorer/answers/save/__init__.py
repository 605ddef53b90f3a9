"""The files of the dialog Save, in the browser."""
