"""The page as plain files, which any web server can host: what needs no server, with sentences computed beforehand."""

from explorer.ui.translations import Translations

words = Translations(__file__)
