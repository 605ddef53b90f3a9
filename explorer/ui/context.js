// The sentence of Explore and its German so far, in two lines, for the tabs that follow it.

import { element } from "./element.js";
import { plainPiece } from "./text.js";

export class Context {
  /** `words` are CONTEXT of explorer/ui/words/ with the codes of both languages; `go(step)` is called when a German piece is clicked. */
  constructor(node, words, go) {
    Object.assign(this, { go, trace: null });
    const strip = (side) => element("span", { lang: words.codes[side], dir: words.directions[side], class: side });
    this.strips = { source: strip("source"), target: strip("target") };
    for (const [side, strip] of Object.entries(this.strips)) node.append(element("p", {}, element("b", {}, words[side]), strip));
    this.title = words.title;
  }

  /**
   * `query` and `key` are marked where they are given: { side, place }. On the German side place 0 is the start and
   * place i the piece predicted at step i - 1; what comes after `step` keeps its place unseen.
   */
  draw(trace, step, { query = { side: "target", place: step + 1 }, key = null } = {}) {
    if (trace !== this.trace) this.fill(trace);
    for (const [side, { children }] of Object.entries(this.strips)) {
      for (let place = 0; place < children.length; place++) {
        const { classList, style } = children[place], marked = (found) => found?.side === side && found.place === place;
        classList.toggle("current", marked(query));
        classList.toggle("key", marked(key));
        if (side === "target") style.visibility = place > step + 1 ? "hidden" : "";
      }
    }
  }

  fill(trace) {
    this.trace = trace;
    const { source, target } = this.strips;
    source.replaceChildren(...trace.source.map(shown));
    target.replaceChildren(...[trace.steps[0].fed, ...trace.steps.map(({ predicted }) => predicted)].map((piece, place) => {
      const node = shown(piece);
      node.title = this.title;
      node.addEventListener("click", () => this.go(Math.max(0, place - 1)));
      return node;
    }));
  }
}

/** A piece without its dot: what begins a word stands apart. */
function shown({ text, special, starts_word: starts }) {
  const node = element("span", {}, plainPiece(text));
  node.classList.toggle("special", special);
  node.classList.toggle("apart", starts || special);
  return node;
}
