"""A training that is killed goes on as if nothing had happened; `python -m tests.kills` does it twenty times."""

import pytest
from kills import trial


@pytest.mark.thorough
def test_a_run_killed_twice_ends_bit_for_bit_as_one_without_kills(tmp_path, capsys):
    assert trial(tmp_path, kills=2, steps=40, seed=3, longest=0.1) == []
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in told] == ["kill", "1", "2"] and "ended" not in "".join(told)
