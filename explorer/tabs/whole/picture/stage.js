// The stage: the canvas with the picture, the boards of heads and numbers that open out of it, and the flights between
// places. It knows the place and how to get there, not what is told about it.

import { unproject } from "./camera.js";
import { boardsSeen, cameraAt, durationOf, legsOf, lookAt, lookBetween } from "./flight.js";
import { headBoxes, ratioOf } from "./heads.js";
import { boxOf } from "./layout.js";
import { strongestKey } from "../guide/head_looks.js";
import { drawPicture } from "./picture.js";
import { BLOCKS, WHOLE, boardOf, isSamePlace, kindOf, levelOf, parentOf } from "../place.js";
import { MOVE_MS, pixelRatio, pointerPosition, registerDraw, wantsStillness } from "../../../ui/page.js";

export class Stage {
  /** @type {import("./view.js").Scene | null} */ scene = null;
  place = WHOLE;
  camera = null;
  /** How far the board of a number is open, from 0 to 1. */ openness = 0;
  /** The place whose board opens over its box. */ boardPlace = WHOLE;
  frame = null;
  flight = 0;
  /** Whether it is on its way to its place. */ isFlying = false;
  hovered = null;
  /** What the canvas showed at the step before, and since when it fades. */ before = null;

  /**
   * `boards` are nodes by name: head, feed, output, number. `prepare(place)` promises that a place's board is drawn;
   * `go(place)` and, on a word, `goToStep(step)` are what a click asks for; `onArrive()` is called at the end of each
   * flight.
   */
  constructor(node, canvas, boards, { prepare, go, goToStep, onArrive }) {
    this.node = node;
    this.canvas = canvas;
    this.boards = boards;
    this.prepare = prepare;
    this.onArrive = onArrive;
    registerDraw(canvas, (isVector) => this.scene && this.paint(isVector));
    this.listen(go, goToStep);
  }

  listen(go, goToStep) {
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => {
      const point = pointerPosition(canvas, event);
      const step = this.scene && !this.isFlying ? this.stepAt(point) : null;
      const target = this.scene && !this.isFlying && step === null ? this.targetAt(point) : null;
      canvas.classList.toggle("choosable", target !== null || step !== null);
      if ((target && this.hovered && isSamePlace(target, this.hovered)) || target === this.hovered) return;
      this.hovered = target;
      this.draw();
    });
    canvas.addEventListener("pointerleave", () => {
      this.hovered = null;
      this.draw();
    });
    canvas.addEventListener("click", (event) => {
      if (!this.scene) return;
      const point = pointerPosition(canvas, event);
      const [target, step] = [this.targetAt(point), this.stepAt(point)];
      if (step !== null) goToStep(step);
      else if (target) go(target);
    });
  }

  get size() {
    return { width: this.scene.layout.width, height: this.scene.layout.height };
  }

  /** Shows another scene at the same place; from one step the picture fades into that of the next. */
  setScene(scene) {
    const isOtherStep = this.scene && scene.layout === this.scene.layout && scene.step !== this.scene.step;
    if (isOtherStep && !this.isFlying && !this.canvas.hidden && !wantsStillness()) this.keepBefore();
    this.scene = scene;
    if (!this.isFlying) this.camera = cameraAt(scene, this.place);
    this.draw();
  }

  /** Keeps what the canvas shows. */
  keepBefore() {
    const { width, height } = this.canvas;
    const image = Object.assign(document.createElement("canvas"), { width, height });
    if (width && height) image.getContext("2d").drawImage(this.canvas, 0, 0);
    this.before = { image, start: performance.now() };
  }

  /** Draws what was there before over the picture, ever fainter. */
  drawBefore(context) {
    if (!this.before) return;
    const share = (performance.now() - this.before.start) / MOVE_MS;
    if (share >= 1 || this.isFlying) {
      this.before = null;
      return;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1 - share;
    context.drawImage(this.before.image, 0, 0);
    context.globalAlpha = 1;
    this.draw();
  }

  /** Flies to a place along the rails; without motion it is there at once. Resolves when it has arrived. */
  async go(place, { isAtOnce = false } = {}) {
    const number = this.flight += 1;
    cancelAnimationFrame(this.frame);
    const from = this.place;
    this.place = place;
    this.hovered = null;
    const ready = this.prepare(place);
    if (!isAtOnce && this.scene) this.warmUp(place);
    if (isAtOnce || wantsStillness()) {
      await ready;
      if (number !== this.flight) return;
      this.look(lookAt(this.scene, place));
    } else {
      this.isFlying = true;
      await this.fly(from, place, ready, number);
      if (number !== this.flight) return;
    }
    this.isFlying = false;
    this.showBoard(place);
    this.draw();
    this.onArrive();
  }

  /** @param {import("./flight.js").Look} look */
  look({ camera, openness }) {
    this.camera = camera;
    this.openness = openness;
  }

  /** Flies leg by leg; a board of the place where it sets out stays until one of its goal opens. */
  async fly(from, place, ready, number) {
    for (const { end, opens } of legsOf(from, place)) {
      if (opens) {
        await ready;
        this.showBoard(end);
      }
      if (number !== this.flight) return;
      await this.leg(end, number);
      if (number !== this.flight) return;
    }
  }

  /** Draws the goal once unseen, so that its bitmaps are there before the flight begins. */
  warmUp(place) {
    const unseen = Object.assign(document.createElement("canvas"), this.size);
    drawPicture(unseen.getContext("2d"), cameraAt(this.scene, { ...place, head: null }), this.scene);
  }

  /** Moves to one place on the way. */
  leg(place, number) {
    const from = { camera: this.camera, openness: this.openness };
    const to = lookAt(this.scene, place);
    const duration = durationOf(from, to);
    return new Promise((/** @type {(nothing?: any) => void} */ resolve) => {
      const start = performance.now();
      const tick = (now) => {
        if (number !== this.flight) return resolve();
        const time = Math.min(1, Math.max(0, (now - start) / duration));
        this.look(lookBetween(from, to, time));
        this.paint();
        if (time === 1) return resolve();
        this.frame = requestAnimationFrame(tick);
      };
      this.frame = requestAnimationFrame(tick);
    });
  }

  /** Draws at the next frame. */
  draw() {
    if (!this.scene || this.isFlying || this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (!this.isFlying && this.node.offsetParent) this.paint();
    });
  }

  /** @param {boolean} [isVector] for a saved picture, which shows no more than the stage does */
  paint(isVector = false) {
    const { canvas, scene } = this;
    const ratio = pixelRatio();
    const [width, height] = [this.size.width, this.size.height].map((pixels) => Math.round(pixels * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (isVector) {
      context.beginPath();
      context.rect(0, 0, this.size.width, this.size.height);
      context.clip();
    }
    drawPicture(context, this.camera, { ...scene, hovered: isVector ? null : this.hovered });
    if (!isVector) this.drawBefore(context);
    this.placeBoards();
  }

  /** Puts each board over its box, and lets it appear as the box fills the stage. */
  placeBoards() {
    const seen = boardsSeen(this.scene, this, this.boardPlace);
    for (const [name, node] of Object.entries(this.boards)) {
      const board = seen.find((one) => one.name === name);
      node.hidden = !board;
      node.inert = this.isFlying || !board || board.opacity < 1;
      if (!board) continue;
      node.style.opacity = `${board.opacity}`;
      node.style.transform = `translate(${board.left}px, ${board.top}px) scale(${board.x}, ${board.y})`;
    }
    this.canvas.hidden = seen.some(({ opacity }) => opacity === 1); // such a board fills the stage
  }

  /** Shows the board of a place; the canvas is enough where it has none. */
  showBoard(place) {
    this.boardPlace = place;
  }

  /** The step of the German word under a point of the whole, where it is read or written; null if there is none. */
  stepAt({ x, y }) {
    const { place, scene: { layout, step } } = this;
    const { decoder, labels, output, pitch } = layout;
    if (levelOf(place) !== "whole" || (x > labels + 4 && x < output.from)) return null;
    const lane = Math.floor((y - decoder.top) / pitch);
    return lane >= 0 && lane <= step && (lane < step || x <= labels + 4) ? lane : null;
  }

  /** The place one level further in under a point of the stage; null if there is none. */
  targetAt(point) {
    const { place, scene: { layout, config, trace }, camera } = this;
    const level = levelOf(place);
    if (boardOf(place) !== null || level === "number") return null;
    const isIn = ({ left, top, width, height }, { x, y }) => x >= left && x <= left + width && y >= top
      && y <= top + height;
    const at = unproject(camera, point);
    const inside = (one) => isIn(boxOf(layout, one), at);
    if (level === "whole") {
      const layers = /** @type {Stack[]} */ (["encoder", "decoder"]).flatMap((stack) => (
        [{ ...WHOLE, stack, block: "embedding" }, ...layersOf(stack, config.layers[stack])]));
      return layers.find(inside) ?? (inside({ ...WHOLE, stack: "output" }) ? { ...WHOLE, stack: "output" } : null)
        ?? (at.y > layout.encoder.bottom && at.y < layout.decoder.top - 20 ? { ...WHOLE, stack: "memory" } : null);
    }
    if (level === "layer") return BLOCKS[place.stack].map((block) => ({ ...place, block })).find(inside) ?? null;
    const kind = kindOf(place);
    if (kind === null) return null;
    const map = trace.kinds[kind];
    const boxes = headBoxes(layout, place, camera, { heads: map.heads, ratio: ratioOf(map) });
    const head = boxes.findIndex((box) => isIn({ ...box, top: box.top - 18, height: box.height + 22 }, point));
    return head < 0 ? null : { ...place, head };
  }

  /** The place that "+" leads to: towards the row of the step. */
  inward() {
    const { place, scene: { config, trace, step } } = this;
    switch (levelOf(place)) {
      case "whole": return { ...WHOLE, stack: "decoder", layer: config.layers.decoder - 1 };
      case "layer": return { ...place, block: place.stack === "decoder" ? "cross" : "self" };
      case "block": return kindOf(place) === null ? null : { ...place, head: 0 };
      case "head": {
        const row = place.stack === "decoder" ? step : 0;
        const map = trace.kinds[kindOf(place)];
        const weights = map.one(place.layer, place.head)[row];
        return { ...place, part: "weights", row, column: strongestKey(weights) };
      }
      default: return null;
    }
  }

  outward() {
    return parentOf(this.place);
  }
}

function layersOf(stack, count) {
  return Array.from({ length: count }, (_, layer) => ({ ...WHOLE, stack, layer }));
}
