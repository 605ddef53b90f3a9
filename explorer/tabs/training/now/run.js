// A training on this page, as the server tells of it: asked again and again while somebody looks.

const OFTEN = 330, SELDOM = 15000; // milliseconds between two looks: while it is seen, and while it is not
const LATER = 2000; // milliseconds after a look without an answer; twice as many with each, up to those above

/** Whether it may have news. */
export function underWay({ state }) {
  return ["waiting", "starting", "learning"].includes(state);
}

/** Milliseconds until the next look: `unanswered` looks in a row had no answer, and `seen` says whether somebody looks. */
export function pause(run, seen) {
  const usual = underWay(run) && seen ? OFTEN : SELDOM; // one that has stopped ends by itself some day
  return run.unanswered ? Math.min(SELDOM, LATER * 2 ** (run.unanswered - 1)) : usual;
}

export class Run {
  /**
   * `ask(wish)` promises the server's answer; `tell()` is called after each; `seen()` says whether somebody looks.
   * `state` is that of the server, "none" before the first training and "asked" until there is an answer.
   */
  constructor(ask, { tell, seen }) {
    Object.assign(this, { ask, tell, seen, turn: 0, timer: null, unanswered: 0 });
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    Object.assign(this, { key: null, state: "none", sentence: "", about: "", config: null, saved: false, number: 0, points: [], picture: null, error: null });
  }

  /** Begins another training, which gives up the one before. */
  begin(config) {
    const key = this.key ?? "";
    this.clear();
    this.state = "asked";
    this.tell();
    return this.wish({ wish: "begin", config, key });
  }

  /** Goes on looking at one that this tab began before it was loaded anew. */
  resume(key) {
    this.key = key;
    return this.wish({ wish: "look", key });
  }

  /** Pauses it; one that has not begun is given up, which lets the next one in line come forward. */
  stop() {
    if (this.state === "waiting" && this.last === null) return this.wish({ wish: "leave", key: this.key });
    return this.wish({ wish: "stop", key: this.key, since: this.number });
  }

  goOn() {
    return this.wish({ wish: "go on", key: this.key, since: this.number });
  }

  /** Looks now: somebody has come back. */
  look() {
    if (this.mayChange) this.wish({ wish: "look", key: this.key, since: this.number });
  }

  /** Whether to look again; one that was resumed may not have been heard of yet. */
  get mayChange() {
    return this.key !== null && (underWay(this) || ["stopped", "none"].includes(this.state));
  }

  /** What differs where there is something new to draw. */
  get news() {
    const { key, state, number, sentence, error } = this;
    return JSON.stringify([key, state, number, sentence, error]);
  }

  /** Asks, takes what comes, and looks again later; whatever was asked before is no longer waited for. */
  async wish(wish) {
    clearTimeout(this.timer);
    this.turn += 1;
    const { turn } = this;
    const answer = await this.ask(wish).catch(() => null);
    if (turn !== this.turn) return;
    this.take(answer);
    this.tell();
    if (this.mayChange) this.timer = setTimeout(() => this.look(), pause(this, this.seen()));
  }

  /** `answer` is null where none came. */
  take(answer) {
    this.unanswered = answer === null ? this.unanswered + 1 : 0;
    this.error = answer === null ? "unreachable" : answer.error ?? null;
    if (answer === null && this.key === null) this.state = "none"; // it may not have begun
    if (answer?.left) return this.clear();
    if (answer?.error) Object.assign(this, { key: null, state: this.points.length ? "gone" : "none", saved: false });
    if (this.error) return;
    const { points, seen, ...news } = answer;
    Object.assign(this, news);
    this.points.push(...points);
    this.picture = seen ?? this.picture;
  }

  /** The last of the points, null before the first. */
  get last() {
    return this.points.at(-1) ?? null;
  }
}
