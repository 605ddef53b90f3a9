// What viewer.css reads at the root of the view: what is shown, and how much room it needs.

const QUICK_MS = 150; // between two steps: faster ones, as while a key is held, are shown without motion
const LONG = 16; // pieces of a sentence; words of a longer one are written smaller

export class RootStyle {
  /** When which step was shown last. */
  shown = { step: -1, at: 0 };

  /** `views` hold the pictures. */
  constructor(root, views) {
    this.root = root;
    this.views = views;
  }

  /** Of a view, `maps` are those that are drawn, one or two; `isPair` says whether both are side by side. */
  draw(view, { submission, maps, isPair }) {
    const { level, kind, step } = view;
    Object.assign(this.root.dataset, { level, submission, kind, step: step + 1, pair: isPair });
    this.markQuickStep(step);
    this.setSizes(view, maps);
  }

  markQuickStep(step) {
    if (step === this.shown.step) return;
    const at = performance.now();
    this.root.toggleAttribute("data-quick", at - this.shown.at < QUICK_MS);
    this.shown = { step, at };
  }

  setSizes({ transposed: isTransposed }, maps) {
    const { root } = this;
    const most = (axis) => Math.max(...maps.map((map) => map[axis].length));
    const [down, along] = isTransposed ? ["keys", "queries"] : ["queries", "keys"];
    root.style.setProperty("--rows", most(down));
    root.style.setProperty("--heads", maps[0].heads);
    root.style.setProperty("--columns", most(along));
    root.toggleAttribute("data-long", most("keys") > LONG);
  }

  /** Says how far down the pictures begin, which take the rest of the window; forces a layout. */
  measureTop() {
    this.root.style.setProperty("--top", `${this.views.getBoundingClientRect().top + scrollY}px`);
  }
}
