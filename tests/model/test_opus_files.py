"""What is read of a Marian checkpoint, what is refused, and the checkpoint that is made of it; and the Hub's."""

import errno
import json
import os
import shutil
import time
from pathlib import Path

import pytest
import torch
from cases import each_case
from damage import change_config
from damage import refusal as said_of
from hub import hub as hub
from huggingface_hub import constants
from marian import TAGS, as_pickle, write_model, write_tokenizer
from marian import published as published
from marian import theirs as theirs
from tiny_models import names_in
from tiny_training import files as files
from tiny_training import flags, refusal
from tiny_training import pairs as pairs
from tiny_training import tiny_preset as tiny_preset

from model.checkpoints import checkpoint
from model.checkpoints.card import model_card
from model.checkpoints.checkpoint import CheckpointError
from model.checkpoints.record import Origin
from model.errors import UserError
from model.files import SaveError
from model.opus import marian
from model.opus.__main__ import main
from model.opus.cache import cached_conversion
from model.opus.origin import languages_of_repository, read_licence

ORIGIN, NAME = Origin(repository="Helsinki-NLP/opus-mt-en-fr"), "Helsinki-NLP/opus-mt-en-fr"
MADE = {"config.json", "model.safetensors", "source.spm", "target.spm", "vocab.json", "checksums.json", "training.json"}


def test_a_checkpoint_keeps_all_digits_in_one_file(published, tmp_path, capsys):
    main([str(published), str(tmp_path / "made")])
    assert "English to French" in capsys.readouterr().out
    assert names_in(tmp_path / "made") == {*MADE, "README.md"}
    converted, loaded = marian.convert(published, ORIGIN), checkpoint.load(tmp_path / "made")
    assert converted.precision == torch.float32
    for name, weight in converted.translator.model.named_parameters():
        assert torch.equal(weight, loaded.model.get_parameter(name)), name
        assert (weight != weight.half()).any() or not weight.any(), name
    for name, data in loaded.tokenizer.files().items():
        assert data == (published / name).read_bytes()
    assert loaded.languages == converted.translator.languages


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"normalize_before": True}, "normalises before every sub-layer"),
        ({"static_position_embeddings": False}, "positions are learned"),
        ({"decoder_attention_heads": 2}, "different numbers of heads"),
        ({"activation_function": "tanh"}, "its activation is none"),
        ({"model_type": "m2m_100"}, "m2m_100 model, .* no support for pre-norm layers, a norm at the end"),
        ({"model_type": "whisper"}, "whisper model, and only those of Marian"),
        ({"encoder_layers": 10**6}, "n_layers"),
        ({"eos_token_id": 1}, "says 1 as the number of the end"),
        ({"encoder_layers": 3}, "it lacks weight model.encoder.layers.2"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(theirs, changes, said):
    change_config(theirs, **changes)
    with pytest.raises(ValueError, match=said):
        marian.convert(theirs, ORIGIN)


def test_the_documentation_lists_the_types_and_builds_that_are_refused():
    text = " ".join((Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8").split())
    for listed in (*marian.DIFFERENCES, *marian.MISSING, *marian.MISSING.values()):
        assert listed in text, listed


def test_a_source_gets_the_tag_of_what_to_translate_into_and_without_one_the_codes_are_told(theirs, corpus):
    with pytest.raises(UserError, match="it has no tags"):
        marian.convert(theirs, ORIGIN, target="fra")
    write_model(theirs, write_tokenizer(theirs, corpus, TAGS))
    for target, said in (("", "it translates into several"), ("deu", "it has no tag >>deu<<")):
        with pytest.raises(UserError, match=rf"{said}.*the codes: fra, nld"):
            marian.convert(theirs, ORIGIN, target=target)
    told = {"source_lang": "en", "target_lang": "nld"}
    (theirs / "tokenizer_config.json").write_text(json.dumps(told), encoding="utf-8")
    for target, tag, code in (("", ">>nld<<", "nl"), ("fra", ">>fra<<", "fr")):
        found = marian.convert(theirs, ORIGIN, target=target).translator
        assert (found.tokenizer.surfaces("The cat")[0], found.languages.target.code) == (tag, code)


def test_the_card_says_where_it_comes_from_and_nothing_of_a_training(theirs):
    record = marian.convert(theirs, Origin(repository=NAME, revision="1" * 40, licence="cc-by-4.0")).translator.record
    card = model_card(record)
    assert f"https://huggingface.co/{NAME}" in card and "1" * 40 in card and "license: cc-by-4.0" in card
    assert "- en\n- fr\n" in card and f"base_model: {NAME}" in card
    assert "trained from scratch" not in card and "German" not in card and "tools.evaluate" not in card


def test_the_explorer_s_name_for_a_repository_converts_it_once(hub, theirs, corpus, caplog, monkeypatch):
    (theirs / "tf_model.h5").write_bytes(b"never read")
    as_pickle(theirs)
    commit = hub.add(theirs, NAME)
    made = []
    monkeypatch.setattr(
        marian, "convert", lambda *args, keep=marian.convert, **more: made.append(1) or keep(*args, **more)
    )
    loaded = checkpoint.load(NAME)
    assert loaded.record["origin"] == {"repository": NAME, "revision": commit, "licence": "cc-by-4.0"}
    assert not any("tf_model" in path for path in hub.requests)
    assert torch.equal(checkpoint.load(NAME).model.projection.weight, loaded.model.projection.weight)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    n_requests = len(hub.requests)
    assert checkpoint.load(f"{NAME}@{commit}").translate(corpus[:2]) == loaded.translate(corpus[:2])
    assert len(made) == 1 and len(hub.requests) == n_requests
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    (theirs / "README.md").write_text("---\nlicense: mit\n---\n", encoding="utf-8")
    newer = {"repository": NAME, "revision": hub.add(theirs, NAME), "licence": "mit"}
    assert checkpoint.load(NAME).record["origin"] == newer


def test_the_shards_of_a_repository_are_downloaded_and_its_pickle_is_not(hub, theirs):
    from transformers import MarianMTModel

    MarianMTModel.from_pretrained(theirs).save_pretrained(theirs, max_shard_size="10KB")
    (theirs / "model.safetensors").rename(theirs / "pytorch_model.bin")  # whatever it is
    hub.add(theirs, NAME)
    assert checkpoint.load(NAME).languages.target.code == "fr"
    assert not any("pytorch_model" in path for path in hub.requests)


@each_case("name", ["config.json", "README.md", "tokenizer_config.json", "vocab.json", "model.safetensors"])
def test_no_link_in_a_folder_of_marian_s_files_is_followed(published, tmp_path, name):
    folder = shutil.copytree(published, tmp_path / "theirs")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(published / name)
    with pytest.raises(SystemExit, match=f"{name} is a link"):
        main([str(folder), str(tmp_path / "made"), "--languages", "en:English", "fr:French"])


def test_a_model_of_another_type_is_refused_before_its_weights_are_downloaded(hub, theirs):
    change_config(theirs, model_type="m2m_100")
    hub.add(theirs, NAME)
    with pytest.raises(CheckpointError, match=rf"{NAME} cannot be converted .*m2m_100 model.* no support for pre-norm"):
        checkpoint.load(NAME)
    assert not any("model.safetensors" in path for path in hub.requests)
    assert not [path for path in Path(constants.HF_ASSETS_CACHE).rglob("*") if path.is_file()]


def test_what_a_killed_conversion_left_is_removed_a_day_later(hub, theirs):
    opus = Path(constants.HF_ASSETS_CACHE) / "attention-explorer" / "another--model" / "opus"
    for name in ("making-old", "making-now", "1-1"):
        (opus / name).mkdir(parents=True)
        (opus / name / "model.safetensors").touch()
    for name in ("making-old", "1-1"):
        os.utime(opus / name, (time.time() - 90_000,) * 2)
    hub.add(theirs, NAME)
    checkpoint.locate(NAME)
    assert names_in(opus) == {"making-now", "1-1"}


def test_a_folder_of_marian_s_files_is_told_what_to_do(theirs):
    with pytest.raises(CheckpointError, match=r"holds a marian model: python -m model\.opus .* FOLDER converts it"):
        checkpoint.load(str(theirs))


@each_case(
    ("name", "change", "sentence"),
    [
        ("config.json", lambda data: data.replace(b'"pad"', b'"bos"'), "its tokenizer starts from its padding token"),
        ("vocab.json", lambda data: data + b"\n", "vocab.json is damaged"),
        ("tokenizer.model", lambda _: b"", "it has two tokenizers"),
    ],
)
def test_a_converted_checkpoint_with_other_files_is_refused(published, tmp_path, name, change, sentence):
    main([str(published), str(tmp_path / "made")])
    path = tmp_path / "made" / name
    path.write_bytes(change(path.read_bytes() if path.exists() else b""))
    assert sentence in said_of(tmp_path / "made")


def test_no_training_starts_from_a_converted_model(published, tmp_path, files):
    main([str(published), str(tmp_path / "made")])
    message = refusal(*flags(tmp_path / "run", start=tmp_path / "made", vocab_size=None, **files))
    assert "is a converted model" in message and "--start takes" in message
    assert not (tmp_path / "run").exists()


@each_case(
    ("name", "told", "target"),
    [
        ("a/opus-mt-en-fr", {}, ("fr", "French")),
        ("a/opus-mt-tc-big-deu-zls", {}, ("zls", "South Slavic languages")),
        ("a/opus-mt-en-fr", {"source_lang": "eng", "target_lang": "cmn_Hans"}, ("zh-Hans", "Chinese (Simplified)")),
        ("a/mine", {"source_lang": "ROMANCE", "target_lang": "mul"}, ("mul", "several languages")),
        ("a/mine", {"source_lang": "en", "target_lang": "xyz"}, ("xyz", "xyz")),
    ],
)
def test_languages_are_those_of_files_or_name_and_have_names_that_a_page_can_say(name, told, target):
    assert languages_of_repository(Origin(repository=name), told, "").target == target


@each_case(
    ("name", "told"),
    [
        ("a/mine", {}),
        ("a/opus-mt", {"target_lang": 3}),
        ("a/mine", {"source_lang": "en", "target_lang": "<b>"}),
        ("a/opus-mt-tc-big-cat_oci_spa-en", {}),
    ],
)
def test_languages_that_nobody_tells_or_several_at_once_must_be_named(name, told):
    with pytest.raises(UserError, match="name them with --languages"):
        languages_of_repository(Origin(repository=name), told, "")


def test_the_licence_is_the_card_s(tmp_path):
    assert read_licence(tmp_path) == ""
    card = "---\nlanguage:\n- en\nlicense: cc-by-4.0\n---\n\n# A model\n"
    (tmp_path / "README.md").write_text(card, encoding="utf-8")
    assert read_licence(tmp_path) == "cc-by-4.0"
    for text in ("", "license: mit", "---\nlicense: <script>\n---\n", "---\nmy_license: mit\n---\n"):
        (tmp_path / "README.md").write_text(text, encoding="utf-8")
        assert read_licence(tmp_path) == ""


def test_a_cache_that_cannot_be_written_says_what_to_do(tmp_path, monkeypatch):
    def refuse(*_: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(constants, "HF_ASSETS_CACHE", tmp_path)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(SaveError, match=r"cannot be saved \(Permission denied\).* To go on, make the folder writable"):
        cached_conversion("a/b", "1" * 40, Path.mkdir)
