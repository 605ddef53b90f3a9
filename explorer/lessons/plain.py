"""YAML as a lesson needs it: texts, numbers, lists and maps; what else the format has could stop or fill its reader."""

from typing import Any

import yaml

LARGEST = 100_000  # characters; the longest of our own has 9,000
MOST = 20_000  # values, those under an alias counted wherever it stands; our own have 300
BITS = 64  # of a number; Python refuses to write very long ones


class Plain(yaml.SafeLoader):
    """Without tags, which fail in many ways, and merged maps, which can grow without bounds."""

    def fetch_tag(self) -> None:
        raise yaml.MarkedYAMLError(problem="a lesson has no tags (!)", problem_mark=self.get_mark())

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                raise yaml.MarkedYAMLError(problem="a lesson merges no maps (<<)", problem_mark=key.start_mark)


def plain(text: str) -> Any:
    """What a text in YAML holds. Raises ValueError, with a reason, where it is none or holds too much."""
    if len(text) > LARGEST:
        raise ValueError(f"it has {len(text):,} characters, and a lesson at most {LARGEST:,}")
    try:
        value = yaml.load(text, Plain)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    except yaml.YAMLError as error:
        raise ValueError(f"this is no YAML: {' '.join(str(error).split())}") from error
    except ValueError as error:
        raise ValueError("it holds a date or a number that cannot be") from error
    require_few(value)
    return value


def require_few(value: Any) -> None:
    """Raises ValueError where a value holds too much; by aliases a little text can hold millions, or itself."""
    waiting, count = [value], 0
    while waiting:
        held = waiting.pop()
        if isinstance(held, int) and held.bit_length() > BITS:
            raise ValueError("it holds a number of too many digits")
        inside = [*held.values()] if isinstance(held, dict) else held if isinstance(held, list) else []
        waiting += inside
        count += len(inside)
        if count > MOST:
            raise ValueError(f"it holds more than {MOST:,} values")
