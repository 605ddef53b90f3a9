// Gestures on the stage: Ctrl or Cmd and the wheel, a pinch on a trackpad or with two fingers zoom along the rails, one
// level a gesture; a drag moves to the neighbour and opens nothing. The plain wheel scrolls the page.

import { pointerPosition } from "../../../ui/page.js";

const ZOOM_PX = 24; // of a wheel or trackpad, until it zooms; a notch is 100 or more, of Firefox three lines
const LINE_PX = 16; // of Firefox, whose wheels count lines
const PAUSE_MS = 180; // between two gestures of a wheel, of which trackpads send the momentum for long
const SPREAD = 1.2; // of two fingers, until it zooms
const CLICK_PX = 6; // that a hand moves in a click
const DRAG_PX = 60; // that a drag moves at least
const HINT_MS = 1800;
/** What has gestures of its own. */
const CONTROLS = "button, a, input, select, textarea, label, summary";

/**
 * A point of the stage, and one of the window as events have it.
 * @typedef {{ x: number, y: number }} Point
 * @typedef {{ clientX: number, clientY: number }} Position
 */

export class Gestures {
  /** When the wheel last moved, how far since its gesture began, and whether that zoomed already. */
  wheel = { time: 0, sum: 0, isDone: false };
  /**
   * The distance of two fingers at the beginning, on a screen or, as 1, on a trackpad, and whether they zoomed.
   * @type {{ spread: number, isDone: boolean, isOnScreen: boolean } | null}
   */
  pinch = null;
  /** Where a drag began. @type {(Point & { id: number }) | null} */ start = null;
  /** Whether the pointer moved farther than in a click. */ isDragged = false;
  isHintDone = false;

  /**
   * `zoom(direction, position, target)` goes one level in (1) at a position or out (-1), and returns whether there is
   * one; `drag(by)` shows how far the picture is dragged, null at the end of it; `move(direction)` goes to a neighbour;
   * `isFree()` is whether nothing moves by itself. `hint` is a node that says which wheel zooms.
   * @param {HTMLElement} node
   * @param {HTMLElement} hint
   * @param {{ zoom: (direction: 1 | -1, position: Position, target: HTMLElement) => boolean,
   *   drag: (by: Point | null) => void, move: (direction: import("../neighbours.js").Direction) => void,
   *   canDrag: () => boolean, isFree: () => boolean }} actions
   */
  constructor(node, hint, actions) {
    this.node = node;
    this.hint = hint;
    this.actions = actions;
    node.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    for (const type of ["touchstart", "touchend", "touchcancel"]) {
      node.addEventListener(type, (event) => this.touch(/** @type {TouchEvent} */ (event)));
    }
    node.addEventListener("touchmove", (event) => this.spread(event), { passive: false });
    // WebKit has events of its own for a trackpad.
    for (const type of ["gesturestart", "gesturechange", "gestureend"]) {
      node.addEventListener(type, (event) => this.stretch(event), { passive: false });
    }
    node.addEventListener("pointerdown", (event) => this.press(event));
    node.addEventListener("pointermove", (event) => this.follow(event));
    node.addEventListener("pointerup", (event) => this.release(event));
    node.addEventListener("pointercancel", () => this.letGo());
    node.addEventListener("click", (event) => this.stopClick(event), { capture: true });
  }

  /** @param {WheelEvent} event */
  turn(event) {
    if (!event.ctrlKey && !event.metaKey) return this.showHint();
    event.preventDefault();
    const { wheel } = this;
    const pixels = event.deltaY * [1, LINE_PX, innerHeight][event.deltaMode];
    if (event.timeStamp - wheel.time > PAUSE_MS) Object.assign(wheel, { sum: 0, isDone: false });
    wheel.time = event.timeStamp;
    wheel.sum += pixels;
    if (wheel.isDone || Math.abs(wheel.sum) < ZOOM_PX || !this.actions.isFree()) return;
    wheel.isDone = true;
    this.actions.zoom(wheel.sum < 0 ? 1 : -1, event, /** @type {HTMLElement} */ (event.target));
  }

  /** Says once which wheel zooms. */
  showHint() {
    if (this.isHintDone) return;
    this.isHintDone = true;
    this.hint.hidden = false;
    setTimeout(() => { this.hint.hidden = true; }, HINT_MS);
  }

  /** @param {TouchEvent} event */
  touch({ touches }) {
    this.pinch = touches.length === 2 ? { spread: spreadOf(touches), isDone: false, isOnScreen: true } : null;
    if (this.pinch) this.letGo();
  }

  /** The browser's own pinch is left where the picture takes none. @param {TouchEvent} event */
  spread(event) {
    const { pinch } = this;
    if (!pinch || event.touches.length !== 2) return;
    const [one, other] = event.touches;
    const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
    if (this.pinchBy(spreadOf(event.touches) / pinch.spread, middle, event)) event.preventDefault();
  }

  /** On a screen WebKit tells of fingers, too. @param {any} event GestureEvent of WebKit */
  stretch(event) {
    if (this.pinch?.isOnScreen) return;
    if (event.type === "gesturestart") this.pinch = { spread: 1, isDone: false, isOnScreen: false };
    if (this.pinch && this.pinchBy(event.scale, event, event)) event.preventDefault();
    if (event.type === "gestureend") this.pinch = null;
  }

  /**
   * Zooms once two fingers are far enough; returns whether the picture takes it.
   * @param {number} factor
   * @param {Position} position
   * @param {{ target: any }} event
   */
  pinchBy(factor, position, { target }) {
    const { pinch, actions } = this;
    if (pinch.isDone) return true;
    if ((factor < SPREAD && factor > 1 / SPREAD) || !actions.isFree()) return false;
    pinch.isDone = actions.zoom(factor > 1 ? 1 : -1, position, target);
    return pinch.isDone;
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.isDragged = false;
    const isControl = /** @type {Element} */ (event.target).closest(CONTROLS) !== null;
    if (event.button !== 0 || !event.isPrimary || isControl || this.pinch) return;
    this.start = { ...pointerPosition(this.node, event), id: event.pointerId };
  }

  /** How far the pointer is from where it was pressed. @param {PointerEvent} event @returns {Point} */
  wayOf(event) {
    const { x, y } = pointerPosition(this.node, event);
    return { x: x - this.start.x, y: y - this.start.y };
  }

  /** @param {PointerEvent} event */
  follow(event) {
    if (this.start?.id !== event.pointerId) return;
    const by = this.wayOf(event);
    if (!this.isDragged && Math.hypot(by.x, by.y) > CLICK_PX) {
      this.isDragged = true;
      this.node.setPointerCapture(event.pointerId); // a drag may end beside the stage
    }
    if (this.isDragged && this.actions.canDrag() && this.actions.isFree()) this.actions.drag(by);
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (this.start?.id !== event.pointerId) return;
    const { x, y } = this.wayOf(event);
    this.start = null;
    const isFar = Math.max(Math.abs(x), Math.abs(y)) >= DRAG_PX && getSelection().isCollapsed;
    if (!this.isDragged || !isFar || !this.actions.isFree()) return this.actions.drag(null);
    // The picture follows the hand: what comes from the left lies to the left.
    const isAcross = Math.abs(x) >= Math.abs(y);
    this.actions.move(isAcross ? [-Math.sign(x), 0] : [0, -Math.sign(y)]);
  }

  letGo() {
    if (this.start && this.isDragged) this.actions.drag(null);
    this.start = null;
  }

  /** What is dragged opens nothing where it is let go. @param {MouseEvent} event */
  stopClick(event) {
    if (!this.isDragged) return;
    this.isDragged = false;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {TouchList} touches two of them */
function spreadOf([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
