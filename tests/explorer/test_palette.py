"""The palette: text that can be read on every shade, and signs that no colour blindness hides."""

import numpy as np
import pytest
from by_node import in_node, needs_node
from cases import each_case
from colour_vision import SIMULATED, ciede2000, contrast, difference, rgb

from explorer.ui.palette import DARK, LIGHT
from model.probe import KINDS

READABLE = 4.5  # WCAG 2.2, 1.4.3: least contrast of text
TOLD_APART = 20  # CIEDE2000 between full ink above and below zero; half ink lies on the page's ground
TOLD_APART_AT_HALF = 12
THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
SHADES = """
    import { shadesOf, percent } from "./explorer/attention_view/shading.js";
    const { palette, kind, weights } = JSON.parse(readFileSync(0));
    const shades = shadesOf(palette, kind);
    console.log(JSON.stringify(weights.map((weight) => shades[percent(weight)])));
"""
NUMBERS = """
    import { parseHex } from "./explorer/ui/contrast.js";
    import { writtenColour } from "./explorer/ui/grid.js";
    const { colours, shares } = JSON.parse(readFileSync(0));
    const rgb = Object.fromEntries(Object.entries(colours).map(([name, css]) => [name, parseHex(css)]));
    console.log(JSON.stringify([-1, 1].map((sign) => shares.map((share) => writtenColour(rgb, sign, share)))));
"""


def mixed(over: str, under: np.ndarray, share: float) -> np.ndarray:
    return share * rgb(over) + (1 - share) * under


def parsed(css: str) -> np.ndarray:
    return np.array([float(part) for part in css.removeprefix("rgb(").removesuffix(")").split(",")])


@needs_node
@THEMES
@each_case("kind", KINDS)
def test_a_piece_and_its_id_can_be_read_at_any_weight(palette, kind):
    weights = np.linspace(0, 1, 301).tolist()
    shades = in_node(SHADES, {"palette": palette, "kind": kind, "weights": weights})
    ground = mixed("#808080", rgb(palette["ground"]), 0.09)
    for weight, shade in zip(weights, shades, strict=True):
        seen = mixed(palette[kind], ground, 0.75 * weight)
        assert np.abs(parsed(shade["background"]) - seen).max() <= 2
        for what in ("text", "id"):
            assert contrast(parsed(shade[what]), parsed(shade["background"])) >= READABLE, (weight, what)


@needs_node
@THEMES
@each_case("kind", KINDS)
def test_a_number_can_be_read_on_its_cell(palette, kind):
    shares = np.linspace(0, 1, 201).tolist()
    colours = {name: palette[name] for name in ("ink", "ground")}
    colours |= {"accent": palette[kind], "negative": palette[f"{kind}_negative"]}
    ground = mixed("#808080", rgb(palette["ground"]), 0.08)
    below, above = in_node(NUMBERS, {"colours": colours, "shares": shares})
    for colour, written in (("negative", below), ("accent", above)):
        for share, text in zip(shares, written, strict=True):
            assert contrast(np.array(text), mixed(colours[colour], ground, share)) >= READABLE, (colour, share)


@THEMES
@each_case("kind", KINDS)
def test_candidates_and_accents_can_be_read(palette, kind):
    ground = rgb(palette["ground"])
    assert contrast(rgb(palette["ink"]), mixed(palette[kind], ground, 0.28)) >= READABLE  # the bar of viewer.css
    assert contrast(rgb(palette[kind]), ground) >= READABLE
    on_button = "#ffffff" if palette is LIGHT else "#111111"
    assert contrast(rgb(on_button), rgb(palette[kind])) >= READABLE


@THEMES
@each_case("kind", KINDS)
@each_case("vision", SIMULATED)
def test_signs_are_told_apart(palette, kind, vision):
    above, below, ground = rgb(palette[kind]), rgb(palette[f"{kind}_negative"]), rgb(palette["ground"])
    assert difference(above, below, vision) >= TOLD_APART
    assert difference((above + ground) / 2, (below + ground) / 2, vision) >= TOLD_APART_AT_HALF


@each_case(
    ("one", "other", "expected"),
    [  # of Sharma, Wu and Dalal's own table
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_is_that_of_the_published_pairs(one, other, expected):
    assert ciede2000(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)


def test_red_and_green_are_alike_for_those_who_confuse_them():
    red, green = np.array([160.0, 90, 40]), np.array([110.0, 115, 40])
    assert difference(red, green) > 20 > 8 > difference(red, green, "deuteranopia")
