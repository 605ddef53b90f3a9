// Source and target sentence, in pieces or words, shaded by the weights of the focused row or column.

import { fill, joinList } from "../ui/text.js";
import { weightOf } from "../derived/attention_map.js";
import { LOW_CONFIDENCE } from "../derived/translation.js";
import { countKnownRows, currentQuery, focusedQuery, isKnown } from "./state.js";
import { reasonsByPiece } from "./remarks.js";
import { mergedColumn, mergedRow } from "../derived/word_groups.js";
import { HideButton } from "./hide_button.js";
import { WordRibbons } from "./ribbons.js";
import { Shades } from "./shades.js";
import { Strip } from "./strip.js";
import { formatDecimal } from "../ui/numbers.js";

/**
 * The focused row (axis "query") or column ("key"): the group of a strip that stands for it, and the weights of the
 * groups of the `other` strip. In the encoder and the decoder both are the same strip.
 * @typedef {{ axis: Axis, strip: Strip, group: number[], other: Strip, weights: number[] }} Focus
 */

/**
 * The focused group in pieces: its `pieces`, and the `weights` of the `groups` of pieces on the other side. Pieces of
 * the translation that are not known yet are left out.
 * @typedef {{ axis: Axis, pieces: any[], groups: any[][], weights: number[] }} FocusedGroup
 */

const NO_MARKS = { key: "", source: new Map(), steps: new Map() };

/**
 * The strips of both sentences. In the target strip position 0 is the start token; position i is the piece fed at step
 * i and predicted at step i - 1.
 */
export class Sentences {
  /** @type {Focus | null} */
  focus = null;
  scene = null;
  key = ""; // of what is shown

  /** @type {Pin | null} What the visitor points at. */
  pointed = null;

  /**
   * `go` and `pin` are what clicks ask for; `preview` is called when another word is pointed at. `hiding`, which
   * may be null, is what the button at a word of the source asks for.
   */
  constructor(source, target, settings, { go, pin, preview, hiding = null }) {
    this.text = settings.text;
    this.shades = new Shades(settings.colours);
    this.preview = preview;
    this.ribbons = new WordRibbons(source.parentNode);
    const pointAs = (pinOf) => (group) => this.pointAt(group && pinOf(this.scene.view.kind, group));
    this.source = new Strip(source, ([first]) => pin(first), pointAs(sourcePin));
    this.hideButton = hiding && new HideButton(source, settings.text, hiding);
    this.target = new Strip(target, (group) => go(Math.max(0, group.at(-1) - 1)), pointAs(targetPin));
  }

  /** Shows where a word looks, as if it were pinned, until the visitor points elsewhere. */
  pointAt(pin) {
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

  /** Shades both strips by the focus, which is what the visitor points at, and draws its ribbons. */
  shade() {
    const { pointed, scene: { view, map, content } } = this;
    const isPointed = pointed !== null && isKnown(pointed, view, map);
    this.focus = content && this.focusIn(isPointed ? { ...view, pin: pointed } : view);
    this.shadeSource();
    this.shadeTarget();
    this.drawRibbons();
  }

  shadeSource() {
    const { source, shades, scene: { view } } = this;
    source.shade({
      shades: shades.of(view.kind),
      weights: this.sharesIn(source),
      current: view.kind === "encoder" && !view.pin ? currentQuery(view) : null,
      pinned: this.pinnedIn(source),
    });
  }

  shadeTarget() {
    const { target, shades, scene: { trace, view } } = this;
    const knownSteps = view.whole ? trace.steps.length : view.step + 1;
    target.shade({
      shades: shades.of(view.kind),
      weights: this.sharesIn(target),
      known: knownSteps + 1,
      current: view.parted ? null : view.step + 1,
      pinned: this.pinnedIn(target),
    });
  }

  /** The weights of a strip's groups as shares of the full colour; none unless the focus shades this strip. */
  sharesIn(strip) {
    const { focus, scene: { content } } = this;
    return focus?.other === strip ? focus.weights.map((weight) => weight / content.ceiling) : [];
  }

  /** The pinned piece of a strip; null if it has none. */
  pinnedIn(strip) {
    const { view, map } = this.scene;
    const { queries, keys, shift } = this.sides(view);
    if (view.pin?.axis === "query") return strip === queries ? view.pin.index + shift : null;
    return strip === keys ? pinnedColumn(view, map) : null;
  }

  /** In the level "picture" the ribbons from the focused group to those that it looks at, or that look at it. */
  drawRibbons() {
    const { focus, scene: { trace, view } } = this;
    const ribbons = view.level === "picture" && focus ? this.ribbonsOf(focus) : [];
    this.ribbons.draw(ribbons, `${trace.submission} ${view.kind}`);
  }

  ribbonsOf({ strip, group, other }) {
    const from = strip.nodeOf(group);
    return this.sharesIn(other).map((weight, number) => ({
      from,
      to: other.node.children[number],
      weight,
      isSame: strip === other,
      isUpper: strip === this.source,
    }));
  }

  /**
   * The strips of a kind's queries and keys. A decoder query is shown at the piece that it predicts, one position
   * further: `shift`.
   */
  sides({ kind }) {
    const { source, target } = this;
    return {
      queries: kind === "encoder" ? source : target,
      keys: kind === "decoder" ? target : source,
      shift: kind === "encoder" ? 0 : 1,
    };
  }

  /**
   * What is focused in a view: the pinned column, else the pinned or current row; null if there is none.
   * @returns {Focus | null}
   */
  focusIn(view) {
    const { map } = this.scene;
    const column = pinnedColumn(view, map);
    if (column !== null) return this.focusOfColumn(view, column);
    const row = focusedQuery(view, map);
    return row === null ? null : this.focusOfRow(view, row);
  }

  /** @returns {Focus} */
  focusOfColumn(view, column) {
    const { queries, keys } = this.sides(view);
    const group = keys.groupOf(column);
    const rows = queries.groups.map((each) => this.knownRowsOf(view, each));
    return { axis: "key", strip: keys, group, other: queries, weights: mergedColumn(this.weightOf, rows, group) };
  }

  /** @returns {Focus} */
  focusOfRow(view, row) {
    const { queries, keys, shift } = this.sides(view);
    const group = queries.groupOf(row + shift);
    const weights = mergedRow(this.weightOf, this.knownRowsOf(view, group), keys.groups);
    return { axis: "query", strip: queries, group, other: keys, weights };
  }

  /** The rows of the pieces of a group of queries that are known at the view's step. */
  knownRowsOf(view, group) {
    const { shift } = this.sides(view);
    const known = countKnownRows(view, this.scene.map);
    return group.map((position) => position - shift).filter((row) => row >= 0 && row < known);
  }

  weightOf = (row, key) => weightOf(this.scene.content, row, key);

  /** @returns {FocusedGroup | null} */
  get focusedGroup() {
    return this.focus && this.inPieces(this.focus, this.target.known);
  }

  /**
   * The focused groups of all steps, of which the view shows one unless something is pinned; none without the weights.
   * @returns {FocusedGroup[]}
   */
  get focusedGroups() {
    const { trace, view, content } = this.scene;
    if (!content || view.kind === "encoder") return [];
    return trace.steps.map((_, step) => this.inPieces(this.focusIn({ ...view, step, pin: null }), step + 2));
  }

  /**
   * The pieces of a focus where so many of the translation are known.
   * @param {Focus} focus @param {number} known
   * @returns {FocusedGroup}
   */
  inPieces({ axis, strip, group, other, weights }, known) {
    const knownIn = (each) => (each === this.target ? known : Infinity);
    const pieces = strip.knownPieces(group, knownIn(strip));
    const groups = other.groups.map((one) => other.knownPieces(one, knownIn(other)));
    return { axis, pieces, groups, weights };
  }

  /** Measures overflow again after a change of width. */
  measure() {
    this.source.measure();
    this.target.measure();
  }

  /** Sets the pieces of both strips, their marks and tooltips. */
  fill(trace, { words: isInWords, level }, apart) {
    const hasRemarks = Boolean(trace.warnings); // they come later
    const key = `${trace.submission} ${hasRemarks} ${apart.key} ${isInWords} ${level}`;
    const warnings = [...trace.warnings ?? [], ...trace.likelihood?.reason ? [trace.likelihood.reason] : []];
    this.fillSource(key, trace, { reasons: reasonsByPiece(warnings, "pieces"), apart: apart.source, isInWords });
    this.fillTarget(key, trace, { reasons: reasonsByPiece(warnings, "steps"), apart: apart.steps, isInWords });
  }

  fillSource(key, trace, { reasons, apart, isInWords }) {
    const hidden = trace.run?.experiment.hidden ?? [];
    const pieces = trace.source.map((piece, i) => ({
      ...piece,
      gone: hidden.includes(i),
      doubtful: reasons.has(i),
      apart: apart.has(i),
    }));
    const titles = pieces.map((piece, i) => this.withReasons(this.sourceTitle(piece, i), i, { reasons, apart }));
    this.source.fill(key, pieces, titles, isInWords);
  }

  fillTarget(key, { steps }, { reasons, apart, isInWords }) {
    const predicted = steps.map((step, i) => ({
      ...step.predicted,
      unsure: step.probability < LOW_CONFIDENCE,
      doubtful: reasons.has(i),
      apart: apart.has(i),
    }));
    const titles = steps.map((step, i) => this.withReasons(this.targetTitle(step, i), i, { reasons, apart }));
    this.target.fill(key, [steps[0].fed, ...predicted], [this.text.start, ...titles], isInWords);
  }

  sourceTitle({ id, raw, unknown: isUnknown }, i) {
    const { unknownPiece, sourcePiece } = this.text;
    return fill(isUnknown ? unknownPiece : sourcePiece, { number: i + 1, id: raw ? `${id} (${raw})` : id });
  }

  targetTitle({ probability }, i) {
    return fill(this.text.targetPiece, { step: i + 1, probability: formatDecimal(probability, 3) });
  }

  /** A tooltip with why the piece at i is marked: it is doubtful, or differs from the other run. */
  withReasons(title, i, { reasons, apart }) {
    const why = [...(reasons.get(i) ?? []), ...(apart.get(i) ?? [])];
    return why.length ? fill(this.text.withReason, { piece: title, reason: joinList(why) }) : title;
  }
}

/** An English word is a row of the encoder and a column of the cross-attention; the decoder does not see it. */
function sourcePin(kind, [first]) {
  if (kind === "decoder") return null;
  return { axis: kind === "encoder" ? "query" : "key", index: first };
}

/** A German word is the row that predicts it; the start, which none predicts, is a column of the decoder. */
function targetPin(kind, group) {
  if (kind === "encoder") return null;
  if (group[0] > 0) return { axis: "query", index: group.at(-1) - 1 };
  return kind === "decoder" ? { axis: "key", index: 0 } : null;
}

/** The pinned column if it is known, else null. */
function pinnedColumn(view, map) {
  return view.pin?.axis === "key" && isKnown(view.pin, view, map) ? view.pin.index : null;
}
