// A section of Positions: its figures and texts are the server's answer to one question.

import { loadPlotly } from "../../ui/libraries.js";
import { RequestCache } from "../../ui/request_cache.js";

const KEPT = 12; // answers; a large one has a hundred thousand numbers
const CONFIG = { displaylogo: false, modeBarButtons: [["resetScale2d"]] }; // the button, and the key 0, end a zoom

export class Section {
  /** `serve(request)` promises the answer's text; `request()` is what to ask for now, null as long as that is nothing. */
  constructor(root, serve, request, { plotly, text: { failed } }) {
    Object.assign(this, { root, request, plotly, failed, busy: false, drawn: new Map() });
    this.answers = new RequestCache(serve, KEPT, JSON.parse);
    this.message = root.querySelector(".message");
    this.texts = [...root.querySelectorAll("[data-text]")];
    this.figures = [...root.querySelectorAll("[data-figure]")];
  }

  /** Shows what is chosen; while an answer is awaited, nothing is asked, and of the choices made meanwhile the last one counts. */
  async show() {
    if (this.busy || !this.root.offsetParent || !this.request()) return;
    this.busy = true;
    await null; // what changes at once is asked for at once
    let answer;
    do answer = await this.answers.latest(this.request, this.message, this.failed);
    while (answer === undefined);
    this.busy = false;
    const refused = answer === null || answer.error !== undefined;
    this.root.classList.toggle("refused", refused);
    if (!refused) this.draw(answer);
  }

  draw({ texts, figures }) {
    for (const node of this.texts) {
      const html = texts[node.dataset.text]; // words of ours with numbers in them
      if (this.drawn.get(node) !== html) node.innerHTML = html;
      this.drawn.set(node, html);
    }
    for (const node of this.figures) this.drawFigure(node, figures[node.dataset.figure]);
  }

  /** A figure of figures.py as wide as its place; drawn again only where that changes something, so that a zoom stays. */
  async drawFigure(node, figure) {
    node.hidden = !figure;
    if (!figure) return;
    const Plotly = await loadPlotly(this.plotly), width = node.clientWidth, drawn = this.drawn.get(node);
    if (!width || (drawn?.figure === figure && drawn.width === width)) return;
    this.drawn.set(node, { figure, width });
    const { data, layout } = structuredClone(figure); // Plotly writes into what it is given
    Plotly.react(node, data, { ...layout, width }, CONFIG);
  }
}
