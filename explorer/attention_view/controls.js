// The controls of the view: pickers and options show the view, and their changes change it.

import { headName } from "./head_names.js";
import { HeadButtons } from "./overview.js";
import { ROLLOUT } from "../derived/rollout.js";
import { button } from "../ui/element.js";
import { dropPointerFocus } from "../ui/page.js";
import { readStored, store } from "../ui/storage.js";
import { numberLabels, markPressed } from "../ui/tab.js";

const REDUCTIONS = ["mean", "max"];
const LAYER_CHOICES = [...REDUCTIONS, ROLLOUT]; // choices beside a single layer
const LEVEL_KEY = "level", LEVELS = ["picture", "heads"];

/** Adds a button for every kind of attention, which is also the key to its colour. */
function addKindButtons(parent, { kinds, kindNames }, choose) {
  for (const [kind, title] of Object.entries(kinds)) {
    parent.append(button(() => choose(kind), { value: kind, title, "data-hue": kind }, kindNames[kind]));
  }
}

/** Stores what the visitor chooses. */
export function chooseLevel(viewer, level) {
  store(LEVEL_KEY, level);
  viewer.set({ level });
}

/** The level of a view, else the one stored at an earlier visit, else "picture". */
export function chosenLevel(view) {
  const stored = readStored(LEVEL_KEY);
  return view.level ?? (LEVELS.includes(stored) ? stored : LEVELS[0]);
}

/** The choice in a select: a number, or a name such as "mean". */
function selectedChoice(select) {
  return LAYER_CHOICES.includes(select.value) ? select.value : Number(select.value);
}

/** The value of another control: a boolean, a number, or a name. */
function controlValue(control) {
  if (control.type === "checkbox") return control.checked;
  return control.dataset.choice === "speed" ? Number(control.value) : control.value;
}

export class Controls {
  /** `view()` returns the view, `map()` the weights of its kind of attention; `set` changes the view. */
  constructor(root, part, settings, { view, map, set }) {
    this.root = root;
    this.part = part;
    this.combined = settings.text.combined;
    this.view = view;
    this.map = map;
    this.set = set;
    this.choices = [...root.querySelectorAll("[data-choice]")];
    this.looks = [...root.querySelectorAll("[data-look]")];
    this.kindNames = { picture: settings.plainKinds, heads: settings.kindNames };
    addKindButtons(part.kinds, settings, (kind) => set({ kind }));
    const nameOf = (map, shownHeads) => headName(settings, map, shownHeads);
    this.heads = new HeadButtons(part.heads, settings.heads, nameOf, set);
    this.listen();
  }

  listen() {
    const { part, set } = this;
    part.layer.addEventListener("change", () => set({ layer: selectedChoice(part.layer) }));
    part.head.addEventListener("change", () => set({ head: selectedChoice(part.head) }));
    part.measures.addEventListener("click", ({ target }) => target.value && set({ measure: target.value }));
    part.hide.addEventListener("change", () => set({ specials: !part.hide.checked }));
    for (const button of this.looks) button.addEventListener("click", () => set({ look: button.dataset.look }));
    for (const control of this.choices) {
      control.addEventListener("change", () => set({ [control.dataset.choice]: controlValue(control) }));
    }
    dropPointerFocus(this.root);
  }

  /** Sets the options for the layers and heads of the shown kind; kinds may differ in their number. */
  offer(map) {
    this.heads.offer(map);
    const { layers, heads } = map;
    const key = `${layers} ${heads}`;
    if (key === this.offered) return;
    this.offered = key;
    this.part.layer.replaceChildren(...this.options(layers, LAYER_CHOICES));
    this.part.head.replaceChildren(...this.options(heads, REDUCTIONS));
  }

  options(count, reductions) {
    const numbers = numberLabels(count).map((number, i) => new Option(number, `${i}`));
    return [...reductions.map((reduction) => new Option(this.combined[reduction], reduction)), ...numbers];
  }

  /** Disables heads for a rollout, and the rollout for lengths. */
  limit(layer, head, { measure }) {
    head.disabled = layer.value === ROLLOUT;
    layer.options[LAYER_CHOICES.indexOf(ROLLOUT)].disabled = measure === "length";
  }

  draw(view) {
    const { part } = this;
    this.offer(this.map());
    markPressed(part.kinds, view.kind);
    const names = this.kindNames[view.level];
    for (const button of part.kinds.children) {
      if (button.textContent !== names[button.value]) button.textContent = names[button.value];
    }
    for (const button of this.looks) button.setAttribute("aria-pressed", button.dataset.look === view.look);
    for (const control of this.choices) {
      if (control.type === "checkbox") control.checked = view[control.dataset.choice];
      else control.value = view[control.dataset.choice];
    }
    this.heads.mark(view);
    markPressed(part.measures, view.measure);
    part.layer.value = view.layer;
    part.head.value = view.head;
    this.limit(part.layer, part.head, view);
    part.hide.checked = !view.specials;
  }
}
