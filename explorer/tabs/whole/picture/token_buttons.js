// Buttons over the tokens' names on the canvas, for pointer, finger and keys: at each the picture shows what its token
// takes from which others. One of the target goes to its step; one of the source can be hidden, by a button beside it.

import { laneY, namesWidth } from "./layout.js";
import { isSameLane, notesText } from "./pointed.js";
import { hasLeft } from "./view.js";
import { button, element } from "../../../ui/element.js";
import { fill, plainPiece } from "../../../ui/text.js";

const NAME_WIDTH = 130; // pixels before the lanes
const HIDE_SIZE = 22; // pixels

/** @typedef {import("./pointed.js").Lane} Lane */
/** @typedef {import("./view.js").PictureScene} PictureScene */
/** @typedef {import("./camera.js").Camera} Camera */

export class TokenButtons {
  /** Whose tokens they are. @type {Trace | null} */ trace = null;
  /** What the stage shows. @type {PictureScene | null} */ scene = null;
  /** @type {{ lane: Lane, node: HTMLElement }[]} */ buttons = [];
  /** The lane of the button with the visible focus. @type {Lane | null} */ focused = null;
  /** The lane that is shown. @type {Lane | null} */ shown = null;
  /** The source token that `hide` is drawn for. */ offered = 0;
  /** What the buttons were arranged for. */ key = "";
  /** Whether they are at the stage's edge. */ isAtEdge = false;

  /**
   * `words` are { tokens, hide, show }; `point(lane)` shows what belongs to a lane or null, `goToStep(step)` and
   * `toggle(token)` are what a click asks for.
   * @param {HTMLElement} node
   * @param {{ tokens: string, hide: string, show: string }} words
   * @param {{ point: (lane: Lane | null) => void, goToStep: (step: number) => void,
   *   toggle: (token: number) => void }} options
   */
  constructor(node, words, { point, goToStep, toggle }) {
    this.node = node;
    this.words = words;
    this.point = point;
    this.goToStep = goToStep;
    this.list = element("div", { role: "group", "aria-label": words.tokens, "data-rove": "", "data-columns": "1" });
    this.hide = button(() => toggle(this.offered), { class: "hide" });
    this.hide.hidden = true;
    node.append(this.list, this.hide);
    node.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType !== "touch") this.show(this.focused); // a finger has left when it has tapped
    });
    node.addEventListener("focusout", ({ relatedTarget }) => {
      const isInside = node.contains(/** @type {Node | null} */ (relatedTarget));
      if (this.focused === null || isInside) return; // a pointer shows another one anyway
      this.focused = null;
      this.show(null);
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (!node.contains(/** @type {Node} */ (target))) this.show(null);
    });
  }

  /** @param {Lane | null} lane */
  show(lane) {
    if (isSameLane(lane, this.shown)) return;
    this.shown = lane;
    this.point(lane);
  }

  /**
   * Puts the buttons over what the stage shows; without a scene there are none.
   * @param {PictureScene | null} scene
   * @param {Camera} camera
   */
  draw(scene, camera) {
    this.node.hidden = scene === null;
    if (scene === null) return;
    this.scene = scene; // which a button is described by when it gets the focus
    if (scene.trace !== this.trace) this.make(scene.trace);
    const key = JSON.stringify([camera, scene.step, scene.layout.width, scene.layout.height]);
    if (key !== this.key) this.arrange(scene, camera);
    this.key = key;
    this.drawHide(scene);
    this.describe(this.focused);
  }

  /**
   * Says of a lane what the picture's notes say.
   * @param {Lane | null} lane
   */
  describe(lane) {
    this.nodeOf(lane)?.setAttribute("aria-description", notesText({ ...this.scene, pointed: lane }));
  }

  /** @param {Lane | null} lane */
  nodeOf(lane) {
    return this.buttons.find((one) => isSameLane(one.lane, lane))?.node;
  }

  /**
   * Makes the buttons of another translation; one that stands for the same token goes on being shown.
   * @param {Trace} trace
   */
  make(trace) {
    const { focused, shown } = this;
    /** @param {Lane | null} lane */
    const nameOf = (lane) => this.nodeOf(lane)?.getAttribute("aria-label");
    const name = nameOf(shown);
    this.trace = trace;
    this.key = "";
    /** @type {(stack: Stack, pieces: Piece[]) => { lane: Lane, node: HTMLElement }[]} */
    const ofStack = (stack, pieces) => pieces.map((piece, lane) => this.buttonOf({ stack, lane }, piece));
    this.buttons = [...ofStack("encoder", trace.source), ...ofStack("decoder", trace.steps.map(({ fed }) => fed))];
    this.list.replaceChildren(...this.buttons.map(({ node }) => node));
    if (shown && nameOf(shown) !== name) this.show(null);
    else if (focused) this.nodeOf(focused)?.focus({ preventScroll: true });
  }

  /**
   * @param {Lane} lane
   * @param {Piece} piece
   */
  buttonOf(lane, piece) {
    const label = plainPiece(piece.text);
    const node = button(() => lane.stack === "decoder" && this.choose(lane.lane), { "aria-label": label });
    node.addEventListener("pointerenter", () => this.show(lane));
    node.addEventListener("focus", () => {
      if (!node.matches(":focus-visible")) return;
      this.describe(lane); // before it is read aloud
      this.focused = lane;
      this.show(lane);
    });
    return { lane, node };
  }

  /**
   * Goes to a step, whose ribbons the picture shows anyway.
   * @param {number} step
   */
  choose(step) {
    this.show(null);
    this.goToStep(step);
  }

  /**
   * @param {PictureScene} scene
   * @param {Camera} camera
   */
  arrange({ layout, step }, camera) {
    const labels = layout.labels * camera.kx + camera.dx;
    this.isAtEdge = hasLeft(labels);
    const left = this.isAtEdge ? 0 : Math.max(0, labels - NAME_WIDTH);
    const width = (this.isAtEdge ? namesWidth(layout) - 6 : labels + 4) - left;
    const height = layout.pitch * camera.ky;
    for (const { lane: { stack, lane }, node } of this.buttons) {
      const y = laneY(layout, stack, lane) * camera.ky + camera.dy;
      node.hidden = (stack === "decoder" && lane > step) || y < 0 || y > layout.height;
      moveTo(node, { left, top: y - height / 2, width, height });
    }
  }

  /**
   * The button beside the shown token of the source.
   * @param {PictureScene} scene
   */
  drawHide({ hiddenTokens }) {
    const { hide, shown, words } = this;
    const node = this.nodeOf(shown);
    hide.hidden = shown?.stack !== "encoder" || !node || node.hidden;
    if (hide.hidden) return;
    this.offered = shown.lane;
    const isHidden = hiddenTokens.includes(shown.lane);
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = node;
    const left = this.isAtEdge ? offsetWidth - HIDE_SIZE : offsetLeft;
    moveTo(hide, { left, top: offsetTop + (offsetHeight - HIDE_SIZE) / 2, width: HIDE_SIZE, height: HIDE_SIZE });
    hide.textContent = isHidden ? "+" : "×";
    const label = fill(isHidden ? words.show : words.hide, { token: node.getAttribute("aria-label") });
    hide.title = label;
    hide.setAttribute("aria-label", label);
  }
}

/**
 * @param {HTMLElement} node
 * @param {Record<string, number>} box
 */
function moveTo({ style }, box) {
  for (const [side, pixels] of Object.entries(box)) style.setProperty(side, `${pixels}px`);
}
