// The stage: the canvas with the picture, the boards of heads and numbers that open out of it, and the flights between
// places. It knows the place and how to get there, not what is told about it.

import { between, cameraOn, ease, legMs, project, railsBetween, unproject } from "./camera.js";
import { headBoxes } from "./heads.js";
import { boxOf } from "./layout.js";
import { strongestKey } from "../guide/head_looks.js";
import { drawPicture } from "./picture.js";
import { isSameLane } from "./pointed.js";
import { laneAt, stepAt, targetAt } from "./targets.js";
import { TokenButtons } from "./token_buttons.js";
import { WHOLE, boardOf, isSamePlace, kindOf, levelOf, parentOf, isWithin } from "../place.js";
import { MOVE_MS, pixelRatio, pointerPosition, registerDraw, wantsStillness } from "../../../ui/page.js";

const SEEN_FROM = 0.3, SEEN_TO = 0.75; // shares of the stage's width between which a board appears
const NUMBER_MS = 500; // of a number's board to open

export class Stage {
  /** @type {import("./view.js").Scene | null} */ scene = null;
  place = WHOLE;
  camera = null;
  /** How far the board of a number is open, from 0 to 1. */ openness = 0;
  frame = null;
  flight = 0;
  /** Whether it is on its way to its place. */ isFlying = false;
  hovered = null;
  /** The lane whose ribbons alone are strong. @type {import("./pointed.js").Lane | null} */ pointed = null;
  /** What the canvas showed at the step before, and since when it fades. */ before = null;

  /**
   * `boards` are nodes by name: head, feed, output, number; `tokens` is that of the buttons over the tokens' names,
   * `words` are theirs. `prepare(place)` promises that a place's board is drawn; `go(place)`, `goToStep(step)` and, to
   * hide a token or show it again, `toggle(token)` are what a click asks for; `onArrive()` is called at the end of each
   * flight.
   */
  constructor(node, { canvas, tokens, boards, words }, { prepare, go, goToStep, toggle, onArrive }) {
    this.node = node;
    this.canvas = canvas;
    this.boards = boards;
    this.prepare = prepare;
    this.onArrive = onArrive;
    registerDraw(canvas, (isVector) => this.scene && this.paint(isVector));
    this.tokens = new TokenButtons(tokens, words, { point: (lane) => this.point(lane), goToStep, toggle });
    this.listen(go, goToStep);
  }

  listen(go, goToStep) {
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => {
      const point = pointerPosition(canvas, event);
      this.point(this.scene && !this.isFlying ? laneAt(this, point) : null);
      const step = this.scene && !this.isFlying ? stepAt(this, point) : null;
      const target = this.scene && !this.isFlying && step === null ? targetAt(this, point) : null;
      canvas.classList.toggle("choosable", target !== null || step !== null);
      if ((target && this.hovered && isSamePlace(target, this.hovered)) || target === this.hovered) return;
      this.hovered = target;
      this.draw();
    });
    canvas.addEventListener("pointerleave", () => {
      this.hovered = null;
      this.point(this.tokens.shown);
      this.draw();
    });
    canvas.addEventListener("click", (event) => {
      if (!this.scene) return;
      const point = pointerPosition(canvas, event);
      const [target, step] = [targetAt(this, point), stepAt(this, point)];
      if (step !== null) goToStep(step);
      else if (target) go(target);
    });
  }

  /** Shows a lane's ribbons strongly, or all as they are. @param {import("./pointed.js").Lane | null} lane */
  point(lane) {
    if (isSameLane(lane, this.pointed)) return;
    this.pointed = lane;
    this.draw();
  }

  get size() {
    return { width: this.scene.layout.width, height: this.scene.layout.height };
  }

  /** Shows another scene at the same place; from one step the picture fades into that of the next. */
  setScene(scene) {
    const isOtherStep = this.scene && scene.layout === this.scene.layout && scene.step !== this.scene.step;
    if (isOtherStep && !this.isFlying && !this.canvas.hidden && !wantsStillness()) this.keepBefore();
    this.scene = scene;
    if (!this.isFlying) this.camera = this.cameraAt(this.place);
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

  /** The camera at a place: its box fills the stage; a head's is its map in the block. */
  cameraAt(place) {
    const { layout } = this.scene;
    const block = place.head === null ? place : { ...place, head: null, part: null };
    const camera = cameraOn(boxOf(layout, block), this.size);
    if (place.head === null) return camera;
    const box = headBoxes(this.scene, block, camera)[place.head];
    const corner = unproject(camera, { x: box.left, y: box.top });
    return cameraOn({ ...corner, left: corner.x, top: corner.y, width: box.width / camera.kx,
      height: box.height / camera.ky }, this.size);
  }

  /** Flies to a place along the rails; without motion it is there at once. Resolves when it has arrived. */
  async go(place, { isAtOnce = false } = {}) {
    const number = this.flight += 1;
    cancelAnimationFrame(this.frame);
    const from = this.place;
    this.place = place;
    this.hovered = null;
    this.point(null);
    const ready = this.prepare(place);
    if (!isAtOnce && this.scene) this.warmUp(place);
    if (isAtOnce || wantsStillness()) {
      await ready;
      if (number !== this.flight) return;
      this.camera = this.cameraAt(place);
      this.openness = levelOf(place) === "number" ? 1 : 0;
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

  /** Flies leg by leg; a board of the place where it sets out stays until one of its goal opens. */
  async fly(from, place, ready, number) {
    for (const stop of railsBetween(from, place, (one) => boardOf(one) !== null || levelOf(one) === "number")) {
      const isInward = isWithin(place, stop);
      if (isInward && (boardOf(stop) !== null || levelOf(stop) === "number")) {
        await ready;
        this.showBoard(stop);
      }
      if (number !== this.flight) return;
      await this.leg(stop, number);
      if (number !== this.flight) return;
    }
  }

  /** Draws the goal once unseen, so that its bitmaps are there before the flight begins. */
  warmUp(place) {
    const unseen = Object.assign(document.createElement("canvas"), this.size);
    drawPicture(unseen.getContext("2d"), this.cameraAt({ ...place, head: null }), this.scene);
  }

  /** Moves to one place on the way. */
  leg(place, number) {
    const from = { camera: this.camera, openness: this.openness };
    const to = { camera: this.cameraAt(place), openness: levelOf(place) === "number" ? 1 : 0 };
    const duration = Math.max(legMs(from.camera, to.camera), from.openness === to.openness ? 0 : NUMBER_MS);
    return new Promise((/** @type {(nothing?: any) => void} */ resolve) => {
      const start = performance.now();
      const tick = (now) => {
        if (number !== this.flight) return resolve();
        const time = Math.min(1, Math.max(0, (now - start) / duration));
        const share = ease(time);
        this.camera = between(from.camera, to.camera, share);
        this.openness = from.openness + share * (to.openness - from.openness);
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
    const { hovered, pointed } = this;
    drawPicture(context, this.camera, isVector ? scene : { ...scene, hovered, pointed });
    if (!isVector) this.drawBefore(context);
    this.placeBoards();
    this.tokens.draw(this.isFlying || canvas.hidden ? null : { ...scene, pointed }, this.camera);
  }

  /** Puts each board over its box, and lets it appear as the box fills the stage. */
  placeBoards() {
    const { boards, camera, openness, size } = this;
    let isCovered = false; // the canvas, by a board that fills the stage
    for (const [name, node] of Object.entries(boards)) {
      let seen = 0;
      if (name === "number") {
        seen = openness;
        node.style.transform = `scale(${0.4 + 0.6 * openness})`;
      } else if (this.boardShown === name) {
        const box = project(camera, this.worldBox());
        const [x, y] = [box.width / size.width, box.height / size.height];
        seen = (Math.min(x, y) - SEEN_FROM) / (SEEN_TO - SEEN_FROM);
        node.style.transform = `translate(${box.left}px, ${box.top}px) scale(${x}, ${y})`;
      }
      const isUnderNumber = openness === 1 && name !== "number";
      const opacity = isUnderNumber ? 0 : Math.min(1, Math.max(0, seen));
      node.hidden = opacity === 0;
      node.style.opacity = `${opacity}`;
      if (opacity === 1) isCovered = true;
      node.inert = this.isFlying || opacity < 1;
    }
    this.canvas.hidden = isCovered;
  }

  /** Shows the board of a place; the canvas is enough where it has none. */
  showBoard(place) {
    this.boardShown = boardOf(place);
    this.boardPlace = place;
  }

  /** The box that the shown board fills, in the picture. */
  worldBox() {
    const { kx, ky, dx, dy } = this.cameraAt(this.boardPlace);
    return { left: -dx / kx, top: -dy / ky, width: this.size.width / kx, height: this.size.height / ky };
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
        if (!map.ready) return null;
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
