// A training on this page: polls the server's reports and collects their points.

const VISIBLE_POLL_MS = 330, HIDDEN_POLL_MS = 15000;
const RETRY_MS = 2000; // after a poll without an answer; doubles with each, up to HIDDEN_POLL_MS

/** Whether the training is still waiting or learning. */
export function isUnderWay({ state }) {
  return ["waiting", "starting", "learning"].includes(state);
}

/** Milliseconds until the next poll; `run.unanswered` is the number of consecutive polls without an answer. */
export function pollDelay(run, isVisible) {
  const usualDelay = isUnderWay(run) && isVisible ? VISIBLE_POLL_MS : HIDDEN_POLL_MS; // a stopped training ends at some time
  return run.unanswered ? Math.min(HIDDEN_POLL_MS, RETRY_MS * 2 ** (run.unanswered - 1)) : usualDelay;
}

export class Run {
  /**
   * `sendRequest(request)` promises the server's answer; `onReport()` is called after each; `isVisible()` says whether the
   * section is in view. `state` is the server's, "none" before the first training and "asked" until there is an answer.
   */
  constructor(sendRequest, { onReport, isVisible }) {
    Object.assign(this, { sendRequest, onReport, isVisible, requestNumber: 0, timer: null, unanswered: 0 });
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    Object.assign(this, { key: null, state: "none", sentence: "", about: "", config: null, saved: false, number: 0, points: [], picture: null, error: null });
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
    this.unanswered = answer === null ? this.unanswered + 1 : 0;
    this.error = answer === null ? "unreachable" : answer.error ?? null;
    if (answer === null && this.key === null) this.state = "none"; // it may not have started
    if (answer?.left) return this.clear();
    if (answer?.error) Object.assign(this, { key: null, state: this.points.length ? "gone" : "none", saved: false });
    if (this.error) return;
    const { points, seen: picture, ...changes } = answer;
    Object.assign(this, changes);
    this.points.push(...points);
    this.picture = picture ?? this.picture;
  }

  /** The last of the points, null before the first. */
  get last() {
    return this.points.at(-1) ?? null;
  }
}
