"""The tab Glossary: all terms that the page's texts link."""

from explorer.recording.app_context import AppContext
from explorer.ui.component import Component
from explorer.ui.glossary import glossary_list, words
from explorer.ui.prose import markdown


def glossary_tab(app: AppContext) -> list[Component]:
    """The same for every checkpoint."""
    return [Component("glossary", html=f'<div class="markdown">{markdown(words.INTRO)}</div>{glossary_list()}')]
