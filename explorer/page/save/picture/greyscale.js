// Converts a picture to greyscale for print: black on white in either theme, so that a strong colour is dark. The colour of
// negative numbers would become the same grey as that of positive ones, so it becomes stripes.

import { svg } from "../../../ui/element.js";
import { hex, parseColour, formatCoordinate } from "./colours.js";

const INKS = ["fill", "stroke", "stop-color"];
const WARM_DIFFERENCE = 60; // least difference, of 255, between red and blue of a warm or cool colour
const STRIPE_WIDTH = 3; // pixels, half of it white

const brightness = ([r, g, b]) => (0.299 * r + 0.587 * g + 0.114 * b) / 255;

/** Maps `ground` to white, `ink` to black, and other colours to greys between them; `negative` colours become stripes. */
export async function convertToGreyscale(picture, { ground, ink, negative }) {
  const [white, black] = [ground, ink].map((css) => brightness(parseColour(css)));
  const toGrey = (css) => {
    const share = Math.max(0, Math.min(1, (brightness(parseColour(css)) - black) / (white - black)));
    return hex([255 * share, 255 * share, 255 * share]);
  };
  const stripedGradients = stripeColourScales(picture, new Set(negative.map((css) => hex(parseColour(css)))));
  const convertedStops = convertDivergingGradients([...picture.querySelectorAll("linearGradient")].filter((shade) => !stripedGradients.includes(shade)));
  const patternByColour = addStripePatterns(picture, new Map(negative.map((css) => [hex(parseColour(css)), toGrey(css)])));
  for (const node of picture.querySelectorAll("*")) {
    for (const name of INKS) {
      const css = node.getAttribute(name);
      if (css && !convertedStops.has(node) && parseColour(css)) node.setAttribute(name, (name === "fill" && patternByColour.get(css)) || toGrey(css));
    }
  }
  await Promise.all([...picture.querySelectorAll("image")].map((image) => greyImage(image, toGrey)));
}

/** Adds stripes to the lower half of colour scales that begin with one of the colours; returns their gradients. */
function stripeColourScales(picture, colours) {
  const matches = [...picture.querySelectorAll("linearGradient")].filter(({ firstElementChild: first }) => colours.has(first?.getAttribute("stop-color")));
  for (const shade of matches) {
    const bar = picture.querySelector(`[fill="url(#${shade.id})"]`), [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(bar.getAttribute(name)));
    bar.after(svg("rect", { x, y: formatCoordinate(y + height / 2), width, height: formatCoordinate(height / 2), fill: "url(#gaps)" }));
  }
  if (matches.length) picture.prepend(svg("defs", {}, pattern("gaps", "#ffffff")));
  return matches;
}

function pattern(id, colour) {
  const size = formatCoordinate(STRIPE_WIDTH), turned = { id, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return svg("pattern", turned, svg("rect", { width: formatCoordinate(STRIPE_WIDTH / 2), height: size, style: `fill: ${colour}` }));
}

/** Adds a stripe pattern for each colour that the picture has; returns references to the patterns by colour. */
function addStripePatterns(picture, tones) {
  const matches = new Map();
  for (const [css, tone] of tones) {
    if (!picture.querySelector(`[fill="${css}"]`)) continue;
    const id = `less-${matches.size + 1}`;
    picture.prepend(svg("defs", {}, pattern(id, tone)));
    matches.set(css, `url(#${id})`);
  }
  return matches;
}

/**
 * Whether a colour scale diverges from a warm to a cool colour. Both ends would become the same grey, so such a scale goes
 * from white to black instead. `colours` are [red, green, blue, opacity].
 */
function isDiverging(colours) {
  const sides = new Set(colours.filter(([r, , b, a]) => a > 0.05 && Math.abs(r - b) > WARM_DIFFERENCE).map(([r, , b]) => r > b));
  return sides.size === 2;
}

/** The grey of a colour on a diverging scale, from 0 to 255. */
const divergingGrey = ([r, , b, a]) => Math.round(127.5 * (1 + (r > b ? a : -a)));

/** Converts diverging gradients, such as Plotly's colour bars; returns their stops. */
function convertDivergingGradients(gradients) {
  const convertedStops = new Set();
  for (const shade of gradients) {
    const stops = [...shade.querySelectorAll("stop")];
    const colours = stops.map((stop) => [...parseColour(stop.getAttribute("stop-color")).slice(0, 3), Number(stop.getAttribute("stop-opacity") ?? 1)]);
    if (!isDiverging(colours)) continue;
    stops.forEach((stop, i) => {
      const share = divergingGrey(colours[i]);
      stop.setAttribute("stop-color", hex([share, share, share]));
      stop.removeAttribute("stop-opacity");
      convertedStops.add(stop);
    });
  }
  return convertedStops;
}

/** Converts the pixels of an image; they keep their opacity, except on a diverging scale. */
async function greyImage(image, toGrey) {
  const bitmap = Object.assign(new Image(), { src: image.getAttribute("href") });
  await bitmap.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.naturalWidth, height: bitmap.naturalHeight });
  const context = canvas.getContext("2d"), greyByColour = new Map();
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height), { data } = pixels;
  const pixelAt = (i) => [data[i], data[i + 1], data[i + 2], data[i + 3] / 255];
  const places = Array.from({ length: data.length / 4 }, (_, pixel) => 4 * pixel);
  if (isDiverging(places.map(pixelAt))) for (const i of places) data.fill(divergingGrey(pixelAt(i)), i, i + 3).fill(255, i + 3, i + 4);
  else for (let i = 0; i < data.length; i += 4) {
    const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    if (!greyByColour.has(key)) greyByColour.set(key, parseColour(toGrey(hex(data.subarray(i, i + 3))))[0]);
    data.fill(greyByColour.get(key), i, i + 3);
  }
  context.putImageData(pixels, 0, 0);
  image.setAttribute("href", canvas.toDataURL());
}
