"""The tab Lessons: one card per lesson."""

from pathlib import Path

from explorer.lessons.running import available_lessons, lessons_for
from explorer.recording.app_context import AppContext
from explorer.ui.component import Component, file_component
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.prose import markdown
from explorer.ui.translations import Translations

words = Translations(__file__)

FOLDER = Path(__file__).parent


def picture(app: AppContext, sentence: str) -> list[str]:
    """The cross-attention of a sentence, the mean of the last layer's heads: a row each, a digit from 0 to 9 a cell."""
    rows = app.recordings.trace(sentence).cross.matrix(app.translator.model.config.n_decoder_layers - 1, "mean")
    return ["".join(str(round(9 * float(weight))) for weight in row) for row in rows]


def lessons_tab(app: AppContext) -> list[Component]:
    """The cards, or a sentence that explains why there are none."""
    lessons = lessons_for(app)
    if not lessons:
        return [Component("no-lessons", html=f'<div class="markdown">{markdown(words.FOREIGN)}</div>')]
    language = LANGUAGE_CONTEXT.get().language
    data = [lesson.to_json(name, language) for name, lesson in lessons.items()]
    fields, possible = ("name", "title", "shows", "minutes", "level", "steps"), available_lessons(app)
    cards = [
        {
            **{name: lesson[name] for name in fields},
            "picture": picture(app, lesson["sentence"]),
            "away": lesson["name"] not in possible,
        }
        for lesson in data
    ]
    return [
        file_component(FOLDER / "lessons", {**words.HTML, "tab_label": words.TAB}, {"cards": cards, "text": words.CARD})
    ]
