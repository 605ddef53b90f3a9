// Both sentences, in pieces or words, shaded by the attention in focus.

import { weightOf } from "./attention.js";
import { focused, known, seen } from "./state.js";
import { element } from "../ui/element.js";
import { theme } from "../ui/page.js";
import { percent, shadesOf } from "./shading.js";
import { joinPieces } from "../ui/scripts.js";
import { fill } from "../ui/text.js";
import { reasons } from "./warned.js";
import { mergedColumn, mergedRow, single, words } from "./joined.js";

/**
 * The English and the German. In the German strip place 0 is the start; place i is the piece fed at step i, and the one
 * predicted at step i - 1.
 */
export class Sentences {
  constructor(source, target, settings, { go, pin }) {
    Object.assign(this, { settings, shades: {}, focus: null });
    this.source = new Strip(source, ([first]) => pin(first));
    this.target = new Strip(target, (places) => go(Math.max(0, places.at(-1) - 1)));
  }

  /** `content` is null while the weights are not there yet: then nothing is shaded; `apart` says what another run has not. */
  draw(trace, view, map, content, apart = NONE) {
    this.fill(trace, view, apart);
    const { source, target } = this, column = pinnedColumn(view, map), shift = view.kind === "encoder" ? 0 : 1;
    const pinned = { [view.kind === "decoder" ? "target" : "source"]: column };
    if (view.pin?.axis === "query") pinned[view.kind === "encoder" ? "source" : "target"] = view.pin.index + shift;
    this.focus = content && this.inFocus(view, map, content);
    const shades = this.shadesOf(view.kind), share = (weight) => weight / content.ceiling;
    const weights = (strip) => (this.focus?.strip === strip ? this.focus.weights.map(share) : []);
    source.shade({ shades, weights: weights(source), pinned: pinned.source });
    const made = view.whole ? trace.steps.length : view.step + 1;
    target.shade({ shades, weights: weights(target), known: made + 1, current: view.parted ? null : view.step + 1, pinned: pinned.target });
  }

  /**
   * The group of one strip that is looked at, a row (axis "query") or a column ("key"), and the strip that its weights
   * shade; null where no row and no column is in focus.
   */
  inFocus(view, map, content) {
    const { source, target } = this, column = pinnedColumn(view, map), query = focused(view, map);
    const keys = view.kind === "decoder" ? target : source, queries = view.kind === "encoder" ? source : target;
    // A query of the decoder is shown at the piece predicted from it, one place on.
    const shift = view.kind === "encoder" ? 0 : 1;
    const rows = (group) => group.map((place) => place - shift).filter((row) => row >= 0 && row < known(view, map));
    const weight = (row, key) => weightOf(content, row, key);
    if (column !== null) {
      const group = keys.groupOf(column);
      return { axis: "key", of: keys, group, strip: queries, weights: mergedColumn(weight, queries.groups.map(rows), group) };
    }
    if (query === null) return null;
    const group = queries.groupOf(query + shift);
    return { axis: "query", of: queries, group, strip: keys, weights: mergedRow(weight, rows(group), keys.groups) };
  }

  /** The same with the pieces that are seen of every group, for who puts it in words. */
  get reading() {
    if (!this.focus) return null;
    const { axis, of, group, strip, weights } = this.focus;
    return { axis, pieces: of.seen(group), groups: strip.groups.map((other) => strip.seen(other)), weights };
  }

  /** The shades of a kind in the page's theme, made once. */
  shadesOf(kind) {
    const key = `${theme()} ${kind}`;
    this.shades[key] ??= shadesOf(this.settings.colours[theme()], kind);
    return this.shades[key];
  }

  /** After another width, what overflows is looked up again. */
  measure() {
    this.source.overflows = this.target.overflows = null;
  }

  fill(trace, { words: inWords, level }, apart) {
    const { text, lowConfidence } = this.settings;
    const key = `${trace.submission} ${apart.key} ${inWords} ${level}`;
    const doubtful = reasons(trace.warnings, "pieces"), repeated = reasons(trace.warnings, "steps");
    const withReason = (piece, found) => (found.length ? fill(text.withReason, { piece, reason: found.join(", ") }) : piece);
    const sourceTitle = (piece, i) => {
      const title = fill(piece.unknown ? text.unknownPiece : text.sourcePiece, { number: i + 1, id: piece.id });
      return withReason(title, [...(doubtful.get(i) ?? []), ...(apart.source.get(i) ?? [])]);
    };
    const source = trace.source.map((piece, i) => ({ ...piece, doubtful: doubtful.has(i), apart: apart.source.has(i) }));
    this.source.fill(key, source, source.map(sourceTitle), inWords);
    const made = trace.steps.map((step, i) => {
      return { ...step.predicted, unsure: step.probability < lowConfidence, doubtful: repeated.has(i), apart: apart.steps.has(i) };
    });
    const madeTitle = (step, i) => {
      const title = fill(text.targetPiece, { step: i + 1, probability: step.probability.toFixed(3) });
      return withReason(title, [...(repeated.get(i) ?? []), ...(apart.steps.get(i) ?? [])]);
    };
    this.target.fill(key, [trace.steps[0].fed, ...made], [text.start, ...trace.steps.map(madeTitle)], inWords);
  }
}

const NONE = { key: "", source: new Map(), steps: new Map() };
const UNSHADED = { background: "", text: "", id: "" };

/** The column that a pin holds, where it is known; else null. */
function pinnedColumn(view, map) {
  return view.pin?.axis === "key" && seen(view.pin, view, map) ? view.pin.index : null;
}

/** One strip: its nodes are made once for a sentence; later only shading, marks and what is visible change. */
class Strip {
  /** `choose` is called with the places of the group that was clicked. */
  constructor(node, choose) {
    Object.assign(this, { node, choose, key: "", overflows: null, revealed: null });
  }

  /** Pieces to show; `titles` say what hovering tells of each. */
  fill(key, pieces, titles, inWords) {
    if (key === this.key) return;
    this.key = key;
    this.pieces = pieces;
    this.groups = inWords ? words(pieces) : single(pieces);
    this.node.replaceChildren(...this.groups.map((group) => this.group(group, titles)));
    this.node.scrollTo(0, 0);
    this.overflows = this.revealed = null;
  }

  group(group, titles) {
    const title = group.map((i) => titles[i]).join("\n");
    const node = element("button", { type: "button", class: "piece", title }, element("span"), element("small"));
    for (const flag of ["unknown", "special", "unsure", "doubtful", "apart"]) {
      node.classList.toggle(flag, group.some((i) => this.pieces[i][flag]));
    }
    node.addEventListener("click", () => this.choose(group));
    return node;
  }

  /** `shades` by percent and `weights` by group, `known` pieces are visible, `current` and `pinned` are pieces or null. */
  shade({ shades, weights, known = this.pieces.length, current = null, pinned = null }) {
    this.known = known;
    this.groups.forEach((group, number) => {
      const node = this.node.children[number];
      // A group of the future keeps its place, so that nothing moves when it appears.
      const unseen = group[0] >= known;
      const shown = unseen ? group : group.filter((i) => i < known);
      const [text, ids] = node.children;
      setText(text, joinPieces(shown.map((i) => this.pieces[i].text)));
      setText(ids, shown.map((i) => this.pieces[i].id).join(" "));
      node.style.visibility = unseen ? "hidden" : "";
      paint(node, weights[number] > 0 ? shades[percent(weights[number])] : UNSHADED);
      node.classList.toggle("current", group.includes(current));
      node.classList.toggle("pinned", group.includes(pinned));
      if (group.includes(current)) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
      node.setAttribute("aria-pressed", group.includes(pinned));
    });
    const looked = current ?? this.strongest(weights);
    if (this.overflows !== null && looked === this.revealed) return; // measuring would make the browser lay out the page
    this.overflows ??= this.node.scrollHeight > this.node.clientHeight || this.node.scrollWidth > this.node.clientWidth;
    // A finished translation is read from its beginning, until one steps back.
    this.begins = (this.revealed === null || this.begins) && looked === this.pieces.length - 1;
    this.revealed = looked;
    if (this.overflows && looked !== null && !this.begins) this.reveal(looked);
  }

  /** The first piece of the group that is shaded most; null where none is. */
  strongest(weights) {
    const most = Math.max(0, ...weights);
    return most > 0 ? this.groups[weights.indexOf(most)][0] : null;
  }

  /** The pieces of a group that are seen. */
  seen(group) {
    return group.filter((i) => i < this.known).map((i) => this.pieces[i]);
  }

  /** The group that a piece belongs to. */
  groupOf(piece) {
    return this.groups.find((group) => group.includes(piece));
  }

  /** Scrolls the strip, and nothing else, until a piece is seen. */
  reveal(piece) {
    if (piece <= 1) return this.node.scrollTo(0, 0); // with the start before it
    const node = this.node.children[this.groups.findIndex((group) => group.includes(piece))];
    const place = node.getBoundingClientRect(), frame = this.node.getBoundingClientRect();
    if (place.top < frame.top) this.node.scrollTop -= frame.top - place.top;
    if (place.bottom > frame.bottom) this.node.scrollTop += place.bottom - frame.bottom;
    if (place.left < frame.left) this.node.scrollLeft -= frame.left - place.left;
    if (place.right > frame.right) this.node.scrollLeft += place.right - frame.right;
  }
}

function paint(node, { background, text, id }) {
  if (node.shade === background) return;
  node.shade = background;
  Object.assign(node.style, { backgroundColor: background, color: text });
  node.lastChild.style.color = id;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
