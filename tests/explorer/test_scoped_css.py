"""CSS that holds inside one element, without nesting."""

import pytest

from explorer.ui.scoped_css import scoped


def test_each_selector_of_a_rule_gets_the_scope_and_an_ampersand_stands_for_it():
    assert scoped(".a, .b:is(.c, .d) { x: y }", "#id") == "#id .a, #id .b:is(.c, .d) { x: y }\n"
    assert scoped(".dark & .e { z: a }", "#id") == ".dark #id .e { z: a }\n"


def test_rules_under_a_condition_are_scoped_and_keyframes_are_not():
    flat = "@media (x) {\n#id .a { b: c }\n#id .d { e: f }\n}\n"
    assert scoped("@media (x) { .a { b: c } .d { e: f } }", "#id") == flat
    assert scoped("@keyframes a { from { b: c } }", "#id") == "@keyframes a { from { b: c } }\n"


def test_declarations_alone_and_rules_in_rules_are_refused():
    for css in ("color: red; .a { b: c }", ".a { .b { c: d } }"):
        with pytest.raises(ValueError, match="no rule of its own"):
            scoped(css, "#id")
