// Contrast of colours (WCAG 2.2: relative luminance and contrast ratio). Colours are [r, g, b], 0 to 255.

const GREY = [128, 128, 128], GROUND_OPACITY = 0.08; // background of every cell
const READABLE = 4.5; // minimum contrast ratio for text in WCAG
const BLACK = [0, 0, 0], WHITE = [255, 255, 255];

/**
 * Converts "#rrggbb" to [r, g, b].
 * @param {string} colour
 * @returns {any}
 */
export function parseHex(colour) {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}

/** Blends a colour with opacity `share` over another. */
export function blend(over, under, share) {
  return over.map((value, i) => share * value + (1 - share) * under[i]);
}

function luminance(colour) {
  const [red, green, blue] = colour.map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, from 1 (equal) to 21 (black on white). */
export function contrast(first, second) {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The first colour that is readable on a ground; otherwise black or white, one of which always has a ratio of at least
 * 4.58.
 */
export function readableColour(ground, colours) {
  const readable = colours.find((colour) => contrast(colour, ground) >= READABLE);
  return readable ?? (contrast(BLACK, ground) > contrast(WHITE, ground) ? BLACK : WHITE);
}

/** The colour of a cell without a number, as the style sheets have it. */
export function emptyCell(ground) {
  return blend(GREY, ground, GROUND_OPACITY);
}

/**
 * The style of a cell with a number: `share` of the accent, or of the colour of negative numbers, lies over what is
 * `under` it, and the text can be read there. The colours are [r, g, b].
 * @param {Record<string, any>} colours
 */
export function cellStyle({ negative, accent, ink, ground }, number, share, under = ground) {
  const background = blend(number < 0 ? negative : accent, under, share);
  const inks = [ink, ground].sort((one, other) => contrast(other, background) - contrast(one, background));
  const css = (colour) => `rgb(${colour.map(Math.round)})`;
  return { background: css(background), color: css(readableColour(background, inks)) };
}
