// Which colour is easy to read on another (WCAG 2.2: relative luminance and contrast ratio). Colours are [r, g, b], 0 to 255.

const READABLE = 4.5; // WCAG's least ratio for text
const BLACK = [0, 0, 0], WHITE = [255, 255, 255];

/** "#rrggbb" in numbers. */
export function parseHex(colour) {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}

/** What is seen where `share` of one colour lies over another. */
export function blend(over, under, share) {
  return over.map((value, i) => share * value + (1 - share) * under[i]);
}

function luminance(colour) {
  const [red, green, blue] = colour.map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1, the same, to 21, black on white. */
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The first of some colours in which text can be read on a ground; else black or white, of which one always can (4.58). */
export function readableColour(ground, colours) {
  const found = colours.find((colour) => contrast(colour, ground) >= READABLE);
  return found ?? (contrast(BLACK, ground) > contrast(WHITE, ground) ? BLACK : WHITE);
}
