"""How commands end when something cannot be done."""

import pytest

from model.command import refusing, visible


def test_a_file_cannot_steer_the_terminal_by_its_name():
    with pytest.raises(SystemExit) as ended, refusing("it"):
        raise ValueError("\x1b]0;title\x07red \x1b[31m.txt: line 2\r is\nno \u202esentence\ud800")
    assert ended.value.code == "it: \\x1b]0;title\\x07red \\x1b[31m.txt: line 2\\r is\nno \\u202esentence\\ud800"


def test_letters_of_all_languages_stay():
    assert visible("Größe 10 µm – „猫“ 🙂\t→") == "Größe 10 µm – „猫“ 🙂\t→"
