// Two lines with the sentence and its translation so far.

import { element } from "../../ui/element.js";
import { plainPiece } from "../../ui/text.js";

export class Context {
  trace = null;

  /**
   * `words` are CONTEXT with the codes and directions of both languages; a click on a target piece calls `go(step)`.
   */
  constructor(node, words, go) {
    this.go = go;
    const strip = (side) => element("span", { lang: words.codes[side], dir: words.directions[side], class: side });
    this.strips = { source: strip("source"), target: strip("target") };
    for (const [side, strip] of Object.entries(this.strips)) {
      node.append(element("p", {}, element("b", {}, words[side]), strip));
    }
    this.title = words.title;
  }

  /**
   * Draws a trace up to a step and marks `query` and `key`, each { side, place } or null. On the target side place 0 is
   * the start token and place i the piece predicted at step i - 1; later pieces are grey.
   */
  draw(trace, step, { query = { side: "target", place: step + 1 }, key = null } = {}) {
    if (trace !== this.trace) this.fill(trace);
    for (const [side, { children }] of Object.entries(this.strips)) {
      for (let place = 0; place < children.length; place++) {
        const { classList } = children[place];
        const isMarked = (position) => position?.side === side && position.place === place;
        classList.toggle("current", isMarked(query));
        classList.toggle("key", isMarked(key));
        classList.toggle("later", side === "target" && place > step + 1);
      }
    }
  }

  fill(trace) {
    this.trace = trace;
    const { source, target } = this.strips;
    source.replaceChildren(...trace.source.map(pieceNode));
    target.replaceChildren(
      ...[trace.steps[0].fed, ...trace.steps.map(({ predicted }) => predicted)].map((piece, place) => {
        const node = pieceNode(piece);
        node.title = this.title;
        node.addEventListener("click", () => this.go(Math.max(0, place - 1)));
        return node;
      }),
    );
  }
}

/** A node with the text of a piece; a gap instead of a dot marks the start of a word. */
function pieceNode({ text, special, starts_word: starts }) {
  const node = element("span", {}, plainPiece(text));
  node.classList.toggle("special", special);
  node.classList.toggle("apart", starts || special);
  return node;
}
