// A picture of the open tab or of one of its parts, as a standalone SVG or as PNG.

import { runName, viewName } from "../../../attention_view/file_name.js";
import { trimPlot } from "../../../attention_view/saved_plot.js";
import { contextOf } from "../../../ui/canvas.js";
import { isVisible } from "../../../ui/element.js";
import { theme } from "../../../ui/page.js";
import { createPoster } from "../poster/poster.js";
import { SaveError, shownView, slug } from "../snapshot.js";
import { renderCaption, captionLines } from "./caption.js";
import { paintAttributes } from "./colours.js";
import { convertToGreyscale } from "./greyscale.js";
import { rectangle, shape } from "./shapes.js";
import { SvgWalker } from "./svg_walker.js";

/**
 * A part of a tab, or, with the size of its `sheet`, a poster of it.
 * @typedef {{ name: string, label: string, isHeaded: boolean, nodes: Element[], sheet?: "a3" | "a4" }} Part
 */

const MARGIN = 16; // pixels
const MIN_CAPTION_WIDTH = 420; // pixels
const PNG_SCALE = 2; // pixels of PNG per CSS pixel, at least
const MAX_PNG_SIDE = 16_000; // pixels
const HEADINGS = "h2, h3";

/**
 * By tab: selectors by name of a part, the default first, and `each`, a selector of parts that are named by their
 * headings.
 */
const PARTS = {
  explore: {
    picture: "#viewer .plain, #viewer .views",
    overview: "#viewer .heads",
    panel: "#drawer .panel:not([hidden])",
    table: "#catalogue .meaning, #catalogue .wide",
    all: "#viewer .viewer",
  },
  whole: { picture: "#whole .stage, #whole [data-role=caption]", all: "#whole .whole" },
  positions: { each: "#positions .part", all: "#positions .positions" },
  train: { all: "#train .train", picture: "#train .views" },
  training: { curves: "#training .figure", all: "#training .training" },
};

const SHEETS = /** @type {const} */ (["a3", "a4"]);

/** Whether a part is a poster, by its name. */
export function isSheet(name) {
  return SHEETS.includes(name);
}

/** The tabs whose pictures are of a translation. */
const TRANSLATION_TABS = ["explore", "whole"];

/** The parts that are named after the view that they show. */
const VIEW_PARTS = { explore: ["picture", "overview", "all"] };

/**
 * The visible parts, of which the whole tab comes first or last, and the posters.
 *
 * @param {{ tab: string, poster: any }} snapshot
 * @param {Record<string, string>} words the labels of parts without a heading
 * @returns {Part[]}
 */
export function partsOf({ tab, poster }, words) {
  const sheets = poster ? SHEETS : [];
  return [...visibleParts(tab, words), ...sheets.map((sheet) => (
    { name: sheet, label: words[sheet], isHeaded: false, nodes: [], sheet }))];
}

/** @returns {Part[]} */
function visibleParts(tab, words) {
  const { each = null, ...selectors } = PARTS[tab] ?? { all: `#${tab}-tab` };
  const named = Object.entries(selectors).map(([name, selector]) => (
    { name, label: words[name], isHeaded: false, nodes: visibleNodes(selector) }
  ));
  const headed = each ? visibleNodes(each).map((node, number) => {
    const label = node.querySelector(HEADINGS)?.textContent.trim() ?? "";
    return { name: `part${number + 1}`, label, isHeaded: true, nodes: label ? [node] : [] };
  }) : [];
  const whole = named.filter(({ name }) => name === "all");
  const others = [...named.filter(({ name }) => name !== "all"), ...headed];
  const isWholeFirst = Object.keys(PARTS[tab] ?? {})[0] === "all";
  return (isWholeFirst ? [...whole, ...others] : [...others, ...whole]).filter(({ nodes }) => nodes.length);
}

function visibleNodes(selector) {
  const isDrawn = (node) => isVisible(node) && node.getBoundingClientRect().height > 0;
  return [...document.querySelectorAll(selector)].filter(isDrawn);
}

/** The chosen part of the open tab, or its first part. */
function chosenPart(snapshot, words) {
  const parts = partsOf(snapshot, words);
  const part = parts.find(({ name }) => name === snapshot.what) ?? parts[0];
  if (!part) throw new SaveError(words.none);
  return part;
}

function groundColour() {
  return getComputedStyle(document.body).backgroundColor;
}

/** The part as SVG nodes, and its size; changes the page's styles meanwhile, without a repaint. */
function capture(nodes, ground, { panes = [], caption = false } = {}) {
  const root = document.documentElement;
  const positions = scrollPositions(nodes);
  const plots = panes.map(({ plot }) => plot).filter(({ heatmap }) => (
    heatmap.layout && nodes.some((node) => node.contains(heatmap)) && isVisible(heatmap) // layout: Plotly's
  ));
  root.classList.add("saving");
  root.classList.toggle("captioned", caption);
  const restores = plots.map(trimPlot);
  try {
    const boxes = nodes.map((node) => node.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left));
    const top = Math.min(...boxes.map((box) => box.top));
    const walker = new SvgWalker({ left, top }, ground);
    const parts = nodes.flatMap((node) => walker.render(node));
    // A trimmed figure is narrower than its place.
    for (const node of nodes) walker.extend({ ...walker.boxOf(node), ...(restores.length ? { width: 0 } : {}) });
    return { parts, width: walker.right, height: walker.bottom };
  } finally {
    root.classList.remove("saving", "captioned");
    for (const restore of restores) restore();
    for (const [node, left, top] of positions) node.scrollTo({ left, top, behavior: "instant" });
  }
}

/** The scroll positions of nodes, to restore them after a capture without scrolling. */
function scrollPositions(nodes) {
  const all = nodes.flatMap((node) => [node, ...node.querySelectorAll("*")]);
  const scrolled = all.filter(({ scrollLeft, scrollTop }) => scrollLeft || scrollTop);
  return scrolled.map((node) => [node, node.scrollLeft, node.scrollTop]);
}

/** The lines of the caption of a part. */
function describePart(snapshot, { name, label, isHeaded }, { text, tabs, changes, files, model, base }) {
  const title = isHeaded || name === "panel" ? label : null;
  const part = title ? `${tabs[snapshot.tab]} · ${title}` : tabs[snapshot.tab];
  const ofAView = isOfAView(snapshot, name);
  const { unchanged } = files;
  const isOfToy = snapshot.tab === "train" && name !== "picture"; // another model
  const shown = { part, ofAView, model: isOfToy ? null : model };
  return captionLines(snapshot, { words: text.caption, changes, unchanged, base, ...shown });
}

function isOfAView({ tab }, name) {
  return VIEW_PARTS[tab]?.includes(name) ?? false;
}

/** A part as it looks, with its caption if the visitor wants one. */
function drawPart(snapshot, part, settings) {
  const colours = settings.colours[theme()];
  const lines = describePart(snapshot, part, settings);
  const ground = groundColour();
  const content = capture(part.nodes, ground, { panes: snapshot.viewer.panes, caption: snapshot.caption });
  const width = Math.ceil(Math.max(content.width, snapshot.caption ? MIN_CAPTION_WIDTH : 0) + 2 * MARGIN);
  const captionArea = { x: MARGIN, y: content.height + MARGIN, width: width - 2 * MARGIN, colours };
  const caption = snapshot.caption ? renderCaption(lines, captionArea) : { group: "", height: 0 };
  const height = Math.ceil(content.height + 2 * MARGIN + caption.height);
  const picture = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" },
    shape("title", {}, lines[0]),
    rectangle({ x: 0, y: 0, width, height }, paintAttributes("fill", ground)),
    shape("g", { transform: `translate(${MARGIN} ${MARGIN})` }, ...content.parts),
    caption.group);
  return { picture, width, height, page: `${width}px ${height}px`, ground, colours };
}

/**
 * The SVG, its size in CSS pixels, and as CSS has it for a page.
 *
 * @returns {Promise<{ picture: SVGElement, width: number, height: number, page: string }>}
 */
export async function createPicture(snapshot, settings) {
  const part = chosenPart(snapshot, settings.text.parts);
  const { sheet } = part;
  const drawn = sheet
    ? createPoster(await snapshot.poster.plate(), settings, { sheet, caption: snapshot.caption })
    : drawPart(snapshot, part, settings);
  const { picture, width, height, page, ground, colours } = drawn;
  if (snapshot.grey) {
    const negative = Object.keys(colours).filter((name) => name.endsWith("_negative")).map((name) => colours[name]);
    await convertToGreyscale(picture, { ground, ink: colours.ink, negative });
  }
  return { picture, width, height, page };
}

/** @param {SVGElement} picture */
export function fileText(picture) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;
}

function fileName(snapshot, settings, extension) {
  const { name, label, isHeaded, sheet } = chosenPart(snapshot, settings.text.parts);
  const { trace } = snapshot.viewer;
  if (sheet) {
    const parts = ["poster", sheet, ...runName(trace), slug(trace.sentence), snapshot.grey && "grey"];
    return `${parts.filter(Boolean).join("-")}.${extension}`;
  }
  const names = { picture: "", overview: "overview", panel: snapshot.panel, all: "all" };
  const partName = names[name] ?? (isHeaded ? slug(label) : name);
  const { tab, viewer } = snapshot;
  const content = isOfAView(snapshot, name) ? viewName(shownView(snapshot), viewer.map) : slug(tab);
  const run = TRANSLATION_TABS.includes(tab) ? runName(trace) : [];
  return `${[content, partName, ...run, snapshot.grey && "grey"].filter(Boolean).join("-")}.${extension}`;
}

export async function createSvg({ snapshot, settings }) {
  const { picture } = await createPicture(snapshot, settings);
  return { name: fileName(snapshot, settings, "svg"), type: "image/svg+xml", data: fileText(picture) };
}

/** A document of one page that is as large as the picture or its sheet. */
export async function createPage({ snapshot, settings }) {
  const { picture, page } = await createPicture(snapshot, settings);
  const style = `@page { size: ${page}; margin: 0; } body { margin: 0; } svg { display: block; }`;
  const title = fileName(snapshot, settings, "pdf"); // which a browser proposes
  const svg = new XMLSerializer().serializeToString(picture);
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${style}</style>${svg}`;
}

/** Encodes a canvas as PNG; throws a SaveError if the browser has no memory for it, or if it is too large. */
export async function encodePng(canvas, { noMemory, tooLarge }) {
  if (!canvas.getContext("2d")) throw new SaveError(noMemory);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  if (!blob) throw new SaveError(tooLarge);
  return blob;
}

/**
 * SVG as pixels, so many for each of its own.
 * @param {SVGElement} picture
 * @param {{ width: number, height: number }} size
 */
async function rasterise(picture, { width, height }, scale) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([fileText(picture)], { type: "image/svg+xml" }));
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** A part of the page as pixels, without a margin: what reaches beyond it is left out. */
export async function drawNode(node, scale) {
  const ground = groundColour();
  const { parts } = capture([node], ground);
  const size = { width: node.offsetWidth, height: node.offsetHeight };
  const picture = shape("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}` },
    rectangle({ x: 0, y: 0, ...size }, paintAttributes("fill", ground)), ...parts);
  return { ...size, canvas: await rasterise(picture, size, scale) };
}

export async function createPng({ snapshot, settings }) {
  const { picture, width, height } = await createPicture(snapshot, settings);
  const scale = Math.min(Math.max(PNG_SCALE, devicePixelRatio), MAX_PNG_SIDE / Math.max(width, height));
  const data = await encodePng(await rasterise(picture, { width, height }, scale), settings.text);
  return { name: fileName(snapshot, settings, "png"), type: "image/png", data };
}
