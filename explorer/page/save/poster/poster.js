// A sheet for a wall: both sentences large, the whole picture drawn for the sheet, and what one needs to read it. It is
// laid out at the size of A3; A4 is the same, smaller. Sizes are in pixels, of which an inch has 96.

import { describeExperiment } from "../../../handout/changes.js";
import { translationUntil } from "../../../derived/written.js";
import { fitTexts, flow, partLines } from "../../../ui/fitting.js";
import { pageFont } from "../../../ui/page.js";
import { isolate } from "../../../ui/scripts.js";
import { fill } from "../../../ui/text.js";
import { publicLink } from "../picture/caption.js";
import { familyOf, fontMetrics, paintAttributes } from "../picture/colours.js";
import { rectangle, shape } from "../picture/shapes.js";
import { PaperContext } from "./paper_context.js";

/**
 * What is drawn on a sheet, by the tab (tabs/whole/poster.js). `legend` are sentences by their signs; `draw(context,
 * ratio)` draws the picture in pixels of `sizeFor(ratio)`, the ratio of its width to its height.
 * @typedef {{ trace: Trace, source: Trace, step: number, experiment: any, isChanged: boolean, caption: string,
 *   legend: Record<string, string>, colours: Record<string, string>,
 *   sizeFor: (ratio: number) => { width: number, height: number },
 *   draw: (context: any, ratio: number) => void }} Plate
 */

const MM = 96 / 25.4;
const SIZE_STEP = 0.2 * MM; // between sizes of letters that are tried
const SIZE = { width: 420 * MM, height: 297 * MM };
const MARGIN = 15 * MM;
const WIDTH = SIZE.width - 2 * MARGIN;
const NAME = 8 * MM;
const SENTENCES = { sizes: sizesBetween(14 * MM, 5.4 * MM), height: 44 * MM, between: 2 * MM };
const LANGUAGE = 5 * MM; // its letters before a sentence
const LEGEND = { size: 4.4 * MM, gap: 9 * MM, sign: 9 * MM };
const CAPTION = sizesBetween(5.8 * MM, 5 * MM);
const CHANGE = sizesBetween(5 * MM, 4.6 * MM);
const FOOT = 3.6 * MM;
const UNWRITTEN = 0.6; // how strong words are that are not written yet
const LEADING = 1.3; // of the letters, the height of a line
const GAP = 4 * MM; // between the parts of the sheet
const MEASURED = 100; // pixels of the letters that widths are measured in
const ASCENT = 0.8; // of the letters, above the line that they stand on
const CSS_SIZES = { a3: "A3 landscape", a4: "A4 landscape" };

/** Sizes of letters from the largest to the smallest. */
function sizesBetween(most, least) {
  const count = Math.floor((most - least) / SIZE_STEP) + 1;
  return Array.from({ length: count }, (_, i) => most - i * SIZE_STEP);
}

/** The width of a text in letters of size 1. */
function widthOf(text, weight = 400) {
  return fontMetrics(`${weight} ${MEASURED}px ${pageFont()}`, text).width / MEASURED;
}

/**
 * A line whose letters hang from `top`, as wide here as in a program with other fonts. Parts have colours of their own.
 * @param {string | { text: string, colour: string, opacity?: number, weight?: number }[]} text
 * @param {{ x: number, top: number, size: number, colour: string, weight?: number, anchor?: "end" }} style
 */
function textLine(text, { x, top, size, colour, weight = 400, anchor }) {
  const parts = typeof text === "string" ? [{ text, colour, weight }] : text;
  const length = parts.reduce((sum, part) => sum + size * widthOf(part.text, part.weight ?? weight), 0);
  return shape("text", {
    x, y: top + ASCENT * size, "font-family": familyOf(pageFont()), "font-size": size,
    "font-weight": weight === 400 ? undefined : weight, "text-anchor": anchor, style: "white-space: pre",
    textLength: length, lengthAdjust: "spacingAndGlyphs", ...paintAttributes("fill", colour),
  }, ...(typeof text === "string" ? [isolate(text)] : parts.map((part) => shape("tspan", {
    ...paintAttributes("fill", part.colour, part.opacity), "font-weight": part.weight,
  }, isolate(part.text)))));
}

/** A text in lines of the sheet's width: { height, draw(top) }. */
function paragraph(text, { sizes, colour, indent = 0 }) {
  const room = { width: WIDTH - indent, height: Infinity, leading: LEADING };
  const { size, lines: [lines] } = fitTexts([text], room, sizes, widthOf);
  const draw = (top) => lines.map((line, i) => (
    textLine(line, { x: MARGIN + indent, top: top + i * size * LEADING, size, colour })));
  return { height: lines.length * size * LEADING, draw };
}

/** The name of the page, and where in the translation the picture is. */
function heading({ step, trace, colours }, title, { caption }) {
  const where = fill(caption.step, { step: step + 1, steps: trace.steps.length });
  const draw = (top) => [
    textLine(title, { x: MARGIN, top, size: NAME, colour: colours.ink, weight: 600 }),
    textLine(where, { x: MARGIN + WIDTH, top, size: NAME * 0.7, colour: colours.text, anchor: "end" }),
  ];
  return { height: NAME * LEADING, draw };
}

/** Both sentences; of the translation what is written, what is being written, and, pale, what is not yet. */
function sentences({ trace, step, colours }, { source, target }) {
  const texts = [trace.sentence, translationUntil(trace.steps.length - 1, trace)];
  const names = [source, target];
  const indent = LANGUAGE * Math.max(...names.map((name) => widthOf(name, 600))) + 5 * MM;
  const room = { width: WIDTH - indent, height: SENTENCES.height, leading: LEADING };
  const { size, lines } = fitTexts(texts, room, SENTENCES.sizes, (text) => widthOf(text, 600));
  const now = { from: translationUntil(step - 1, trace).length, to: translationUntil(step, trace).length };
  const looks = {
    before: { colour: colours.ink, weight: 600 },
    now: { colour: colours.decoder, weight: 600 },
    after: { colour: colours.text, opacity: UNWRITTEN, weight: 600 },
  };
  const all = { from: texts[0].length, to: texts[0].length };
  const parts = [all, now].map((one, i) => partLines(texts[i], lines[i], one));
  const stacks = [colours.encoder, colours.decoder];
  const draw = (top) => {
    let y = top;
    return parts.flatMap((sentence, i) => {
      const name = textLine(names[i], {
        x: MARGIN, top: y + ASCENT * (size - LANGUAGE), size: LANGUAGE, colour: stacks[i], weight: 600,
      });
      const drawn = sentence.map((line, row) => textLine(line.map(({ text, part }) => ({ text, ...looks[part] })), {
        x: MARGIN + indent, top: y + row * size * LEADING, size, colour: colours.ink, weight: 600,
      }));
      y += sentence.length * size * LEADING + SENTENCES.between;
      return [name, ...drawn];
    });
  };
  return { height: parts.flat().length * size * LEADING + SENTENCES.between, draw };
}

/** The sign of a sentence of the legend, between `x` and `x + width`, of a height around a line's middle. */
function signShapes(sign, { x, y, width, height }, { encoder, decoder, cross, masked }) {
  const box = { x, y: y - height / 2, width, height };
  const bars = [[0, 0.15], [0.3, 0.08], [0.6, 0.25]];
  switch (sign) {
    case "pooled": return [
      ...bars.map(([from, share]) => (
        rectangle({ ...box, x: x + from * width, width: share * width }, { fill: encoder }))),
      rectangle(box, { fill: "none", stroke: encoder, "stroke-width": 1.2 }),
    ];
    case "ribbon": return [shape("path", {
      d: `M${x},${box.y + height}C${x + width / 3},${box.y - height / 3} ${x + (2 * width) / 3},${box.y - height / 3} `
        + `${x + width},${box.y + height}`,
      fill: "none", stroke: cross, "stroke-width": height / 2.5,
    })];
    case "others": return [rectangle({ ...box, y: y - height / 8, height: height / 4 }, { fill: masked })];
    case "rest": return [rectangle(box, { fill: decoder, "fill-opacity": "0.3" })];
    default: return [];
  }
}

function legendBlock({ legend, colours }) {
  const { size, gap, sign: signWidth } = LEGEND;
  const items = Object.entries(legend).map(([sign, text]) => {
    const before = sign === "sum" ? 0 : signWidth + 0.4 * size;
    return { sign, text, before, width: before + size * widthOf(text) };
  });
  const spots = flow(items.map(({ width }) => width), WIDTH, gap);
  const draw = (top) => items.flatMap(({ sign, text, before }, i) => {
    const x = MARGIN + spots[i].left, y = top + spots[i].row * size * LEADING;
    const area = { x, y: y + 0.52 * size, width: signWidth, height: 0.62 * size };
    return [...signShapes(sign, area, colours), textLine(text, { x: x + before, top: y, size, colour: colours.text })];
  });
  return { height: (spots.at(-1).row + 1) * size * LEADING, draw };
}

/** What is changed, if anything is, and the translation without the change. */
function changesBlock({ trace, source, experiment, isChanged, colours }, { files, changes, text }) {
  if (!isChanged) return [];
  const lines = [
    ...describeExperiment({ ...files.unchanged, ...experiment }, trace, changes),
    fill(text.caption.unchanged, { text: source.translation }),
  ];
  const indent = 5 * MM;
  const blocks = lines.map((line) => paragraph(line, { sizes: CHANGE, colour: colours.ink, indent }));
  const height = blocks.reduce((sum, block) => sum + block.height, 0);
  const draw = (top) => {
    let y = top;
    const drawn = blocks.flatMap((block) => {
      y += block.height;
      return block.draw(y - block.height);
    });
    const bar = { x: MARGIN, y: top, width: 1.6 * MM, height: height - (LEADING - 1) * CHANGE[0] };
    return [rectangle(bar, { fill: colours.changed }), ...drawn];
  };
  return [{ height, draw }];
}

/** The address of a page without what it shows, as one types it. */
export function typedAddress(link) {
  const { host, pathname } = new URL(link);
  return `${host}${pathname.replace(/\/$/, "")}`;
}

/** The address of the page where it leads others there, and the model. */
function foot({ colours }, { base, model, text }) {
  const link = publicLink(base);
  const style = { size: FOOT, colour: colours.text };
  const draw = (top) => [
    ...(link ? [textLine(typedAddress(link), { ...style, x: MARGIN, top })] : []),
    textLine(fill(text.caption.model, { model }), { ...style, x: MARGIN + WIDTH, top, anchor: "end" }),
  ];
  return { height: FOOT, draw };
}

/** The picture between two heights of the sheet, in the middle of what it leaves free. */
function drawing({ draw, sizeFor, colours }, top, height) {
  const ratio = WIDTH / height;
  const scale = WIDTH / sizeFor(ratio).width;
  const group = shape("g", { transform: `translate(${MARGIN} ${top})` });
  draw(new PaperContext(group, { scale, ground: colours.ground }), ratio);
  return group;
}

/**
 * The sheet of a plate as SVG, with its size in CSS pixels and by the name that CSS has for it.
 * @param {Plate} plate
 * @param {any} settings those of the dialog
 * @param {{ sheet: "a3" | "a4", caption: boolean }} options
 */
export function createPoster(plate, settings, { sheet, caption }) {
  const { colours } = plate;
  const { title, text } = settings;
  const above = [heading(plate, title, text), sentences(plate, text.poster)];
  const below = [
    legendBlock(plate),
    ...(caption ? [paragraph(plate.caption, { sizes: CAPTION, colour: colours.ink })] : []),
    ...changesBlock(plate, settings),
    foot(plate, settings),
  ];
  const heightOf = (blocks) => blocks.reduce((sum, { height }) => sum + height + GAP, 0);
  const bottom = SIZE.height - MARGIN - heightOf(below) + GAP;
  const parts = [];
  let y = MARGIN;
  for (const block of above) {
    parts.push(...block.draw(y));
    y += block.height + GAP;
  }
  parts.push(drawing(plate, y, bottom - GAP - y));
  y = bottom;
  for (const block of below) {
    parts.push(...block.draw(y));
    y += block.height + GAP;
  }
  const share = sheet === "a4" ? Math.SQRT1_2 : 1;
  const size = { width: share * SIZE.width, height: share * SIZE.height };
  const picture = shape("svg", { ...size, viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img" },
    shape("title", {}, plate.trace.sentence),
    rectangle({ x: 0, y: 0, ...SIZE }, paintAttributes("fill", colours.ground)), ...parts);
  return { picture, ...size, page: CSS_SIZES[sheet], ground: colours.ground, colours };
}
