// The guided flight as frames of a film or as pictures, of the run that is shown when it begins, whatever the tab shows
// later. Boards are laid out unseen in the size of the film, and are drawn as images.

import { BoardSet } from "../boards/board_set.js";
import { captionOf } from "../guide/captions.js";
import { plainText } from "../../../ui/segments.js";
import { FLIGHT_MS, stopsOf } from "../guide/stops.js";
import { largestProduct } from "../telling.js";
import { drawLegend } from "../legend.js";
import { Bitmaps } from "../picture/bitmaps.js";
import { boardsSeen } from "../picture/flight.js";
import { LayerTensors } from "../picture/layer_tensors.js";
import { layoutOf } from "../picture/layout.js";
import { drawPicture } from "../picture/picture.js";
import { WHOLE, boardOf, kindOf, levelOf } from "../place.js";
import { FRAME, STAGE, drawFrame } from "./frame.js";
import { momentAt, momentOfStop, timetableOf } from "./timetable.js";
import { contextOf } from "../../../ui/canvas.js";
import { element } from "../../../ui/element.js";
import { UserError } from "../../../ui/user_error.js";

/** @typedef {import("./frame.js").Drawn} Drawn */

/**
 * What was loaded of a stop.
 * @typedef {{ title: string, caption: string, legend: Drawn | null, boards: Record<string, Drawn> }} Still
 */

export class Reel {
  size = FRAME;
  /** The width of its film. */ pixels = 1920;
  duration = FLIGHT_MS;
  /** The run that is shown, with the fields of ShownRun. @type {any} */ shown = {};
  place = WHOLE;
  /** @type {import("../guide/stops.js").Stop[]} */ stops = [];
  /** @type {Still[]} By stop. */ stills = [];
  /** @type {import("../picture/view.js").PictureScene | null} */ scene = null;
  /** @type {import("./timetable.js").Shot[] | null} */ timetable = null;
  /** What the picture shows; while the film rests, it is drawn once. @type {any} */ drawn = null;
  /** @type {BoardSet | null} Laid out once: boards observe their size as long as the page lives. */ boards = null;
  /** @type {HTMLElement} */ node = element("section", { class: "tab-view whole filmed", inert: "" });
  legend = element("p", { class: "legend" });
  message = element("p");
  picture = element("canvas");

  /**
   * `nodes` are those of the tab's boards by name. `take()` promises the run that is shown with all that it needs, or
   * rejects with a UserError.
   * @param {HTMLElement} host
   * @param {Record<string, any>} nodes
   * @param {any} settings
   * @param {{ model: any, presentation: import("../presentation.js").Presentation, take: () => Promise<any> }} options
   */
  constructor(host, nodes, settings, { model, presentation, take }) {
    this.host = host;
    this.nodes = nodes;
    this.settings = settings;
    this.model = model;
    this.presentation = presentation;
    this.take = take;
  }

  build() {
    const { node, legend, settings, model, shown, message } = this;
    this.nodes = Object.fromEntries(Object.entries(this.nodes).map(([name, board]) => (
      [name, board.cloneNode(name === "output")])));
    const stage = element("div", { class: "stage" }, legend, ...Object.values(this.nodes));
    Object.assign(stage.style, { width: `${STAGE.width}px`, height: `${STAGE.height}px` });
    node.append(stage);
    drawLegend(legend, settings.text.legend, settings.config);
    this.tensors = new LayerTensors({ model, shown, message, failed: settings.text.failed });
    return new BoardSet(node, this.nodes, settings, {
      model,
      shown,
      message,
      place: () => this.place,
      go: () => {},
      onChange: () => {},
      find: () => {},
    });
  }

  /** Takes the run that is shown now; rejects with a UserError if it cannot be loaded. */
  async open() {
    const { settings: { config }, shown, host, node, legend, message } = this;
    message.textContent = "";
    Object.assign(shown, await this.take());
    this.boards ??= this.build();
    host.append(node);
    const legends = ["whole", "block"].map((level) => {
      node.dataset.level = level;
      return legend.offsetHeight;
    });
    const size = { width: STAGE.width, height: STAGE.height - Math.max(...legends) };
    legend.style.height = `${Math.max(...legends)}px`;
    const counts = { src: shown.trace.source.length, tgt: shown.trace.steps.length };
    this.scene = this.presentation.pictureScene(shown, layoutOf(config, counts, size), new Bitmaps());
    this.stops = await this.stopsOfRun();
    this.stills = [];
    this.timetable = null;
  }

  /** The stops of the run, one of which is chosen by the numbers of a head. */
  async stopsOfRun() {
    const { settings: { config }, shown, boards } = this;
    const context = { trace: shown.trace, step: shown.step, config };
    const { place } = stopsOf(context).find(({ key }) => key === "head");
    const tensors = await boards.headOf(place);
    this.refuse();
    return stopsOf({ ...context, largestProduct: (_, query, key) => largestProduct(tensors, query, key) });
  }

  /** Leaves nothing behind but empty boards. */
  close() {
    const { node, legend, picture } = this;
    node.remove();
    legend.style.height = "";
    this.stills = [];
    this.scene = null;
    this.drawn = null;
    Object.assign(picture, { width: 0, height: 0 });
  }

  /**
   * Loads a stop; `imageOf(node)` promises a part of the page as an image. Throws a UserError if the model does not
   * answer.
   * @param {number} index
   * @param {(node: HTMLElement) => Promise<Drawn>} imageOf
   */
  async load(index, imageOf) {
    const { stops, shown, node, nodes, boards, settings: { text } } = this;
    const { key, place, step } = stops[index];
    this.place = place;
    shown.step = step;
    node.dataset.level = levelOf(place);
    node.dataset.kind = kindOf(place) ?? (place.stack === "encoder" ? "encoder" : "decoder");
    const names = [boardOf(place), levelOf(place) === "number" ? "number" : null].filter(Boolean);
    for (const [name, board] of Object.entries(nodes)) {
      board.hidden = !names.includes(name);
      board.removeAttribute("style");
    }
    await this.tensors.load(() => place);
    this.refuse();
    await boards.draw(place);
    this.refuse();
    for (const name of names) enlarge(nodes[name]);
    const context = { ...this.presentation.captionContext(shown, boards, place), again: key === "again" };
    this.stills[index] = {
      title: text.tour.titles[key],
      caption: plainText(captionOf(place, context, text.captions)),
      legend: this.legend.offsetHeight ? await imageOf(this.legend) : null, // none on a projector
      boards: Object.fromEntries(await Promise.all(names.map(async (name) => [name, await imageOf(nodes[name])]))),
    };
  }

  /** Throws what the model's last answer was refused with, which the next answer would hide. */
  refuse() {
    const { message: { textContent } } = this;
    if (textContent) throw new UserError(textContent);
  }

  /** Forgets the images of a stop. */
  drop(index) {
    delete this.stills[index];
  }

  /** Draws a stop. @param {CanvasRenderingContext2D} context in pixels of `size` */
  drawStop(context, index) {
    this.draw(context, momentOfStop(this.scene, this.stops[index].place, index));
  }

  /** Draws a share of the film, which takes so many milliseconds; all stops are loaded. */
  drawShare(context, share, duration) {
    this.timetable ??= timetableOf(this.scene, this.stops.map(({ place }, i) => (
      { place, letters: this.stills[i].caption.length })), duration);
    this.draw(context, momentAt(this.timetable, share));
  }

  /** @param {CanvasRenderingContext2D} context */
  draw(context, { stop, viewpoint, place, boards }) {
    const { stills, stops, scene: { colours, font } } = this;
    const scene = { ...this.scene, step: stops[stop].step };
    const seen = boardsSeen(scene, viewpoint, place).map((board) => (
      { ...board, image: stills[board.name === "number" ? boards.ofNumber : boards.ofPlace].boards[board.name] }));
    if (this.drawn !== viewpoint) this.drawPicture(viewpoint.camera, scene, context.getTransform().a);
    this.drawn = viewpoint;
    const { title, caption, legend } = stills[stop];
    drawFrame(context, {
      title, caption, legend, boards: seen, picture: this.picture, position: `${stop + 1} / ${stops.length}`,
      colours: /** @type {any} */ (colours), font,
    });
  }

  drawPicture(camera, scene, scale) {
    const { picture } = this;
    const [width, height] = [scene.layout.width, scene.layout.height].map((pixels) => Math.round(pixels * scale));
    if (picture.width !== width || picture.height !== height) Object.assign(picture, { width, height });
    const context = contextOf(picture);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    drawPicture(context, camera, scene);
  }
}

/** Gives a board of text the room that it needs: a film does not scroll, but shows it smaller. Matrices always fit. */
function enlarge(board) {
  const { scrollHeight, clientHeight } = board;
  if (scrollHeight <= clientHeight) return;
  const percent = (100 * scrollHeight) / clientHeight;
  Object.assign(board.style, { right: "auto", bottom: "auto", width: `${percent}%`, height: `${percent}%` });
}
