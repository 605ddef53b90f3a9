"""How commands end when something cannot be done."""

import pytest

from model.command import escape_control_characters, exit_on_error


def test_a_file_cannot_steer_the_terminal_by_its_name():
    with pytest.raises(SystemExit) as ended, exit_on_error("it"):
        raise ValueError("\x1b]0;title\x07red \x1b[31m.txt: line 2\r is\nno \u202esentence\ud800")
    assert ended.value.code == "it: \\x1b]0;title\\x07red \\x1b[31m.txt: line 2\\r is\nno \\u202esentence\\ud800"


def test_letters_of_all_languages_stay():
    assert escape_control_characters("Größe 10 µm – „猫“ 🙂\t→") == "Größe 10 µm – „猫“ 🙂\t→"
