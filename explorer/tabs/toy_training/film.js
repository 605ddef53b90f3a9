// The film of the tab Train one: how the page's own translator learned one sentence, before a visitor trains a model.

import { StoryFault, fetchStory, hasEnd } from "../../derived/story.js";
import { formatInteger, formatPercent } from "../../ui/numbers.js";
import { theme, wantsStillness } from "../../ui/page.js";
import { FileError } from "../../ui/packed_files.js";
import { fill, plainPiece } from "../../ui/text.js";
import { Transport } from "../../ui/transport.js";
import { drawMap } from "./chart.js";

const MOMENTS_PER_SECOND = 1;

/** @typedef {import("../../derived/story.js").Story} Story */

export class Film {
  /** @type {HTMLElement} */ node;
  /** @type {Record<string, any>} */ part;
  /** @type {Story | null} Null before it is loaded. */ story = null;
  /** @type {number} The moment that is shown; the last one says what it came to. */ moment = 0;
  text;
  colours;

  /** `text` has its words, `colours` are those of the tab by theme. */
  constructor(node, { text, colours }) {
    this.node = node;
    this.text = text;
    this.colours = colours;
    this.part = Object.fromEntries([...node.querySelectorAll("[data-film]")].map((one) => [one.dataset.film, one]));
  }

  /**
   * Loads the story and plays it once, as soon as it is in view; shows its end where motion is not wanted. The film
   * stays away where the story cannot be shown: the tab About says why.
   */
  async load(url) {
    try {
      this.story = await fetchStory(url, { stopped: "", labels: {}, tokenNames: this.text.tokenNames });
    } catch (error) {
      if (error instanceof StoryFault || error instanceof FileError) return;
      throw error;
    }
    this.moment = this.last;
    this.part.moment.max = this.last + 1;
    this.part.moment.addEventListener("input", () => this.goTo(Number(this.part.moment.value) - 1));
    const transport = new Transport(this.node, {
      readPosition: () => ({ step: this.moment, last: this.last, speed: MOMENTS_PER_SECOND }),
      goTo: (moment) => this.goTo(moment),
    });
    this.node.hidden = false;
    this.draw();
    if (!wantsStillness()) this.whenInView(() => transport.play());
  }

  /** Calls `play` once, when most of the film is in view. */
  whenInView(play) {
    const observer = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      observer.disconnect();
      play();
    }, { threshold: 0.5 });
    observer.observe(this.node);
  }

  get last() {
    return this.story.moments.length - 1;
  }

  goTo(moment) {
    this.moment = Math.max(0, Math.min(moment, this.last));
    this.draw();
  }

  /** Draws the moment: what the model writes by itself, and where it looks while it is fed the final translation. */
  draw() {
    if (!this.node.offsetParent || !this.story) return;
    const { story, moment, part, text } = this;
    const own = story.trace({ sentence: 0, moment, forced: false });
    const forced = story.trace({ sentence: 0, moment, forced: true });
    const { step } = story.moments[moment];
    part.source.textContent = story.sentences[0].sentence;
    part.target.textContent = hasEnd(own) ? own.translation : `${own.translation} …`;
    const where = fill(text.moment, { number: moment + 1, count: this.last + 1, step: formatInteger(step) });
    part.where.textContent = where;
    part.moment.value = moment + 1;
    part.moment.setAttribute("aria-valuetext", where);
    this.drawMap(forced, where);
    this.node.dataset.moment = `${moment + 1}`;
  }

  /** Draws the cross-attention, the mean of the last layer's heads. */
  drawMap({ source, steps, kinds: { cross } }, where) {
    const colours = this.colours[theme()];
    const labels = {
      rows: steps.map(({ predicted }) => plainPiece(predicted.text)),
      columns: source.map((piece) => plainPiece(piece.text)),
      wrong: steps.map(() => false),
    };
    const rows = cross.matrix(cross.layers - 1, "mean").map((row) => [...row]);
    drawMap(this.part.map, labels, rows, {
      colours,
      colour: colours.cross,
      describeCell: (row, column, weight) => fill(this.text.cell, {
        query: labels.rows[row], key: labels.columns[column], percent: formatPercent(weight),
      }),
      label: where,
    });
  }
}
