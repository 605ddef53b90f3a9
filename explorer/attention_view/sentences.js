// Both sentences, in pieces or words, shaded by the attention in focus.

import { weightOf } from "./attention.js";
import { focused, known, seen } from "./state.js";
import { element } from "../shared/element.js";
import { fill } from "../shared/text.js";
import { mergedColumn, mergedRow, single, words } from "./joined.js";

/**
 * The English and the German. In the German strip place 0 is the start; place i is the piece fed at step i, and the one
 * predicted at step i - 1.
 */
export class Sentences {
  constructor(source, target, settings, { go, pin }) {
    Object.assign(this, { settings, focus: null });
    this.source = new Strip(source, ([first]) => pin(first));
    this.target = new Strip(target, (places) => go(Math.max(0, places.at(-1) - 1)));
  }

  /** `content` is null while the weights are not there yet: then nothing is shaded. */
  draw(trace, view, map, content) {
    this.fill(trace, view);
    const { source, target } = this, column = pinnedColumn(view, map), shift = view.kind === "encoder" ? 0 : 1;
    const pinned = { [view.kind === "decoder" ? "target" : "source"]: column };
    if (view.pin?.axis === "query") pinned[view.kind === "encoder" ? "source" : "target"] = view.pin.index + shift;
    this.focus = content && this.inFocus(view, map, content);
    const weights = (strip) => (this.focus?.strip === strip ? this.focus.weights : []);
    source.shade({ weights: weights(source), pinned: pinned.source });
    const made = view.whole ? trace.steps.length : view.step + 1;
    target.shade({ weights: weights(target), known: made + 1, current: view.step + 1, pinned: pinned.target });
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

  /** After another width, what overflows is looked up again. */
  measure() {
    this.source.overflows = this.target.overflows = null;
  }

  fill(trace, { words: inWords, level }) {
    const { text, lowConfidence } = this.settings;
    const key = `${trace.submission} ${inWords} ${level}`;
    const sourceTitle = (piece, i) => {
      return fill(piece.unknown ? text.unknownPiece : text.sourcePiece, { number: i + 1, id: piece.id });
    };
    this.source.fill(key, trace.source, trace.source.map(sourceTitle), inWords);
    const made = trace.steps.map((step) => ({ ...step.predicted, unsure: step.probability < lowConfidence }));
    const madeTitle = (step, i) => fill(text.targetPiece, { step: i + 1, probability: step.probability.toFixed(3) });
    this.target.fill(key, [trace.steps[0].fed, ...made], [text.start, ...trace.steps.map(madeTitle)], inWords);
  }
}

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
    this.overflows = null;
  }

  group(group, titles) {
    const title = group.map((i) => titles[i]).join("\n");
    const node = element("button", { type: "button", class: "piece", title }, element("span"), element("small"));
    for (const flag of ["unknown", "special", "unsure"]) {
      node.classList.toggle(flag, group.some((i) => this.pieces[i][flag]));
    }
    node.addEventListener("click", () => this.choose(group));
    return node;
  }

  /** `weights` by group, `known` pieces are visible, `current` and `pinned` are pieces or null. */
  shade({ weights, known = this.pieces.length, current = null, pinned = null }) {
    this.known = known;
    this.groups.forEach((group, number) => {
      const node = this.node.children[number];
      // A group of the future keeps its place, so that nothing moves when it appears.
      const unseen = group[0] >= known;
      const shown = unseen ? group : group.filter((i) => i < known);
      const [text, ids] = node.children;
      setText(text, shown.map((i) => this.pieces[i].text).join(""));
      setText(ids, shown.map((i) => this.pieces[i].id).join(" "));
      node.style.visibility = unseen ? "hidden" : "";
      const weight = Math.min(1, weights[number] || 0);
      const ink = `color-mix(in srgb, var(--accent) ${Math.round(weight * 75)}%, var(--ground))`;
      node.style.backgroundColor = weight > 0 ? ink : "";
      node.classList.toggle("current", group.includes(current));
      node.classList.toggle("pinned", group.includes(pinned));
      if (group.includes(current)) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
      node.setAttribute("aria-pressed", group.includes(pinned));
    });
    if (this.overflows !== null && current === this.revealed) return; // measuring would make the browser lay out the page
    this.overflows ??= this.node.scrollHeight > this.node.clientHeight;
    this.revealed = current;
    if (this.overflows && current !== null) this.reveal(current);
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
    const node = this.node.children[this.groups.findIndex((group) => group.includes(piece))];
    const place = node.getBoundingClientRect(), frame = this.node.getBoundingClientRect();
    if (place.top < frame.top) this.node.scrollTop -= frame.top - place.top;
    if (place.bottom > frame.bottom) this.node.scrollTop += place.bottom - frame.bottom;
  }
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
