// A picture of what is in front of the visitor, as SVG that needs nothing beside it, or as PNG.

import { svg } from "../../../shared/element.js";
import { theme } from "../../../shared/page.js";
import { Refused } from "../file.js";
import { slug, viewName } from "../names.js";
import { captionBlock, captionOf } from "./caption.js";
import { inked, short } from "./colours.js";
import { grey } from "./grey.js";
import { partsOf } from "./parts.js";
import { Walk } from "./walk.js";

const EDGE = 16, LEAST = 420; // pixels around a picture, and of the width that a caption has at least
const SHARP = 2, MOST = 16_000; // pixels of PNG for one of the screen, and the most of a side
const VIEWED = { explore: ["picture", "overview", "all"], lab: ["picture", "overview"], inside: ["picture", "all"] }; // parts called by what they show

/** The chosen part of the room in front, or else its first one. */
export function partOf({ tab, what }, words) {
  const parts = partsOf(tab, words), found = parts.find(({ name }) => name === what) ?? parts[0];
  if (!found) throw new Refused(words.none);
  return found;
}

/** The drawn part and how large it is; nobody sees the page as it is meanwhile. */
function captured(nodes, ground, caption) {
  const root = document.documentElement, scrolled = scrolledIn(nodes);
  root.classList.add("saving");
  root.classList.toggle("captioned", caption);
  try {
    const boxes = nodes.map((node) => node.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const walk = new Walk({ left, top }, ground);
    const parts = nodes.flatMap((node) => walk.drawn(node));
    for (const node of nodes) walk.reach(walk.boxOf(node));
    return { parts, width: walk.right, height: walk.bottom };
  } finally {
    root.classList.remove("saving", "captioned");
    for (const [node, left, top] of scrolled) node.scrollTo({ left, top, behavior: "instant" });
  }
}

/** What has been scrolled, which is forgotten while all of it is seen. */
function scrolledIn(nodes) {
  const all = nodes.flatMap((node) => [node, ...node.querySelectorAll("*")]);
  return all.filter(({ scrollLeft, scrollTop }) => scrollLeft || scrollTop).map((node) => [node, node.scrollLeft, node.scrollTop]);
}

/** Promises { picture, width, height }: a picture of SVG, with its caption where one is wanted. */
export async function pictured(look, settings) {
  const { text, colours: { [theme()]: colours } } = settings, { name, nodes, label, headed } = partOf(look, text.parts);
  const ground = getComputedStyle(document.body).backgroundColor;
  const { parts, ...size } = captured(nodes, ground, look.caption);
  const width = Math.max(size.width, look.caption ? LEAST : 0) + 2 * EDGE;
  const picture = svg("svg", { xmlns: "http://www.w3.org/2000/svg" }), whole = svg("rect", { x: 0, y: 0, ...inked("fill", ground) });
  picture.append(whole, svg("g", { transform: `translate(${EDGE} ${EDGE})` }, ...parts));
  let height = size.height + 2 * EDGE;
  if (look.caption) {
    const lines = captionOf(look, { words: text.caption, model: settings.model, base: settings.base, part: settings.tabs[look.tab] + (look.station ?? headed ? ` · ${headed ? label : look.stationName}` : ""), ofAView: VIEWED[look.tab]?.includes(name) ?? false });
    const { group, height: more } = captionBlock(lines, { x: EDGE, y: height - EDGE, width: width - 2 * EDGE, colours });
    picture.append(group);
    height += more;
  }
  for (const [name, value] of Object.entries({ width, height })) {
    picture.setAttribute(name, short(Math.ceil(value)));
    whole.setAttribute(name, short(Math.ceil(value)));
  }
  picture.setAttribute("viewBox", `0 0 ${short(Math.ceil(width))} ${short(Math.ceil(height))}`);
  const negative = Object.keys(colours).filter((name) => name.endsWith("_negative")).map((name) => colours[name]);
  if (look.grey) await grey(picture, { ground, ink: colours.ink, negative });
  return { picture, width: Math.ceil(width), height: Math.ceil(height) };
}

export function fileText(picture) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;
}

function named(look, settings, kind) {
  const { tab, station, grey } = look, { name, label, headed } = partOf(look, settings.text.parts);
  const called = { picture: "", overview: "overview", station, all: "all" }[name] ?? (headed ? slug(label) : name);
  const views = VIEWED[tab]?.includes(name) ? viewName(look) : slug(tab);
  return `${[views, called, grey && "grey"].filter(Boolean).join("-")}.${kind}`;
}

export async function svgFile({ look, settings }) {
  const { picture } = await pictured(look, settings);
  return { name: named(look, settings, "svg"), type: "image/svg+xml", data: fileText(picture) };
}

export async function pngFile({ look, settings }) {
  const { picture, width, height } = await pictured(look, settings);
  const url = URL.createObjectURL(new Blob([fileText(picture)], { type: "image/svg+xml" }));
  try {
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    const times = Math.min(SHARP * Math.max(1, devicePixelRatio / SHARP), MOST / Math.max(width, height));
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * times), height: Math.round(height * times) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const data = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    return { name: named(look, settings, "png"), type: "image/png", data };
  } finally {
    URL.revokeObjectURL(url);
  }
}
