"""Reports: one file that carries everything, in which nothing that somebody typed can run."""

import base64
import gzip
import json
import re
from dataclasses import asdict
from html import unescape
from html.parser import HTMLParser

import pytest
from by_node import in_node, needs_node
from cases import each_case

from explorer import report as command
from explorer.experiments.experiment import CellAt, Experiment, HeadAt, NeuronAt, Patch
from explorer.handout.inline import script_of
from explorer.handout.report import change_words, report, templates
from explorer.recording.payload import trace_json
from explorer.recording.trace import record
from explorer.ui.language import LanguageContext, use_language

EVIL = 'A </script><script>alert(1)</script><!-- \u2028 "><img src=x onerror=alert(1)> %{x} ${y} {{z}} <!--notes-->'
FORTY = (
    "The president of the council said on Monday that the new rules for the protection of the lake will not come into "
    "force before the end of the year because many people have asked."
)


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts in them."""

    def __init__(self, html: str):
        super().__init__(convert_charrefs=True)
        self.found, self.texts = [], {}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        tag = self.found[-1][0] if self.found else ""
        self.texts[tag] = self.texts.get(tag, "") + data


def embedded_data(html: str, name: str = "file") -> str:
    data = re.search(f'data-embedded="{name}">([^<]*)<', html)
    assert data
    return gzip.decompress(base64.b64decode(data[1])).decode()


def test_what_is_typed_stands_in_a_report_as_text_and_makes_no_element(toy):
    html, plain = (report(toy, sentence, notes=sentence) for sentence in (EVIL, "A dog."))
    evil, good = Elements(html), Elements(plain)
    assert {tag for tag, _ in evil.found} <= {tag for tag, _ in good.found}
    assert {name for _, attrs in evil.found for name in attrs} <= {name for _, attrs in good.found for name in attrs}
    assert not any(name.startswith("on") for _, attrs in evil.found for name in attrs)
    assert [tag for tag, _ in evil.found].count("script") == [tag for tag, _ in good.found].count("script")
    assert EVIL in unescape(html) and EVIL not in html
    assert json.loads(embedded_data(html))["raw"]["sentence"] == EVIL


def test_only_the_reports_own_script_may_run(toy):
    html = report(toy, "A dog.")
    policy = next(attrs["content"] for tag, attrs in Elements(html).found if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe-inline'; img" in policy
    assert "'unsafe-inline'" not in policy.split("style-src")[0] and "http" not in policy


def test_a_report_carries_the_whole_trace_and_that_of_its_experiment(toy):
    trace = record(toy, "A dog.")
    sent = json.loads(embedded_data(report(toy, "A dog.")))["raw"]
    assert sent["kinds"] == trace_json(trace)["kinds"]
    assert all(sent["kinds"][kind]["weights"] for kind in ("encoder", "decoder", "cross"))
    html = report(toy, "A dog.", experiment=Experiment(off=(HeadAt("cross", 0, 0),)))
    file = json.loads(embedded_data(html))
    changed = file["changed"]
    assert changed["kinds"]["cross"]["weights"] != sent["kinds"]["cross"]["weights"] and "norms-cross" not in html
    assert file["experiment"]["off"] == [["cross", 0, 0]]


MADE_BY_THE_PAGE = """
    import { createTrace } from "./explorer/derived/trace.js";
    import { reportHtml } from "./explorer/handout/files.js";
    const { templates, file, norms, notes } = JSON.parse(readFileSync(0));
    globalThis.fetch = async (name) => new Response(name);
    const shown = (raw) => raw && createTrace(raw, { isModelsChoice: file.isModelsChoice });
    const view = { ...file.view, level: "step" }; // a report begins with heads
    const given = { trace: shown(file.raw), changed: shown(file.changed), experiment: file.experiment, view, notes };
    const model = { about: { germanWords: "words" }, norms: async (sentence, kind) => norms[kind] };
    console.log(JSON.stringify(await reportHtml(templates, given, { model, plotly: "plotly" })));
"""


@needs_node
@each_case("experiment", [None, Experiment(off=(HeadAt("cross", 0, 0),))])
def test_a_report_that_the_page_makes_carries_what_that_of_python_does(toy, experiment):
    html = report(toy, "A <dog>.", experiment=experiment, notes="<b>")
    kinds = ("encoder", "decoder", "cross") if experiment is None else ()
    norms = {kind: json.loads(embedded_data(html, f"norms-{kind}")) for kind in kinds}
    file = json.loads(embedded_data(html))
    made = in_node(MADE_BY_THE_PAGE, {"templates": templates(toy), "file": file, "norms": norms, "notes": "<b>"})
    assert json.loads(embedded_data(made)) == file
    assert {kind: json.loads(embedded_data(made, f"norms-{kind}")) for kind in kinds} == norms
    assert [embedded_data(made, name) for name in ("plotly", "words")] == ["plotly", "words"]
    assert re.sub("data-embedded[^<]*", "", made) == re.sub("data-embedded[^<]*", "", html)


TOLD = """
    import { describeExperiment } from "./explorer/handout/changes.js";
    const { experiment, changed, words } = JSON.parse(readFileSync(0));
    console.log(JSON.stringify(describeExperiment(experiment, changed, words)));
"""


@needs_node
def test_every_field_of_an_experiment_is_told(toy):
    changed = record(toy, "A dog.")
    experiment = Experiment(
        source="A dog.",
        word_order=3,
        hidden=(0,),
        beginning=(5,),
        off=(HeadAt("cross", 1, 0),),
        neurons=(NeuronAt("decoder", 3, 541, 6.0), NeuronAt("encoder", 0, 0, 0.0, 2)),
        encoder_positions="off",
        decoder_positions="shifted",
        shift=7,
        patch=Patch("A cat.", heads=(HeadAt("encoder", 0, 2),), cells=(CellAt("decoder", -1, 4),)),
    )

    def told(language: str) -> list[str]:
        with use_language(LanguageContext(language)):
            given = {"experiment": asdict(experiment), "changed": trace_json(changed), "words": change_words()}
        return in_node(TOLD, given)

    english, german = told("en"), told("de")
    assert english == [
        "Read instead: A dog.",
        f"The words in another order: {changed.sentence}",
        f"Hidden, so that nothing may look at it: {changed.source[0].text}",
        f"The translation had to begin with: {changed.steps[0].predicted.text}",
        "Heads switched off (their output is zero): Cross 2.1",
        "Neurons held at a value: neuron 542 of decoder layer 4 at 6, "
        "neuron 1 of encoder layer 1 off at position 3 alone",
        "Positions of the encoder: off",
        "Positions of the decoder: shifted by 7",
        "Copied from the run of “A cat.”: Encoder 1.3, the stream of the decoder after layer 0 at position 5",
    ]
    assert len(german) == 9 and not any("{" in line for line in german) and not set(english) & set(german)


@each_case(("sentence", "pieces", "most"), [(FORTY, 40, 3e6)])
def test_a_report_is_small(shipped, sentence, pieces, most):
    while len(shipped.source_ids(sentence)) < pieces:  # another tokenizer may have longer pieces
        sentence = sentence.replace(".", " now.")
    size = len(report(shipped, sentence).encode())
    print(f"{pieces} pieces: {size / 1e6:.2f} MB")
    assert pieces <= len(record(shipped, sentence).source) <= pieces + 3 and size <= most


def test_a_module_that_would_end_its_script_is_refused(tmp_path, monkeypatch):
    (tmp_path / "a.js").write_text('export const a = "</Script>";\n')
    monkeypatch.setattr("explorer.handout.inline.EXPLORER", tmp_path)
    with pytest.raises(ValueError, match="cannot stand in a page"):
        script_of(tmp_path / "a.js", "")


def test_the_command_writes_a_report_and_refuses_in_a_sentence(toy, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command.command, "load", lambda options: toy)
    file = tmp_path / "r.html"
    command.main(["A dog.", "-o", str(file), "--language", "de", "--notes", "Für <alle>"])
    text = file.read_text(encoding="utf-8")
    assert '<html lang="de">' in text and "Für &lt;alle&gt;" in text and "MB" in capsys.readouterr().out
    for wrong in (["A \udcff dog."], ["A dog.", "--notes", "\udcff"]):
        with pytest.raises(SystemExit, match=r"python -m explorer\.report: .* is no text in UTF-8"):
            command.main(wrong)
    for wrong in (["", "-o", str(file)], ["A dog.", "-o", str(tmp_path)]):
        with pytest.raises(SystemExit, match=r"python -m explorer\.report: "):
            command.main(wrong)
    with pytest.raises(SystemExit):
        command.main(["A dog.", "--experiment", '{"of": 1}'])
    assert "This is no experiment" in capsys.readouterr().err
