"""The palette: text that can be read on every shade, and signs that no colour blindness hides.

Colour blindness is simulated as G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A Physiologically-based Model
for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (6), 2009, give
it for full severity. Colours differ by their distance in CIELAB (CIE 1976): about 2.3 is just noticed, side by side.
Colours are "#rrggbb" or three numbers from 0 to 255.
"""

import numpy as np
import pytest
from by_node import in_node, needs_node
from cases import each_case

from explorer.ui.palette import DARK, LIGHT
from model.probe import KINDS

SIMULATED = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = TO_XYZ.sum(axis=1)


def rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def linear(colour: np.ndarray) -> np.ndarray:
    part = colour / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    dark, light = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(colour: np.ndarray, vision: str) -> np.ndarray:
    """L*, a* and b* of what is seen of a colour."""
    seen = np.clip(SIMULATED[vision] @ linear(colour), 0, 1)
    x, y, z = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in TO_XYZ @ seen / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(one: np.ndarray, other: np.ndarray, vision: str = "none") -> float:
    """The distance in CIELAB between what is seen of two colours."""
    return float(np.linalg.norm(lab(one, vision) - lab(other, vision)))


READABLE = 4.5  # WCAG 2.2, 1.4.3: least contrast of text
TOLD_APART = 42  # in CIELAB, between full ink above and below zero; half ink lies on the page's ground
TOLD_APART_AT_HALF = 22
THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
SHADES = """
    import { createShades, shadePercent } from "./explorer/attention_view/shades.js";
    const { palette, kind, weights } = JSON.parse(readFileSync(0));
    const shades = createShades(palette, kind);
    console.log(JSON.stringify(weights.map((weight) => shades[shadePercent(weight)])));
"""
NUMBERS = """
    import { cellStyle, emptyCell, parseHex } from "./explorer/ui/contrast.js";
    const { colours, shares } = JSON.parse(readFileSync(0));
    const rgb = Object.fromEntries(Object.entries(colours).map(([name, css]) => [name, parseHex(css)]));
    const textOn = (sign, share) => cellStyle(rgb, sign, share, emptyCell(rgb.ground)).color;
    console.log(JSON.stringify([-1, 1].map((sign) => shares.map((share) => textOn(sign, share)))));
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
            assert contrast(parsed(text), mixed(colours[colour], ground, share)) >= READABLE, (colour, share)


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
