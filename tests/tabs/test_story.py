"""The story of a training: which moments it tells, and that it tells what the model did at each of them."""

import gzip
import json
from pathlib import Path

import pytest
from cases import each_case
from tiny_models import tiny_translator
from training_story import MOMENTS, PAIRS, RECORD, SENTENCES
from training_story import final as final
from training_story import run as run
from training_story import tale as tale
from training_story import told as told

from explorer.recording.trace import record, record_forced
from model.checkpoints import checkpoint
from model.errors import UserError
from tools import story


def saved(folder: Path, record: object) -> Path:
    """A folder that holds a record and nothing else."""
    folder.mkdir(parents=True)
    (folder / checkpoint.RECORD).write_text(json.dumps(record))
    return folder


def steps(folders: list[Path]) -> list[int]:
    return [story.training_steps(folder) for folder in folders]


def test_a_run_stands_for_its_moments_and_a_checkpoint_for_itself(run):
    assert sorted(steps(story.checkpoint_folders(run))) == MOMENTS[:-1]
    assert story.checkpoint_folders(run / checkpoint.FINAL) == [run / checkpoint.FINAL]


def test_a_folder_without_moments_or_a_record_with_steps_is_refused(tmp_path):
    with pytest.raises(UserError, match="no checkpoint and holds no moments of a run: train it with --moments"):
        story.checkpoint_folders(tmp_path)
    with pytest.raises(UserError, match="has no record that can be read"):
        story.training_steps(tmp_path)
    for number, found in enumerate(({"steps": "many"}, [])):
        with pytest.raises(UserError, match="does not say after how many steps"):
            story.training_steps(saved(tmp_path / str(number), found))


@each_case(
    ("record", "most", "expected"),
    [
        ({"steps": 5, "before": [{"steps": 90}]}, 99, [*range(0, 100, 10), 95]),
        ({"steps": 100}, 6, [0, 20, 40, 60, 80, 100]),
        ({"steps": 100}, 2, [0, 100]),
        ({"steps": 90}, 99, [*range(0, 100, 10)]),  # the final checkpoint in place of the moment of its step
    ],
)
def test_moments_are_told_in_order_thinned_out_evenly_and_the_final_checkpoint_last(tmp_path, record, most, expected):
    folders = [saved(tmp_path / str(step), {"steps": step}) for step in (50, 0, 90, 20, 70, 10, 80, 30, 60, 40)]
    moments = story.select_moments(folders, saved(tmp_path / "final", record), most)
    assert steps(moments) == expected and moments[-1] == tmp_path / "final"


def test_a_moment_after_the_end_and_two_of_one_step_are_refused(tmp_path):
    folders = [saved(tmp_path / str(step), {"steps": step}) for step in (20, 90)]
    with pytest.raises(UserError, match="is of step 90, after the final checkpoint, which is of step 85"):
        story.select_moments(folders, saved(tmp_path / "early", {"steps": 85}), 99)
    twin = saved(tmp_path / "twin", {"steps": 20})
    with pytest.raises(UserError, match="are both of step 20"):
        story.select_moments([*folders, twin], saved(tmp_path / "final", {"steps": 100}), 99)


def test_every_moment_is_there_with_its_step_and_the_losses_of_the_joined_log(tale):
    assert [moment["step"] for moment in tale["moments"]] == MOMENTS
    losses = [(moment["loss"], moment["dev_loss"]) for moment in tale["moments"]]
    assert losses == [(None, None), (3.5, None), (2.0, None), (None, 1.25)]


def test_the_sentences_are_named_with_their_final_translations(tale, final):
    assert [told["sentence"] for told in tale["sentences"]] == [pair.src for pair in PAIRS]
    assert [told["shows"] for told in tale["sentences"]] == [sentence["shows"] for sentence in SENTENCES]
    assert [told["translation"] for told in tale["sentences"]] == [pair.tgt for pair in PAIRS]


def test_each_moment_tells_what_its_model_said_and_what_it_attended_to(run, tale, final):
    ids = [step.predicted.id for step in record(final, PAIRS[1].src).steps]
    for folder, moment in zip(sorted(story.checkpoint_folders(run)), tale["moments"], strict=False):
        translator = checkpoint.load(str(folder))
        free = story.story_trace(record(translator, PAIRS[1].src, max_steps=len(ids) + story.EXTRA_STEPS))
        forced = story.story_trace(record_forced(translator, PAIRS[1].src, ids))
        found = moment["traces"][1]
        assert {**found["own"], "stopped": None} == {**json.loads(json.dumps(free)), "stopped": None}
        assert found["forced"]["kinds"]["cross"] == forced["kinds"]["cross"]
        assert free["kinds"]["encoder"] == forced["kinds"]["encoder"] and "encoder" not in found["forced"]["kinds"]


def test_a_moment_of_another_model_is_refused(run, tokenizer, tmp_path):
    other = tiny_translator(tokenizer, n_layers=1)
    checkpoint.save(other, tmp_path / "other")
    with pytest.raises(UserError, match="is of another model than"):
        story.create_story([tmp_path / "other", run / checkpoint.FINAL], SENTENCES)


def test_a_story_goes_on_from_an_earlier_one_with_the_sentences_that_both_end_alike(tale):
    def short(step: int, translations: list[str]) -> dict[str, list[dict[str, object]]]:
        sentences = [
            {"sentence": pair.src, "translation": text} for pair, text in zip(PAIRS, translations, strict=True)
        ]
        return {"sentences": sentences, "moments": [{"step": step, "traces": [f"0 at {step}", f"1 at {step}"]}]}

    later = short(MOMENTS[-1], ["Ein anderer Text.", PAIRS[1].tgt])
    continued = story.continue_story(tale, later)
    assert continued["sentences"] == later["sentences"][1:]
    assert [moment["step"] for moment in continued["moments"]] == MOMENTS  # its own is the last
    assert [moment["traces"] for moment in continued["moments"]] == [
        *([moment["traces"][1]] for moment in tale["moments"][:-1]),
        [f"1 at {MOMENTS[-1]}"],
    ]
    with pytest.raises(UserError, match="no sentence of the earlier story"):
        story.continue_story(tale, short(99, ["Nein.", "Nein."]))


def test_a_story_too_large_for_the_page_is_refused(tale):
    with pytest.raises(UserError, match=r"the page takes 1,000: choose fewer moments with --most"):
        story.compress_story(tale, max_bytes=1000)


def test_the_command_writes_the_story_into_the_checkpoint(run, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(story, "examples", lambda _: SENTENCES[:1])
    final = checkpoint.load(str(run / checkpoint.FINAL))
    checkpoint.save(final, tmp_path / "copy")
    story.main([str(run), "--checkpoint", str(tmp_path / "copy"), "--most", "3"])
    written = json.loads(gzip.decompress((tmp_path / "copy" / checkpoint.STORY).read_bytes()))
    assert [moment["step"] for moment in written["moments"]] == [MOMENTS[0], MOMENTS[2], MOMENTS[3]]
    assert f"The story is in {tmp_path / 'copy' / checkpoint.STORY}" in capsys.readouterr().out
    assert checkpoint.load(str(tmp_path / "copy")).record == RECORD


def test_a_command_that_cannot_be_followed_is_answered_in_one_sentence(run, tale, tmp_path):
    (tmp_path / "broken.json.gz").write_bytes(story.compress_story(tale)[:-100])
    for words in (["nowhere"], [".", "--checkpoint", "nowhere"], [str(run), "--earlier", f"{tmp_path}/broken.json.gz"]):
        with pytest.raises(SystemExit, match=r"^python -m tools\.story: .*$"):
            story.main(words)
