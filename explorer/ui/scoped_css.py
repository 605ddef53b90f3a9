"""CSS that holds inside one element: as if nested in a rule of it, as Chrome knows from 112, Safari from 16.5."""

import re
from collections.abc import Iterator

CONDITIONS = ("@media", "@supports")  # at-rules that hold other rules
BRACE = re.compile(r"[{}]")


def scoped(css: str, scope: str) -> str:
    """The rules with `scope`, a selector, in place of each & or else before each selector.

    Raises ValueError for declarations outside of rules, and for rules in rules.
    """
    parts = []
    for prelude, block in rules(css):
        if prelude.startswith(CONDITIONS):
            parts.append(f"{prelude} {{\n{scoped(block, scope)}}}\n")
        elif prelude.startswith("@"):
            parts.append(f"{prelude} {{{block}}}\n")
        elif ";" in prelude or "{" in block:
            raise ValueError(f"{prelude} {{{block}}} is no rule of its own")
        else:
            parts.append(f"{scoped_selectors(prelude, scope)} {{{block}}}\n")
    return "".join(parts)


def rules(css: str) -> Iterator[tuple[str, str]]:
    """What stands before each block, and the block."""
    start, depth, prelude = 0, 0, ""
    for brace in BRACE.finditer(css):
        if depth == 0:
            prelude, start = css[start : brace.start()].strip(), brace.end()
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            yield prelude, css[start : brace.start()]
            start = brace.end()


def scoped_selectors(prelude: str, scope: str) -> str:
    selectors = split_selectors(prelude)
    return ", ".join(one.replace("&", scope) if "&" in one else f"{scope} {one}" for one in selectors)


def split_selectors(prelude: str) -> list[str]:
    """The selectors of a list, at commas outside of brackets."""
    parts, depth = [""], 0
    for sign in prelude:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
