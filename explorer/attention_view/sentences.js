// Source and target sentence, in pieces or words, shaded by the weights of the focused row or column.

import { parseHex, blend, readableColour } from "../ui/contrast.js";
import { button, element } from "../ui/element.js";
import { theme } from "../ui/page.js";
import { withoutCircle } from "../ui/scripts.js";
import { fill, joinList } from "../ui/text.js";
import { weightOf } from "../derived/attention_map.js";
import { LOW_CONFIDENCE } from "../derived/translation.js";
import { countKnownRows, currentQuery, focusedQuery, isKnown } from "./state.js";
import { reasonsByPiece } from "./remarks.js";
import { mergedColumn, mergedRow, groupByPiece, groupByWord } from "../derived/word_groups.js";
import { HideButton } from "./hide_button.js";
import { WordRibbons } from "./ribbons.js";
import { formatDecimal } from "../ui/numbers.js";

const MAX_PERCENT = 75; // opacity of the kind's colour for a weight of 1
const GREY = [128, 128, 128];
const GROUND_OPACITY = 0.09; // background of a piece, --ground of viewer.css

/** The opacity of the kind's colour for a weight, in percent. */
export function shadePercent(weight) {
  return Math.round(Math.min(1, weight || 0) * MAX_PERCENT);
}

/**
 * For every percent the background, and readable colours of the text and of the id below it. `colours` are those of the
 * page's theme.
 */
export function createShades(colours, kind) {
  const [accent, ink, soft, page] = [kind, "ink", "text", "ground"].map((name) => parseHex(colours[name]));
  const css = (colour) => `rgb(${colour.map(Math.round).join(",")})`;
  return Array.from({ length: MAX_PERCENT + 1 }, (_, share) => {
    const background = blend(accent, blend(GREY, page, GROUND_OPACITY), share / 100).map(Math.round);
    const text = readableColour(background, [ink]);
    const id = readableColour(background, [soft, text]);
    return { background: css(background), text: css(text), id: css(id) };
  });
}

/**
 * The strips of both sentences. In the target strip position 0 is the start token; position i is the piece fed at step
 * i and predicted at step i - 1.
 */
export class Sentences {
  shades = {};
  focus = null;
  scene = null;
  key = ""; // of what is shown

  /** @type {Pin | null} What the visitor points at. */
  pointed = null;

  /**
   * `go` and `pin` are what clicks ask for; `preview` is called when another word is pointed at. `hide(token)`, which
   * may be null, is what the button at a word of the source asks for.
   */
  constructor(source, target, settings, { go, pin, preview, hide = null }) {
    this.settings = settings;
    this.preview = preview;
    this.ribbons = new WordRibbons(source.parentNode);
    const point = (strip) => (group) => this.point(group && this.pinOf(strip, group));
    this.source = new Strip(source, ([first]) => pin(first), point("source"));
    this.hideButton = hide && new HideButton(source, settings.text, hide);
    this.target = new Strip(target, (positions) => go(Math.max(0, positions.at(-1) - 1)), point("target"));
  }

  /** The row or column of a group of a strip in the kind that is shown; null if it has none. */
  pinOf(strip, group) {
    const { view: { kind } } = this.scene;
    if (kind === "encoder") return strip === "source" ? { axis: "query", index: group[0] } : null;
    if (strip === "source") return kind === "cross" ? { axis: "key", index: group[0] } : null;
    if (group[0] > 0) return { axis: "query", index: group.at(-1) - 1 };
    return kind === "decoder" ? { axis: "key", index: 0 } : null;
  }

  /** Shows where a word looks, as if it were pinned, until the visitor points elsewhere. */
  point(pin) {
    if (!this.scene?.content || JSON.stringify(pin) === JSON.stringify(this.pointed)) return;
    this.pointed = pin;
    this.shade();
    this.preview();
  }

  /**
   * Draws both strips. `content` is null until the weights are loaded: then nothing is shaded. `apart` marks
   * differences from another run.
   */
  draw(trace, view, map, content, apart = NO_MARKS) {
    this.fill(trace, view, apart);
    this.scene = { trace, view, map, content };
    const key = JSON.stringify([trace.submission, view]);
    if (key !== this.key) this.pointed = null; // else it is drawn again, for an answer that came late
    this.key = key;
    this.shade();
    this.hideButton?.draw(this.source, view.pin?.axis === "key" ? view.pin.index : null, trace);
  }

  shade() {
    const { source, target, pointed, scene: { trace, view, map, content } } = this;
    const column = pinnedColumn(view, map);
    const shift = view.kind === "encoder" ? 0 : 1;
    const pinned = { [view.kind === "decoder" ? "target" : "source"]: column };
    if (view.pin?.axis === "query") pinned[view.kind === "encoder" ? "source" : "target"] = view.pin.index + shift;
    const isPointed = pointed !== null && isKnown(pointed, view, map);
    this.focus = content && this.inFocus(isPointed ? { ...view, pin: pointed } : view, map, content);
    const shades = this.shadesOf(view.kind);
    const share = (weight) => weight / content.ceiling;
    const weights = (strip) => (this.focus?.strip === strip ? this.focus.weights.map(share) : []);
    const current = view.pin ? null : currentQuery(view);
    source.shade({
      shades,
      weights: weights(source),
      current: view.kind === "encoder" ? current : null,
      pinned: pinned.source,
    });
    const knownSteps = view.whole ? trace.steps.length : view.step + 1;
    target.shade({
      shades,
      weights: weights(target),
      known: knownSteps + 1,
      current: view.parted ? null : view.step + 1,
      pinned: pinned.target,
    });
    this.ribbons.draw(
      view.level === "picture" && this.focus ? this.ribbonsOf(this.focus, share) : [],
      `${trace.submission} ${view.kind}`,
    );
  }

  /** The ribbons from the focused group to the groups that it looks at, or that look at it. */
  ribbonsOf({ of, group, strip, weights }, share) {
    const from = of.nodeOf(group);
    return weights.map((weight, number) => ({
      from,
      to: strip.node.children[number],
      weight: share(weight),
      isSame: of === strip,
      isUpper: of === this.source,
    }));
  }

  /**
   * The focused group, a row (axis "query") or a column ("key") of one strip, and the strip that its weights shade;
   * null if no row or column is focused.
   */
  inFocus(view, map, content) {
    const { source, target } = this;
    const column = pinnedColumn(view, map);
    const query = focusedQuery(view, map);
    const keys = view.kind === "decoder" ? target : source;
    const queries = view.kind === "encoder" ? source : target;
    // A decoder query is shown at the piece that it predicts, one position further.
    const shift = view.kind === "encoder" ? 0 : 1;
    const rows = (group) =>
      group.map((position) => position - shift).filter((row) => row >= 0 && row < countKnownRows(view, map));
    const weight = (row, key) => weightOf(content, row, key);
    if (column !== null) {
      const group = keys.groupOf(column);
      return {
        axis: "key",
        of: keys,
        group,
        strip: queries,
        weights: mergedColumn(weight, queries.groups.map(rows), group),
      };
    }
    if (query === null) return null;
    const group = queries.groupOf(query + shift);
    return { axis: "query", of: queries, group, strip: keys, weights: mergedRow(weight, rows(group), keys.groups) };
  }

  /** The focused group with the visible pieces of every group (plain.js). */
  get reading() {
    return this.focus && this.read(this.focus, this.target.known);
  }

  /** The readings of all steps, of which the view shows one unless something is pinned; none without the weights. */
  get readings() {
    const { trace, view, map, content } = this.scene;
    if (!content || view.kind === "encoder") return [];
    return trace.steps.map((_, step) => this.read(this.inFocus({ ...view, step, pin: null }, map, content), step + 2));
  }

  /** What is read of a focused group where this many pieces of the translation are known. */
  read({ axis, of, group, strip, weights }, known) {
    const seen = (one, indices) => one.seen(indices, one === this.target ? known : Infinity);
    return { axis, pieces: seen(of, group), groups: strip.groups.map((other) => seen(strip, other)), weights };
  }

  /** The shades of a kind in the page's theme, cached. */
  shadesOf(kind) {
    const key = `${theme()} ${kind}`;
    this.shades[key] ??= createShades(this.settings.colours[theme()], kind);
    return this.shades[key];
  }

  /** Measures overflow again after a change of width. */
  measure() {
    this.source.overflows = this.target.overflows = null;
  }

  fill(trace, { words: isInWords, level }, apart) {
    const { text } = this.settings;
    const hasRemarks = Boolean(trace.warnings); // they come later
    const key = `${trace.submission} ${hasRemarks} ${apart.key} ${isInWords} ${level}`;
    const warnings = [...trace.warnings ?? [], ...trace.likelihood?.reason ? [trace.likelihood.reason] : []];
    const sourceReasons = reasonsByPiece(warnings, "pieces");
    const targetReasons = reasonsByPiece(warnings, "steps");
    const withReason = (piece, reasons) =>
      reasons.length ? fill(text.withReason, { piece, reason: joinList(reasons) }) : piece;
    const sourceTitle = (piece, i) => {
      const id = piece.raw ? `${piece.id} (${piece.raw})` : piece.id;
      const title = fill(piece.unknown ? text.unknownPiece : text.sourcePiece, { number: i + 1, id });
      return withReason(title, [...(sourceReasons.get(i) ?? []), ...(apart.source.get(i) ?? [])]);
    };
    const hidden = trace.run?.experiment.hidden ?? [];
    const source = trace.source.map((piece, i) => ({
      ...piece,
      gone: hidden.includes(i),
      doubtful: sourceReasons.has(i),
      apart: apart.source.has(i),
    }));
    this.source.fill(key, source, source.map(sourceTitle), isInWords);
    const predictedPieces = trace.steps.map((step, i) => {
      return {
        ...step.predicted,
        unsure: step.probability < LOW_CONFIDENCE,
        doubtful: targetReasons.has(i),
        apart: apart.steps.has(i),
      };
    });
    const targetTitle = (step, i) => {
      const title = fill(text.targetPiece, { step: i + 1, probability: formatDecimal(step.probability, 3) });
      return withReason(title, [...(targetReasons.get(i) ?? []), ...(apart.steps.get(i) ?? [])]);
    };
    this.target.fill(
      key,
      [trace.steps[0].fed, ...predictedPieces],
      [text.start, ...trace.steps.map(targetTitle)],
      isInWords,
    );
  }
}

const NO_MARKS = { key: "", source: new Map(), steps: new Map() };
const NO_SHADE = { background: "", text: "", id: "" };

/** The pinned column if it is known, else null. */
function pinnedColumn(view, map) {
  return view.pin?.axis === "key" && isKnown(view.pin, view, map) ? view.pin.index : null;
}

/** One sentence. Its nodes are created once; later only shading, marks and visibility change. */
class Strip {
  key = "";
  overflows = null;
  revealed = null;

  /** A click on a group calls `choose` with its positions, and `point` is called with those that are pointed at. */
  constructor(node, choose, point) {
    this.node = node;
    this.choose = choose;
    const pointAt = ({ target }) => point(this.groups[[...node.children].indexOf(target.closest(".piece"))] ?? null);
    node.addEventListener("pointerover", (event) => event.pointerType === "mouse" && pointAt(event));
    node.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && pointAt(event));
    for (const type of ["pointerleave", "focusout"]) node.addEventListener(type, () => point(null));
  }

  /** Sets the pieces and their tooltips. */
  fill(key, pieces, titles, isInWords) {
    if (key === this.key) return;
    this.key = key;
    this.pieces = pieces;
    this.groups = isInWords ? groupByWord(pieces) : groupByPiece(pieces);
    this.node.replaceChildren(...this.groups.map((group) => this.group(group, titles)));
    this.node.scrollTo(0, 0);
    this.overflows = this.revealed = null;
  }

  group(group, titles) {
    const title = group.map((i) => titles[i]).join("\n");
    const texts = group.map((i, part) => (part ? withoutCircle(this.pieces[i].text) : this.pieces[i].text));
    const ids = group.map((i) => this.pieces[i].id).join(" ");
    // A word of several pieces shows where it is split.
    const parts = texts.length === 1 ? texts : texts.map((text) => element("i", {}, text));
    const node = button(
      () => this.choose(group),
      { class: "piece", title },
      element("span", {}, ...parts),
      element("small", {}, ids),
    );
    for (const flag of ["unknown", "special", "unsure", "doubtful", "apart", "gone"]) {
      node.classList.toggle(flag, group.some((i) => this.pieces[i][flag]));
    }
    return node;
  }

  /**
   * Shades the groups: `shades` by percent, `weights` by group; pieces after the first `known` are grey; `current` and
   * `pinned` are pieces or null.
   */
  shade({ shades, weights, known = this.pieces.length, current = null, pinned = null }) {
    this.known = known;
    this.groups.forEach((group, number) => {
      const node = this.node.children[number];
      node.classList.toggle("later", group[0] >= known);
      group.forEach((piece, part) => node.firstChild.children[part]?.classList.toggle("later", piece >= known));
      applyShade(node, weights[number] > 0 ? shades[shadePercent(weights[number])] : NO_SHADE);
      node.classList.toggle("current", group.includes(current));
      node.classList.toggle("pinned", group.includes(pinned));
      if (group.includes(current)) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
      node.setAttribute("aria-pressed", group.includes(pinned));
    });
    const revealedPiece = current ?? this.strongest(weights);
    if (this.overflows !== null && revealedPiece === this.revealed) return; // measuring forces a layout
    this.overflows ??= this.node.scrollHeight > this.node.clientHeight;
    // A finished translation shows its beginning until the visitor steps back.
    this.begins = (this.revealed === null || this.begins) && revealedPiece === this.pieces.length - 1;
    this.revealed = revealedPiece;
    if (this.overflows && revealedPiece !== null && !this.begins) this.reveal(revealedPiece);
  }

  /** The first piece of the group with the largest weight; null if no group has one. */
  strongest(weights) {
    const max = Math.max(0, ...weights);
    return max > 0 ? this.groups[weights.indexOf(max)][0] : null;
  }

  /** The pieces of a group among the first `known`. */
  seen(group, known) {
    return group.filter((i) => i < known).map((i) => this.pieces[i]);
  }

  nodeOf(group) {
    return this.node.children[this.groups.indexOf(group)];
  }

  /** The group that contains a piece. */
  groupOf(piece) {
    return this.groups.find((group) => group.includes(piece));
  }

  /** Scrolls only the strip until a piece is visible. */
  reveal(piece) {
    if (piece <= 1) return this.node.scrollTo(0, 0); // including the start token
    const node = this.nodeOf(this.groupOf(piece));
    const box = node.getBoundingClientRect();
    const frame = this.node.getBoundingClientRect();
    if (box.top < frame.top) this.node.scrollTop -= frame.top - box.top;
    if (box.bottom > frame.bottom) this.node.scrollTop += box.bottom - frame.bottom;
  }
}

function applyShade(node, { background, text, id }) {
  if (node.shade === background) return;
  node.shade = background;
  Object.assign(node.style, { backgroundColor: background, color: text });
  node.lastChild.style.color = id;
}

