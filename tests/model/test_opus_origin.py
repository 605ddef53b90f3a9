"""Where a converted model comes from, and what its languages are called."""

import pytest
from cases import each_case

from model.opus.origin import Origin, language_from_code, languages_of_repository, read_licence


@each_case(
    ("name", "told", "codes"),
    [
        ("a/opus-mt-en-fr", {}, ("en", "fr")),
        ("a/opus-mt-tc-big-deu-zls", {}, ("de", "zls")),
        ("a/opus-mt-en-fr", {"source_lang": "eng", "target_lang": "cmn_Hans"}, ("en", "zh-Hans")),
        ("a/mine", {"source_lang": "ROMANCE", "target_lang": "mul"}, ("roa", "mul")),
    ],
)
def test_languages_are_those_of_files_or_name(name, told, codes):
    found = languages_of_repository(Origin(name), told, "")
    assert tuple(language.code for language in found) == codes


def test_languages_that_nobody_tells_must_be_named():
    for name, told in (("a/mine", {}), ("a/mine", {"source_lang": "en"}), ("a/opus-mt", {"target_lang": 3})):
        with pytest.raises(ValueError, match="name them with --languages"):
            languages_of_repository(Origin(name), told, "")


def test_several_languages_at_once_have_no_name_of_one():
    assert language_from_code("cat_oci_spa") is None
    for name, told in (
        ("a/opus-mt-tc-big-cat_oci_spa-en", {}),
        ("a/mine", {"source_lang": "en", "target_lang": "de_nld"}),
    ):
        with pytest.raises(ValueError, match="name them with --languages"):
            languages_of_repository(Origin(name), told, "")


def test_a_language_has_a_name_that_a_page_can_say():
    names = {code: language_from_code(code) for code in ("fra", "cmn_Hans", "zls", "nob", "xyz", "<b>", "")}
    told = {code: language and tuple(language) for code, language in names.items()}
    assert told == {
        "fra": ("fr", "French"),
        "cmn_Hans": ("zh-Hans", "Chinese (Simplified)"),
        "zls": ("zls", "South Slavic languages"),
        "nob": ("nb", "Norwegian Bokmål"),
        "xyz": ("xyz", "xyz"),
        "<b>": None,
        "": None,
    }


def test_the_licence_is_the_card_s(tmp_path):
    assert read_licence(tmp_path) == ""
    card = "---\nlanguage:\n- en\nlicense: cc-by-4.0\n---\n\n# A model\n"
    (tmp_path / "README.md").write_text(card, encoding="utf-8")
    assert read_licence(tmp_path) == "cc-by-4.0"
    for text in ("", "license: mit", "---\nlicense: <script>\n---\n", "---\nmy_license: mit\n---\n"):
        (tmp_path / "README.md").write_text(text, encoding="utf-8")
        assert read_licence(tmp_path) == ""
