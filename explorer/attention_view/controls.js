// Pickers and options: they show the view, and a change of one asks for a change of the view.

import { Heads } from "./heads.js";
import { pick } from "./overview.js";
import { ROLLOUT } from "./rollout.js";
import { dropPointerFocus } from "../ui/page.js";
import { store, readStored } from "../ui/storage.js";
import { addKindButtons, numberLabels, markPressed } from "../ui/tab.js";

const COMBINED = ["mean", "max"];
const ACROSS = [...COMBINED, ROLLOUT]; // what can be chosen instead of one layer
const LEVEL = "level", LEVELS = ["picture", "heads"];

/** The level that a view names, or the one chosen at an earlier visit; a newcomer begins with the picture. */
export function levelOf(view) {
  const before = readStored(LEVEL);
  return view.level ?? (LEVELS.includes(before) ? before : LEVELS[0]);
}

/** A select's value as the view has it: a number, or the name of a choice. */
function choiceOf(select) {
  return ACROSS.includes(select.value) ? select.value : Number(select.value);
}

/** What another control says: yes or no, a number, or a name. */
function valueOf(control) {
  if (control.type === "checkbox") return control.checked;
  return control.dataset.choice === "speed" ? Number(control.value) : control.value;
}

export class Controls {
  /** `view` gives the view as it is, `map` the attention map in view; `set` changes the view. */
  constructor(root, part, settings, { view, map, set }) {
    Object.assign(this, { root, part, combined: settings.text.combined, view, map, set });
    this.choices = [...root.querySelectorAll("[data-choice]")];
    this.looks = [...root.querySelectorAll("[data-look]")];
    this.levels = [...part.levels.children];
    this.kindNames = { picture: settings.plainKinds, heads: settings.kindNames };
    addKindButtons(part.kinds, settings, (kind) => set({ kind }));
    this.heads = new Heads(part.heads, settings.heads, (found, event) => this.enlarge(found, event));
    this.listen();
  }

  listen() {
    const { part, set } = this;
    part.layer.addEventListener("change", () => set({ layer: choiceOf(part.layer) }));
    part.head.addEventListener("change", () => set({ head: choiceOf(part.head) }));
    const second = () => set({ second: { layer: choiceOf(part.layer2), head: choiceOf(part.head2) } });
    for (const select of [part.layer2, part.head2]) select.addEventListener("change", second);
    part.measures.addEventListener("click", ({ target }) => target.value && set({ measure: target.value }));
    part.pair.addEventListener("change", () => set({ second: part.pair.checked ? this.neighbour() : null }));
    part.hide.addEventListener("change", () => set({ specials: !part.hide.checked }));
    for (const button of this.looks) button.addEventListener("click", () => set({ look: button.dataset.look }));
    for (const button of this.levels) {
      button.addEventListener("click", () => {
        store(LEVEL, button.dataset.level);
        set({ level: button.dataset.level });
      });
    }
    for (const control of this.choices) {
      control.addEventListener("change", () => set({ [control.dataset.choice]: valueOf(control) }));
    }
    part.overview.addEventListener("click", (event) => {
      const found = pick(part.overview, this.map(), event.offsetX, event.offsetY);
      if (found) this.enlarge(found, event);
    });
    dropPointerFocus(this.root);
    this.closeOptions();
  }

  /** With shift, as the second head where two are shown. */
  enlarge(found, { shiftKey }) {
    this.set(shiftKey && this.view().second ? { second: found } : found);
  }

  /** The options close as menus do: with Esc, or by a click elsewhere. */
  closeOptions() {
    const { options } = this.part;
    document.addEventListener("pointerdown", (event) => {
      if (!options.contains(event.target)) options.open = false;
    });
    options.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !options.open) return;
      event.preventDefault(); // pins are not let go with it
      options.open = false;
      options.querySelector("summary").focus();
    });
  }

  /** A second head to begin with: the next one of the same layer. */
  neighbour() {
    const { layer, head } = this.view();
    return { layer, head: typeof head === "number" ? (head + 1) % this.map().heads : 0 };
  }

  /** Offers the layers and heads of the kind in view, which may be fewer than those of another. */
  offer({ layers, heads }) {
    const key = `${layers} ${heads}`;
    if (key === this.offered) return;
    this.offered = key;
    this.heads.offer({ layers, heads });
    for (const name of ["layer", "layer2"]) this.part[name].replaceChildren(...this.options(layers, ACROSS));
    for (const name of ["head", "head2"]) this.part[name].replaceChildren(...this.options(heads, COMBINED));
  }

  options(count, together) {
    const numbers = numberLabels(count).map((number, i) => new Option(number, i));
    return [...together.map((how) => new Option(this.combined[how], how)), ...numbers];
  }

  /** A rollout is that of the mean of heads, and of weights. */
  limit(layer, head, { measure }) {
    head.disabled = layer.value === ROLLOUT;
    layer.options[ACROSS.indexOf(ROLLOUT)].disabled = measure === "length";
  }

  draw(view) {
    const { part } = this;
    this.offer(this.map());
    markPressed(part.kinds, view.kind);
    for (const button of this.levels) button.setAttribute("aria-pressed", button.dataset.level === view.level);
    const names = this.kindNames[view.level];
    for (const button of part.kinds.children) if (button.textContent !== names[button.value]) button.textContent = names[button.value];
    for (const button of this.looks) button.setAttribute("aria-pressed", button.dataset.look === view.look);
    for (const control of this.choices) {
      if (control.type === "checkbox") control.checked = view[control.dataset.choice];
      else control.value = view[control.dataset.choice];
    }
    this.heads.mark(view.second ? [view, view.second] : [view]);
    markPressed(part.measures, view.measure);
    part.layer.value = view.layer;
    part.head.value = view.head;
    this.limit(part.layer, part.head, view);
    part.pair.checked = view.second !== null;
    part.hide.checked = !view.specials;
    if (!view.second) return;
    part.layer2.value = view.second.layer;
    part.head2.value = view.second.head;
    this.limit(part.layer2, part.head2, view);
  }
}
