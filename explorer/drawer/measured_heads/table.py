"""The table of measured heads below the panel Rank heads: the numbers that `python -m tools.catalogue` measured."""

from pathlib import Path

from explorer.drawer import words as drawer_words
from explorer.experiments import words as experiments_words
from explorer.experiments.head_measurements import NUMBERS, RULES, HeadMeasurements, measured_heads
from explorer.recording.app_context import AppContext
from explorer.ui import words as shared_words
from explorer.ui.component import Component, file_component
from explorer.ui.glossary import link_terms
from explorer.ui.language import format_percent, join_list
from explorer.ui.prose import folded, markdown
from explorer.ui.translations import Translations
from model.checkpoints.card import markdown_table
from model.errors import UserError

words = Translations(__file__)

FOLDER = Path(__file__).parent
FORMS = {"drop": "nats", "entropy": "bits", "distance": "pieces", "diagonality": "plain"}  # the others are percentages


def measured_heads_components(app: AppContext) -> list[Component]:
    """What finds the head that aligns; and the table, or a sentence that says why it is missing and what to do."""
    try:
        measured = measured_heads(app)
    except UserError as reason:
        return [aligner(app), missing_table(words.REFUSED.format(reason=reason))]
    if measured is None:
        return [aligner(app), missing_table(words.NO_HEADS)]
    titles = {words.HTML["rules"]: rules_text(), words.HTML["measured"]: measured_text(measured)}
    columns = [markdown(f"### {title}\n\n{text}") for title, text in titles.items()]
    columns[-1] += folded(words.HTML["measured_data"], markdown(measured_data(measured)))
    html = "".join(f'<div class="markdown">{column}</div>' for column in columns)
    about = Component("heads-measured", html=f'<div class="columns">{html}</div>')
    return [aligner(app), heads_table(measured), about]


def missing_table(reason: str) -> Component:
    return Component("no-catalogue", html=f'<div class="markdown">{markdown(reason)}</div>')


def aligner(app: AppContext) -> Component:
    """Finds, on request, the head of the cross-attention that aligns best over the examples."""
    config = app.translator.model.config
    settings = {
        "text": {**words.ALIGNER, "noAnswer": drawer_words.DRAWER["noAnswer"]},
        "sentences": [example["sentence"] for example in app.sentences],
        "layers": config.n_decoder_layers,
        "heads": config.n_heads,
        "tags": int(bool(getattr(app.translator.tokenizer, "default_tag", ""))),
        "isImported": "origin" in app.translator.record,
    }
    return file_component(FOLDER / "aligner", {name: words.ALIGNER[name] for name in ("find", "hint")}, settings)


def heads_table(measured: HeadMeasurements) -> Component:
    """The table itself, which sends no requests; its rows link to other tabs."""
    heads = [{**head.model_dump(), "names": head.names} for head in measured.heads]
    settings = {
        "text": words.TABLE,
        "columns": column_texts(measured),
        "names": experiments_words.HEAD_NAMES,
        "heading": words.HEADING,
        "kindNames": shared_words.KIND_NAMES,
        "heads": heads,
    }
    keys = ("tab_label", "kinds", "name", "name_hint", "region")
    texts = {name: words.HTML[name] for name in keys}
    named_count = sum(bool(head["names"]) for head in heads)
    what = link_terms(words.HTML["what"].format(sentences=measured.sentences, named=named_count, heads=len(heads)))
    return file_component(FOLDER / "measured_heads", {**texts, "what": what}, settings, id="catalogue")


def column_texts(measured: HeadMeasurements) -> dict[str, dict[str, str]]:
    """The texts of all columns, in the order of the table."""
    shares = {name: format_percent(getattr(measured.links, name)) for name in ("by_chance", "on_diagonal")}
    meaning = words.COLUMNS["links"]["meaning"].format(**shares)
    texts = {**words.COLUMNS, "links": {**words.COLUMNS["links"], "meaning": meaning}}
    return {name: {**texts[name], "form": form_of(name)} for name in ("drop", *NUMBERS)}


def form_of(number: str) -> str:
    """How a number is written (measured_heads.js)."""
    return FORMS.get(number, "percent")


def threshold_text(form: str, threshold: float) -> str:
    """A threshold as its column writes numbers; shares are percentages."""
    return words.THRESHOLDS[form].format(format_percent(threshold) if form == "percent" else threshold)


def rules_text() -> str:
    """The thresholds as a table."""
    header = [words.HTML[name] for name in ("rule_name", "rule_kinds", "rule_number", "rule_threshold")]
    rows = [
        [
            experiments_words.HEAD_NAMES[rule.name],
            join_list(shared_words.KIND_NAMES[kind] for kind in rule.kinds),
            words.COLUMNS[rule.number]["title"],
            threshold_text(form_of(rule.number), rule.threshold),
        ]
        for rule in RULES
    ]
    return f"{markdown_table(header, rows)}\n\n{words.HTML['rules_hint']}"


def measured_text(measured: HeadMeasurements) -> str:
    """What was measured, and how reliable it is."""
    return words.MEASURED.format(
        sentences=measured.sentences, split_half=measured.split_half, stability=measured.stability
    )


def measured_data(measured: HeadMeasurements) -> str:
    """The sentences, the rows and the command of the measurements."""
    return words.MEASURED_DATA.format(
        data=", ".join(measured.data),
        pairs=", ".join(measured.pairs),
        seed=measured.seed,
        log_probability=measured.log_probability,
        links=measured.links.count,
        command=measured.command,
    )
