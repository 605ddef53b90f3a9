// A training on this page: polls the server's reports and collects their points.

const VISIBLE_POLL_MS = 330, HIDDEN_POLL_MS = 15000;
const RETRY_MS = 2000; // after a poll without an answer; doubles with each, up to HIDDEN_POLL_MS

/**
 * @typedef {"none" | "asked" | "waiting" | "starting" | "learning" | "stopped" | "finished" | "failed" | "gone"} State
 * the server's; "none" before the first training, "asked" until there is an answer, "gone" if the server forgot it
 *
 * @typedef {[
 *   step: number, seconds: number, examples: number, loss: number | null, test_loss: number, right: number,
 * ]} Point `right` is the accuracy
 */

/**
 * What the model makes of the example: pieces, and the weights of each kind [layer head query key].
 * @typedef {object} Picture
 * @property {string[]} source
 * @property {string[]} fed
 * @property {string[]} right
 * @property {string[]} predicted
 * @property {Record<Kind, number[][][][]>} weights
 */

/** Whether the training is still waiting or learning. */
export function isUnderWay({ state }) {
  return ["waiting", "starting", "learning"].includes(state);
}

/** Milliseconds until the next poll; `run.unanswered` is the number of consecutive polls without an answer. */
export function pollDelay(run, isVisible) {
  if (run.unanswered) return Math.min(HIDDEN_POLL_MS, RETRY_MS * 2 ** (run.unanswered - 1));
  return isUnderWay(run) && isVisible ? VISIBLE_POLL_MS : HIDDEN_POLL_MS; // a stopped training ends at some time
}

export class Run {
  /** @type {(request: object) => Promise<any>} */ sendRequest;
  /** @type {() => void} */ onReport;
  /** @type {() => boolean} */ isVisible;
  requestNumber = 0;
  timer = null;
  unanswered = 0;
  /** @type {string | null} The server's name of the training. */ key;
  /** @type {State} */ state;
  /** @type {string} The state in words. */ sentence;
  /** @type {string} The model in words. */ about;
  /** @type {{ task: string, layers: number, heads: number, positions: boolean } | null} */ config;
  /** @type {boolean} Whether there is a checkpoint. */ saved;
  /** @type {number} Of the last report. */ number;
  /** @type {Point[]} */ points;
  /** @type {Picture | null} */ picture;
  /** @type {string | null} Why there is no report; "unreachable" without an answer. */ error;

  /**
   * `sendRequest(request)` promises the server's answer; `onReport()` is called after each; `isVisible()` says whether
   * the section is in view.
   */
  constructor(sendRequest, { onReport, isVisible }) {
    this.sendRequest = sendRequest;
    this.onReport = onReport;
    this.isVisible = isVisible;
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.key = null;
    this.state = "none";
    this.sentence = "";
    this.about = "";
    this.config = null;
    this.saved = false;
    this.number = 0;
    this.points = [];
    this.picture = null;
    this.error = null;
  }

  /** Starts another training, which ends the previous one. */
  start(config) {
    const key = this.key ?? "";
    this.clear();
    this.state = "asked";
    this.onReport();
    return this.send({ action: "begin", config, key });
  }

  /** Polls a training that this browser tab started before a reload. */
  resume(key) {
    this.key = key;
    return this.send({ action: "status", key });
  }

  /** Pauses the training; one that has not begun leaves the queue. */
  stop() {
    if (this.state === "waiting" && this.last === null) return this.send({ action: "leave", key: this.key });
    return this.send({ action: "stop", key: this.key, since: this.number });
  }

  goOn() {
    return this.send({ action: "go on", key: this.key, since: this.number });
  }

  /** Polls now, as when the section becomes visible again. */
  poll() {
    if (this.canChange) this.send({ action: "status", key: this.key, since: this.number });
  }

  /** Whether another poll may bring changes; a resumed training has the state "none" before its first report. */
  get canChange() {
    return this.key !== null && (isUnderWay(this) || ["stopped", "none"].includes(this.state));
  }

  /** A key that changes whenever there is something new to draw. */
  get reportState() {
    const { key, state, number, sentence, error } = this;
    return JSON.stringify([key, state, number, sentence, error]);
  }

  /** Sends a request, applies the answer, and schedules the next poll; answers to earlier requests are ignored. */
  async send(request) {
    clearTimeout(this.timer);
    this.requestNumber += 1;
    const { requestNumber } = this;
    const answer = await this.sendRequest(request).catch(() => null);
    if (requestNumber !== this.requestNumber) return;
    this.applyAnswer(answer);
    this.onReport();
    if (this.canChange) this.timer = setTimeout(() => this.poll(), pollDelay(this, this.isVisible()));
  }

  /** Applies an answer; null if none came. */
  applyAnswer(answer) {
    if (answer === null) return this.miss();
    this.unanswered = 0;
    if (answer.left) return this.clear();
    this.error = answer.error ?? null;
    if (this.error) return this.lose();
    this.key = answer.key;
    this.state = answer.state;
    this.sentence = answer.sentence;
    this.about = answer.about;
    this.config = answer.config;
    this.saved = answer.saved;
    this.number = answer.number;
    this.points.push(...answer.points);
    this.picture = answer.seen ?? this.picture;
  }

  /** No answer came. */
  miss() {
    this.unanswered += 1;
    this.error = "unreachable";
    if (this.key === null) this.state = "none"; // it may not have started
  }

  /** The server refused, or has no such training any more. */
  lose() {
    this.key = null;
    this.state = this.points.length ? "gone" : "none";
    this.saved = false;
  }

  /** The last of the points, null before the first. */
  get last() {
    return this.points.at(-1) ?? null;
  }
}
