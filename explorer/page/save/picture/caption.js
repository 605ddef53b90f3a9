// What stands below a saved picture: of which sentence it is, what of it is shown, by which model, and where it is to be found.

import { inView } from "../look.js";
import { currentLink } from "../../../ui/address.js";
import { svg } from "../../../ui/element.js";
import { joinPieces } from "../../../ui/scripts.js";
import { fill, headsName } from "../../../ui/text.js";
import { inked, short } from "./colours.js";
import { familyOf, metrics } from "./fonts.js";

const SIZE = 13, LINE = 19, GAP = 10; // pixels
const OF_A_STEP = ["explore", "lab", "inside", "predictions"], OF_A_SENTENCE = [...OF_A_STEP, "architecture"];

/** The German up to a step, as it is read. */
function writtenTo(step, { steps }) {
  const pieces = steps.slice(0, step + 1).map(({ predicted }) => predicted).filter(({ special }) => !special);
  return joinPieces(pieces.map(({ text, starts_word: starts }) => (starts ? text.replace(/^·/, " ") : text))).trim();
}

/** Kind and heads that are looked at, in words. */
export function headsIn(look, words) {
  const { settings, map } = look.viewer, { kind, layer, head, second } = inView(look);
  const heads = [{ layer, head }, ...(second ? [second] : [])].map((one) => headsName(settings.heads, one)).join(" / ");
  return [settings.kinds[kind], heads, ...(map.measure === "length" ? [words.lengths] : [])];
}

function viewed(look, words) {
  const { viewer } = look, { trace } = viewer, view = inView(look), { kind, pin, whole } = view, parts = headsIn(look, words);
  if (kind !== "encoder") parts.push(whole ? words.whole : stepped(viewer, words));
  if (pin) parts.push(fill(words.pinned, { label: trace.kinds[kind][pin.axis === "query" ? "queries" : "keys"][pin.index] }));
  if (!view.specials) parts.push(words.specials);
  return parts.join(" · ");
}

function stepped({ view: { step }, trace: { steps } }, words) {
  return fill(words.step, { step: step + 1, steps: steps.length });
}

/** The lines of a caption; `part` is what is shown where that is not `ofAView`; `words` are CAPTION of the words, `model` is said already, `base` is where the page is served. */
export function captionOf(look, { words, model, base, part, ofAView }) {
  const { tab, viewer, changes } = look, lines = [];
  const { trace, view } = viewer, unchanged = viewer.compared.run?.trace;
  if (ofAView) lines.push(viewed(look, words));
  else lines.push(tab === "predictions" ? `${part} · ${stepped(viewer, words)}` : part);
  if (OF_A_SENTENCE.includes(tab)) {
    const all = trace.steps.length - 1, stepping = OF_A_STEP.includes(tab) && (ofAView || tab === "predictions");
    const last = stepping && !inView(look).whole ? view.step : all, soFar = last < all, text = writtenTo(last, trace);
    lines.push(fill(words.source, { text: trace.sentence }));
    if (unchanged) lines.push(fill(words.unchanged, { text: unchanged.translation }));
    const said = unchanged ? words.changed : soFar ? words.target : words.translation;
    lines.push(fill(said, { text: soFar ? `${text} …` : text }));
  }
  if (changes.length) lines.push(fill(words.changes, { changes: changes.join(", ") }));
  const address = currentLink(base ?? undefined);
  return [...lines, ...(viewer.fontless ?? []), fill(words.model, { model }), ...(address ? [address] : [])];
}

/** SVG of a caption in a given width, and how high it is. */
export function captionBlock(lines, { x, y, width, colours: { ink, text } }) {
  const family = "system-ui, sans-serif", group = svg("g");
  let base = y + GAP;
  lines.forEach((line, number) => {
    const font = `${number ? "" : "600 "}${SIZE}px ${family}`;
    for (const part of broken(line, font, width)) {
      base += LINE;
      const look = { "font-family": familyOf(family), "font-size": SIZE, ...(!number && { "font-weight": 600 }), ...inked("fill", number ? text : ink) };
      group.append(svg("text", { x: short(x), y: short(base), ...look }, part));
    }
  });
  return { group, height: base - y + GAP };
}

/** A line in parts that fit, broken between words, or, as an address, anywhere. */
export function broken(line, font, width, widthOf = (text) => metrics(font, text).width) {
  const parts = [""];
  for (const word of line.split(/(?<=[ &+])/)) {
    if (parts.at(-1) && widthOf(parts.at(-1) + word.trimEnd()) > width) parts.push("");
    let rest = word;
    while (widthOf(rest.trimEnd()) > width && rest.length > 1) {
      let count = Math.max(1, Math.floor((rest.length * width) / widthOf(rest)));
      while (count > 1 && widthOf(rest.slice(0, count)) > width) count -= 1;
      parts[parts.length - 1] += rest.slice(0, count);
      parts.push("");
      rest = rest.slice(count);
    }
    parts[parts.length - 1] += rest;
  }
  return parts.map((part) => part.trimEnd()).filter(Boolean);
}
