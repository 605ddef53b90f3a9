// The stage: the canvas with the picture, the boards of heads and numbers that open out of it, and the flights between
// places. It knows the place and how to get there, not what is told about it.

import { boardsSeen, cameraAt, durationOf, legsOf, viewpointAt, viewpointBetween } from "./flight.js";
import { drawPicture } from "./picture.js";
import { isSameLane, isThere } from "./pointed.js";
import { laneAt, stepAt, targetAt } from "./targets.js";
import { TokenButtons } from "./token_buttons.js";
import { WHOLE, isSamePlace, parentOf } from "../place.js";
import { tellingPlace } from "../telling.js";
import { contextOf } from "../../../ui/canvas.js";
import { MOVE_MS, pixelRatio, pointerPosition, registerDraw, wantsStillness } from "../../../ui/page.js";
import { registerWork } from "../../../ui/rest.js";

/** @typedef {import("./view.js").PictureScene} PictureScene */
/** @typedef {import("../place.js").Place} Place */

/** @param {HTMLElement} board */
function scrollToTop(board) {
  for (const node of [board, ...board.querySelectorAll(".board-stage")]) node.scrollTop = 0;
}

export class Stage {
  /** @type {PictureScene | null} */ scene = null;
  place = WHOLE;
  /** @type {import("./camera.js").Camera | null} */ camera = null;
  /** How far the board of a number is open, from 0 to 1. */ openness = 0;
  /** The place whose board opens over its box. */ boardPlace = WHOLE;
  /** The boards that show another place than before, and do so from their top on. @type {Set<string>} */
  fresh = new Set();
  /** @type {number | null} */ frame = null;
  flight = 0;
  /** Whether it is on its way to its place. */ isFlying = false;
  /** Whether the next frame draws it. */ isDue = false;
  /** @type {Place | null} */ hovered = null;
  /** The lane whose ribbons alone are strong. @type {import("./pointed.js").Lane | null} */ pointed = null;
  /** What the canvas showed at the step before, and since when it fades. */
  /** @type {{ image: HTMLCanvasElement, start: number } | null} */ before = null;

  /**
   * `boards` are nodes by name: head, feed, neuron, output, number; `tokens` is that of the buttons over the tokens'
   * names, `words` are theirs. `prepare(place)` promises that a place's board is drawn; `go(place)`, `goToStep(step)`
   * and, to hide a token or show it again, `toggle(token)` are what a click asks for; `onArrive()` is called at the end
   * of each flight.
   * @param {HTMLElement} node
   * @param {{ canvas: HTMLCanvasElement, tokens: HTMLElement, boards: Record<string, HTMLElement>,
   *   words: { tokens: string, hide: string, show: string } }} parts
   * @param {{ prepare: (place: Place) => Promise<void>, go: (place: Place) => void, goToStep: (step: number) => void,
   *   toggle: (token: number) => void, onArrive: () => void }} options
   */
  constructor(node, { canvas, tokens, boards, words }, { prepare, go, goToStep, toggle, onArrive }) {
    this.node = node;
    this.canvas = canvas;
    this.boards = boards;
    this.prepare = prepare;
    this.onArrive = onArrive;
    registerDraw(canvas, (/** @type {boolean} */ isVector) => this.scene && this.paint(isVector));
    this.tokens = new TokenButtons(tokens, words, { point: (lane) => this.point(lane), goToStep, toggle });
    this.listen(go, goToStep);
    registerWork("stage", () => this.isFlying || this.isDue);
  }

  /**
   * @param {(place: Place) => void} go
   * @param {(step: number) => void} goToStep
   */
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

  /**
   * Shows a lane's ribbons strongly, or all as they are. Until the next frame the buttons are those of the scene
   * before, whose lanes may be more.
   * @param {import("./pointed.js").Lane | null} lane
   */
  point(lane) {
    const shown = lane && this.scene && isThere(lane, this.scene) ? lane : null;
    if (isSameLane(shown, this.pointed)) return;
    this.pointed = shown;
    this.draw();
  }

  get size() {
    return { width: this.scene.layout.width, height: this.scene.layout.height };
  }

  /**
   * Shows another scene at the same place; from one step the picture fades into that of the next.
   * @param {PictureScene} scene
   */
  setScene(scene) {
    const isOtherStep = this.scene && scene.trace === this.scene.trace && scene.step !== this.scene.step;
    if (isOtherStep && !this.isFlying && !this.canvas.hidden && !wantsStillness()) this.keepBefore();
    this.scene = scene;
    if (!isThere(this.pointed, scene)) this.tokens.show(null);
    if (!isThere(this.pointed, scene)) this.point(null);
    if (!this.isFlying) this.setViewpoint(viewpointAt(scene, this.place));
    this.draw();
  }

  /** Keeps what the canvas shows. */
  keepBefore() {
    const { width, height } = this.canvas;
    const image = Object.assign(document.createElement("canvas"), { width, height });
    if (width && height) contextOf(image).drawImage(this.canvas, 0, 0);
    this.before = { image, start: performance.now() };
  }

  /**
   * Draws what was there before over the picture, ever fainter.
   * @param {CanvasRenderingContext2D} context
   */
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

  /**
   * Flies to a place along the rails, or slides to a neighbour; without motion it is there at once. Resolves when it
   * has arrived.
   * @param {Place} place
   */
  async go(place, { isAtOnce = false, isBeside = false } = {}) {
    const number = this.flight += 1;
    cancelAnimationFrame(this.frame);
    const from = this.place;
    this.place = place;
    this.hovered = null;
    this.tokens.show(null);
    this.point(null);
    const ready = this.prepare(place);
    if (!isAtOnce && this.scene) this.warmUp(place);
    if (isAtOnce || wantsStillness()) {
      await ready;
      if (number !== this.flight) return;
      this.setViewpoint(viewpointAt(this.scene, place));
    } else {
      this.isFlying = true;
      try {
        await this.fly(isBeside ? [{ end: place, opens: true }] : legsOf(from, place), ready, number);
      } finally {
        if (number === this.flight) this.isFlying = false;
      }
      if (number !== this.flight) return;
    }
    this.isFlying = false; // another flight may have begun it
    this.showBoard(place);
    this.draw();
    this.onArrive();
  }

  /**
   * Is at a place without a flight, also in the midst of one; the next scene draws it.
   * @param {Place} place
   */
  stay(place) {
    this.flight += 1;
    cancelAnimationFrame(this.frame);
    this.isFlying = false;
    this.place = this.boardPlace = place;
  }

  /** @param {import("./flight.js").Viewpoint} viewpoint */
  setViewpoint({ camera, openness }) {
    this.camera = camera;
    this.openness = openness;
  }

  /**
   * Flies leg by leg; a board of the place where it sets out stays until one of its goal opens.
   * @param {ReturnType<typeof legsOf>} legs
   * @param {Promise<void>} ready
   * @param {number} number of the flight
   */
  async fly(legs, ready, number) {
    for (const { end, opens } of legs) {
      if (opens) {
        await ready;
        this.showBoard(end);
      }
      if (number !== this.flight) return;
      await this.leg(end, number);
      if (number !== this.flight) return;
    }
  }

  /**
   * Draws the goal once unseen, so that its bitmaps are there before the flight begins.
   * @param {Place} place
   */
  warmUp(place) {
    const unseen = Object.assign(document.createElement("canvas"), this.size);
    drawPicture(contextOf(unseen), cameraAt(this.scene, { ...place, head: null }), this.scene);
  }

  /**
   * Moves to one place on the way.
   * @param {Place} place
   * @param {number} number of the flight
   */
  leg(place, number) {
    const from = { camera: this.camera, openness: this.openness };
    const to = viewpointAt(this.scene, place);
    const duration = durationOf(from, to);
    if (duration === 0) return Promise.resolve();
    return new Promise((/** @type {(nothing?: any) => void} */ resolve) => {
      const start = performance.now();
      const tick = (/** @type {number} */ now) => {
        if (number !== this.flight) return resolve();
        const time = Math.min(1, Math.max(0, (now - start) / duration));
        this.setViewpoint(viewpointBetween(from, to, time));
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
    const context = contextOf(canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (isVector) {
      context.beginPath();
      context.rect(0, 0, this.size.width, this.size.height);
      context.clip();
    }
    const { hovered, pointed } = this;
    drawPicture(context, this.camera, isVector ? scene : { ...scene, hovered, pointed });
    if (!isVector) this.drawBefore(context);
    this.moveBoards();
    this.tokens.draw(this.isFlying || canvas.hidden ? null : { ...scene, pointed }, this.camera);
  }

  /** Puts each board over its box, and lets it appear as the box fills the stage. */
  moveBoards() {
    const seen = boardsSeen(this.scene, this, this.boardPlace);
    for (const [name, node] of Object.entries(this.boards)) {
      const board = seen.find((one) => one.name === name);
      node.hidden = !board;
      node.inert = this.isFlying || !board || board.opacity < 1;
      if (!board) continue;
      if (this.fresh.delete(name)) scrollToTop(node);
      node.style.opacity = `${board.opacity}`;
      node.style.transform = `translate(${board.left}px, ${board.top}px) scale(${board.x}, ${board.y})`;
    }
    this.canvas.hidden = seen.some(({ opacity }) => opacity === 1); // such a board fills the stage
  }

  /**
   * Shows the board of a place; the canvas is enough where it has none.
   * @param {Place} place
   */
  showBoard(place) {
    const before = this.boardPlace;
    this.boardPlace = place;
    const names = /** @type {const} */ (["stack", "layer", "block", "head", "neuron"]);
    const isOther = names.some((name) => place[name] !== before[name]);
    if (isOther) this.fresh = new Set(Object.keys(this.boards));
    else if (place.part !== before.part) this.fresh.add("number");
  }

  /** Shows the picture as far as it is dragged; null ends that. @param {import("./gestures.js").Point | null} by */
  drag(by) {
    if (!this.scene || this.isFlying) return;
    const viewpoint = viewpointAt(this.scene, this.place);
    const { camera } = viewpoint;
    this.setViewpoint(by === null ? viewpoint : {
      ...viewpoint, camera: { ...camera, dx: camera.dx + by.x, dy: camera.dy + by.y },
    });
    this.draw();
  }

  /**
   * The place one level further in, at a position on the stage.
   * @param {import("./gestures.js").Position} position
   */
  inwardAt(position) {
    return targetAt(this, pointerPosition(this.canvas, position)) ?? this.inward();
  }

  /** The place that "+" leads to. @returns {Place | null} */
  inward() {
    return this.scene && tellingPlace(this.place, this.scene);
  }

  outward() {
    return parentOf(this.place);
  }
}
