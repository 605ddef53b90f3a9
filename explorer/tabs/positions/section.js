// A section of Positions: its figures and texts are the server's answer to one request.

import { loadPlotly } from "../../ui/libraries.js";
import { RequestCache } from "../../ui/request_cache.js";

const MAX_CACHED_ANSWERS = 12; // a large one has a hundred thousand numbers
const CONFIG = { displaylogo: false, modeBarButtons: [["resetScale2d"]] }; // the button and the key 0 reset the zoom

export class Section {
  /** `serve(request)` promises the answer's text; `request()` returns the current request, null if there is none. */
  constructor(root, serve, request, { plotly, text: { failed } }) {
    Object.assign(this, { root, request, plotly, failed, isBusy: false, drawnContents: new Map() });
    this.answers = new RequestCache(serve, MAX_CACHED_ANSWERS, JSON.parse);
    this.message = root.querySelector(".message");
    this.texts = [...root.querySelectorAll("[data-text]")];
    this.figures = [...root.querySelectorAll("[data-figure]")];
  }

  /** Requests and draws the section; changes during a request lead to one more request, for the last of them. */
  async show() {
    if (this.isBusy || !this.root.offsetParent || !this.request()) return;
    this.isBusy = true;
    await null; // combines simultaneous changes into one request
    let answer;
    do answer = await this.answers.latest(this.request, this.message, this.failed);
    while (answer === undefined);
    this.isBusy = false;
    const isRefused = answer === null || answer.error !== undefined;
    this.root.classList.toggle("refused", isRefused);
    if (!isRefused) this.draw(answer);
  }

  draw({ texts, figures }) {
    for (const node of this.texts) {
      const html = texts[node.dataset.text]; // trusted: our texts with numbers
      if (this.drawnContents.get(node) !== html) node.innerHTML = html;
      this.drawnContents.set(node, html);
    }
    for (const node of this.figures) this.drawFigure(node, figures[node.dataset.figure]);
  }

  /** Draws a figure as wide as its node; skips unchanged figures, so that a zoom stays. */
  async drawFigure(node, figure) {
    node.hidden = !figure;
    if (!figure) return;
    const Plotly = await loadPlotly(this.plotly), width = node.clientWidth, previous = this.drawnContents.get(node);
    if (!width || (previous?.figure === figure && previous.width === width)) return;
    this.drawnContents.set(node, { figure, width });
    const { data, layout } = structuredClone(figure); // Plotly modifies its arguments
    const modebar = { bgcolor: layout.paper_bgcolor }; // Plotly's own is half black
    Plotly.react(node, data, { ...layout, width, modebar }, CONFIG);
  }
}
