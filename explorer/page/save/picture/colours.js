// Colours of CSS as SVG has them everywhere: six digits, and how opaque.

const FUNCTION = /^rgba?\(([^)]*)\)$/, SRGB = /^color\(srgb ([^)]*)\)$/, DIGITS = /^#([0-9a-f]{3,8})$/i;

/** [red, green, blue, opacity], of which the last is from 0 to 1; null where CSS says no colour. */
export function parsed(css) {
  const text = css.trim();
  if (text === "transparent") return [0, 0, 0, 0];
  const [, digits] = text.match(DIGITS) ?? [];
  if (digits) return fromDigits(digits);
  const [, srgb] = text.match(SRGB) ?? [], [, inside] = text.match(FUNCTION) ?? [];
  const [r, g, b, a = 1] = numbers(srgb ?? inside ?? "");
  if (b === undefined) return null;
  return srgb ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
}

function numbers(text) {
  return (text.match(/-?[\d.]+(e-?\d+)?%?/gi) ?? []).map((part) => (part.endsWith("%") ? parseFloat(part) / 100 : Number(part)));
}

function fromDigits(digits) {
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [r, g, b, a = 255] = long.match(/../g).map((pair) => parseInt(pair, 16));
  return [r, g, b, a / 255];
}

export function hex([r, g, b]) {
  return `#${[r, g, b].map((part) => Math.round(Math.max(0, Math.min(255, part))).toString(16).padStart(2, "0")).join("")}`;
}

/** A number as SVG needs it. */
export function short(number) {
  return String(Math.round(100 * number) / 100);
}

/** The attributes by which something is filled, or stroked: `name` is "fill", "stroke" or "stop". */
export function inked(name, css, opacity = 1) {
  const found = parsed(css), property = name === "stop" ? "stop-color" : name;
  if (!found) return { [property]: css };
  const visible = found[3] * opacity;
  return { [property]: hex(found), ...(visible < 1 && { [`${name}-opacity`]: String(Math.round(1000 * visible) / 1000) }) };
}
