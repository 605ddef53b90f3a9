"""Loads a safe subset of YAML: texts, numbers, lists and maps, with limits on size and depth."""

from typing import Any

import yaml

MAX_CHARACTERS = 100_000  # the longest shipped lesson has 9,000
MAX_VALUES = 20_000  # each use of an alias counts anew; the shipped lessons have 300
MAX_INTEGER_BITS = 64  # Python refuses to print very long integers


class RestrictedLoader(yaml.SafeLoader):
    """A SafeLoader that refuses tags, which fail in many ways, maps that grow without bounds, and a key twice."""

    def fetch_tag(self) -> None:
        raise yaml.MarkedYAMLError(problem="a lesson has no tags (!)", problem_mark=self.get_mark())

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        known: set[str] = set()
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                raise yaml.MarkedYAMLError(problem="a lesson merges no maps (<<)", problem_mark=key.start_mark)
            if isinstance(key, yaml.ScalarNode):
                if key.value in known:  # of which YAML takes the last without a word
                    raise yaml.MarkedYAMLError(problem=f"{key.value} is there twice", problem_mark=key.start_mark)
                known.add(key.value)


def load_yaml(text: str) -> Any:
    """Parses a YAML text. Raises ValueError with a reason if it is invalid or too large."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"it has {len(text):,} characters, and a lesson at most {MAX_CHARACTERS:,}")
    try:
        value = yaml.load(text, RestrictedLoader)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    except yaml.YAMLError as error:
        raise ValueError(f"this is no YAML: {' '.join(str(error).split())}") from error
    except ValueError as error:
        raise ValueError("it holds a date or a number that cannot be") from error
    require_bounded_size(value)
    return value


def require_bounded_size(value: Any) -> None:
    """Raises ValueError if a value is too large: by aliases a short text can hold millions of values, or itself."""
    pending, count = [value], 0
    while pending:
        current = pending.pop()
        if isinstance(current, int) and current.bit_length() > MAX_INTEGER_BITS:
            raise ValueError("it holds a number of too many digits")
        children = [*current.values()] if isinstance(current, dict) else current if isinstance(current, list) else []
        pending += children
        count += len(children)
        if count > MAX_VALUES:
            raise ValueError(f"it holds more than {MAX_VALUES:,} values")
