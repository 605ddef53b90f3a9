// Two runs in the attention view: the unchanged one in the first pane and the changed one in the second, or what changed as
// one map of differences. The view is that of the changed run, and the unchanged one follows to where it corresponds.

import { Pairing } from "./pairing.js";
import { Sentences } from "./sentences.js";
import { fill } from "../ui/text.js";

const SIDES = ["source", "target"];

/** Ribbons have no negative width, so that they always stand beside each other. */
function besideEachOther({ compared, look }) {
  return compared === "beside" || look === "ribbon";
}

/** Why pieces are marked as others than in the other run: by the index of a piece a list of reasons. */
function apart(pieces, partners, others, { text, name }) {
  const found = new Map();
  pieces.forEach((piece, i) => {
    const other = others[partners[i]];
    if (!other) found.set(i, [fill(text.alone, { name })]);
    else if (other.id !== piece.id) found.set(i, [fill(text.instead, { name, piece: other.text })]);
  });
  return found;
}

const predicted = ({ steps }) => steps.map((step) => step.predicted);

export class Compared {
  /** `set` changes the view, `choose` holds what a click on a piece of the unchanged run asks for: `go` and `pin`. */
  constructor(root, part, settings, { set, choose }) {
    Object.assign(this, { root, part, text: settings.text.compared, run: null, numbered: new WeakMap(), count: 0 });
    this.sides = Object.fromEntries(SIDES.map((side) => [side, part[`${side}Side`].textContent]));
    this.scales = [...part.scale.options].map((option) => option.text);
    this.buttons = [...part.compared.children];
    for (const button of this.buttons) button.addEventListener("click", () => set({ compared: button.value }));
    const here = (axis, index) => this.run.pairing.origin("cross", axis, index);
    this.sentences = new Sentences(part.sourceBefore, part.targetBefore, settings, {
      go: (step) => here("query", step) !== null && choose.go(here("query", step)),
      pin: (piece) => here("key", piece) !== null && choose.pin(here("key", piece)),
    });
  }

  /** A trace under a number of its own, always the same one: who draws knows traces by their numbers. */
  known(trace) {
    if (!this.numbered.has(trace)) this.numbered.set(trace, { ...trace, submission: `run ${this.count += 1}` });
    return this.numbered.get(trace);
  }

  /** Compares with another run from now on; null ends it. */
  take(changed, run) {
    const { part, root, text } = this;
    this.run = run && { ...run, pairing: new Pairing(run.pairs, run.trace) };
    root.toggleAttribute("data-two", run !== null);
    const parts = ["compared", "remark", "targetSideBefore", "targetBefore", "sourceSideBefore", "sourceBefore"];
    for (const name of parts) part[name].hidden = run === null;
    part.pair.closest("label").hidden = run !== null; // two heads would be four pictures
    for (const side of SIDES) {
      const said = (name) => (run ? fill(text.side, { side: this.sides[side], name: run.names[name] }) : this.sides[side]);
      for (const [node, name] of [[side, "changed"], [`${side}Before`, "unchanged"]]) part[node].setAttribute("aria-label", said(name));
      part[`${side}Side`].textContent = said("changed");
      part[`${side}SideBefore`].textContent = said("unchanged");
    }
    if (run) this.mark(changed);
    else this.offer(this.scales);
  }

  /** Finds the pieces that the other run has not; English that is the same stands there once. */
  mark(changed) {
    const { part, run, text } = this, { trace, pairing: { there, here }, names } = run;
    const marks = (one, other, partners, name) => ({
      key: other.submission,
      source: apart(one.source, partners.source, other.source, { text, name }),
      steps: apart(predicted(one), partners.steps, predicted(other), { text, name }),
    });
    this.apart = { changed: marks(changed, trace, there, names.unchanged), unchanged: marks(trace, changed, here, names.changed) };
    const moved = there.source.some((partner, place) => partner !== place);
    if (moved || this.apart.changed.source.size) return;
    part.sourceBefore.hidden = part.sourceSideBefore.hidden = true;
    part.sourceSide.textContent = this.sides.source;
  }

  /** The unchanged run's map of a kind, or undefined. */
  map(kind) {
    return this.run?.trace.kinds[kind];
  }

  /** Whether two pictures stand beside each other. */
  two(view) {
    return this.run !== null && besideEachOther(view);
  }

  /** A row, column or cell that was chosen in a picture of the unchanged run, as the changed run has it; else it is said. */
  meant(pane, found, choose) {
    const { view: { kind }, trace } = pane.scene, { run } = this;
    if (trace !== run?.trace) return choose(found);
    const here = (axis, index) => run.pairing.origin(kind, axis, index);
    const mine = found.axis ? { axis: found.axis, index: here(found.axis, found.index) }
      : { query: here("query", found.query), key: here("key", found.key) };
    if (Object.values(mine).includes(null)) pane.part.readout.textContent = fill(this.text.lost, { name: run.names.changed });
    else choose(mine);
  }

  /** Draws both runs' pictures and sentences; `scene` is that of the changed one. */
  draw(scene, [first, second], sentences) {
    const { run: { trace, pairing, names }, text } = this, { view } = scene, two = besideEachOther(view);
    const heads = { layer: view.layer, head: view.head };
    const other = { ...scene, trace, map: trace.kinds[view.kind], view: pairing.viewOf(view), heads };
    second.root.hidden = !two;
    if (two) {
      first.draw({ ...other, name: names.unchanged });
      second.draw({ ...scene, heads, name: names.changed });
    } else {
      const partner = (axis, index) => pairing.partner(view.kind, axis, index);
      first.draw({ ...scene, heads, name: fill(text.difference, names), against: { ...other, partner } });
    }
    const [before, after] = two ? [first.pieces, second.pieces] : [first.pieces.unchanged, first.pieces.changed];
    sentences.draw(scene.trace, view, scene.map, after, this.apart.changed);
    // What the unchanged run wrote is known from the beginning.
    this.sentences.draw(trace, { ...other.view, whole: true }, other.map, before, this.apart.unchanged);
    this.controls(view, two);
  }

  controls(view, two) {
    const { part, text, run: { names } } = this;
    for (const button of this.buttons) button.setAttribute("aria-pressed", button.value === view.compared);
    const remark = fill(two ? text.beside[view.compared] : text.remark, names);
    if (part.remark.textContent !== remark) part.remark.textContent = remark;
    this.offer(two ? this.scales : Object.values(text.scales));
  }

  /** Says what the colour scales mean. */
  offer(scales) {
    [...this.part.scale.options].forEach((option, i) => { if (option.text !== scales[i]) option.text = scales[i]; });
  }

  /** After another width, what overflows is looked up again. */
  measure() {
    if (this.run) this.sentences.measure();
  }
}
