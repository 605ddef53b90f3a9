"""The word that a link's picture is about, and where the model looks for it: as the page says, from the same trace."""

import pytest
from by_node import in_node, needs_node
from cases import sweep

from explorer.attention_view.component import words as view_words
from explorer.page.first_view import FirstView, first_view
from explorer.recording.payload import trace_json
from explorer.recording.splitting import joined_words
from explorer.recording.trace import Trace, record
from explorer.ui import words as shared_words
from explorer.ui.language import LANGUAGES, LanguageContext, use_language

WINDOW = "A man in a blue shirt is standing on a ladder cleaning a window."
SENTENCES = (WINDOW, "Why don't you want to come?", "Her neighbours, all 12 of them, saw the Grünberg!", "Hi!")
LAST_LAYER = [(3, head) for head in range(8)]
# From a trace to the sentence below the picture, with the parts of the page.
PAGE = """
    const { createTrace } = await import("./explorer/derived/trace.js");
    const { contentOf, weightOf } = await import("./explorer/derived/attention_map.js");
    const { groupByWord, mergedRow } = await import("./explorer/derived/word_groups.js");
    const { plainSentence, plainTrace } = await import("./explorer/attention_view/plain.js");
    const { viewAtLevel } = await import("./explorer/attention_view/state.js");
    const shown = ({ raw, subject, step, off, words, names }) => {
      globalThis.document = { documentElement: { lang: words.lang } };
      const trace = plainTrace(createTrace(raw, { subject, names }));
      const map = trace.kinds.cross;
      map.off = off;
      const view = viewAtLevel({ kind: "cross", level: "picture", layer: 0, head: 0, step }, trace);
      const known = step === null ? trace.steps.length - 1 : view.step;
      const content = contentOf(map, view, true);
      const pieces = trace.steps.map(({ predicted }) => predicted);
      const sources = groupByWord(trace.source), targets = groupByWord(pieces);
      const focus = targets.findIndex((group) => group.includes(view.step));
      const seen = targets[focus].filter((i) => i <= known);
      const weights = mergedRow((query, key) => weightOf(content, query, key), seen, sources);
      const join = (side, groups) => groups.map((group) => group.map((i) => side[i].text).join(""));
      const groups = sources.map((group) => group.map((i) => trace.source[i]));
      const reading = { axis: "query", pieces: seen.map((i) => pieces[i]), groups, weights };
      const sentence = plainSentence(words.plain, "cross", reading);
      return { source: join(trace.source, sources), target: join(pieces, targets), focus, weights, sentence };
    };
    console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(shown)));
"""


def on_the_page(trace: Trace, step: int | None, subject: str, off: list[tuple[int, int]], language: str) -> dict:
    words = {"plain": view_words.PLAIN, "lang": language}
    names = shared_words.TOKEN_NAMES
    call = {"raw": trace_json(trace), "subject": subject, "step": step, "off": off, "words": words, "names": names}
    (found,) = in_node(PAGE, [call])
    return found


def described(view: FirstView) -> dict:
    return {
        "source": [word.text for word in view.source],
        "target": [word.text for word in view.target],
        "focus": view.focus,
        "weights": pytest.approx(view.weights, abs=1e-6),
        "sentence": view.sentence,
    }


@needs_node
@pytest.mark.parametrize("language", sweep(LANGUAGES, "de"))
def test_the_picture_says_what_the_page_says(shipped, language):
    with use_language(LanguageContext(language)):
        for sentence in SENTENCES:
            trace = record(shipped, sentence)
            steps = (None, 0, len(trace.steps) // 2, len(trace.steps) + 5)
            calls = [(step, subject, off) for step in steps for subject in ("", "cleaning") for off in ([], LAST_LAYER)]
            for step, subject, off in calls[:: 1 if language == "en" else 5]:
                view = first_view(trace, step, subject=subject, off=off)
                assert described(view) == on_the_page(trace, step, subject, off, language)


def test_a_word_that_is_being_written_has_the_rows_that_are_known_and_later_ones_are_marked(shipped):
    trace = record(shipped, SENTENCES[2])
    groups = joined_words([step.predicted for step in trace.steps])
    split = next(group[0] for group in groups if len(group) > 1)
    part, whole = first_view(trace, split), first_view(trace, split + 1)
    assert part.focus == whole.focus and part.weights != whole.weights
    assert all(not word.is_known for word in part.target[part.focus + 1 :]) and part.target[part.focus].is_known
    assert all(word.is_known for word in first_view(trace).target)


def test_a_model_whose_heads_are_all_off_looks_at_nothing(shipped):
    everything = [(layer, head) for layer in range(4) for head in range(8)]
    view = first_view(record(shipped, "A dog."), off=everything)
    assert set(view.weights) == {0.0} and "hardly looks at" in view.sentence
