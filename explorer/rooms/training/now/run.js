// A training on this page, as the server tells of it: asked again and again while somebody looks.

const OFTEN = 330, SELDOM = 15000; // milliseconds between two looks: while it is seen, and while it is not

/** Whether it may have news. */
export function underWay({ state }) {
  return ["waiting", "starting", "learning"].includes(state);
}

export class Run {
  /**
   * `ask(wish)` promises the server's answer; `tell()` is called after each; `seen()` says whether somebody looks.
   * `state` is that of the server, "none" before the first training and "asked" until there is an answer.
   */
  constructor(ask, { tell, seen }) {
    Object.assign(this, { ask, tell, seen, turn: 0, timer: null });
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    Object.assign(this, { key: null, state: "none", sentence: "", about: "", config: null, saved: false, number: 0, points: [], picture: null, error: null });
  }

  /** Begins another training, which gives up the one before. */
  begin(config) {
    this.clear();
    this.state = "asked";
    this.tell();
    return this.wish({ wish: "begin", config });
  }

  /** Goes on looking at one that this tab began before it was loaded anew. */
  resume(key) {
    this.key = key;
    return this.wish({ wish: "look", key });
  }

  stop() {
    return this.wish({ wish: "stop", key: this.key, since: this.number });
  }

  goOn() {
    return this.wish({ wish: "go on", key: this.key, since: this.number });
  }

  /** Looks now: somebody has come back. */
  look() {
    if (this.key && (underWay(this) || this.state === "stopped")) this.wish({ wish: "look", key: this.key, since: this.number });
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
    // One that has stopped is asked after seldom: it ends by itself some day.
    const wait = underWay(this) && this.seen() ? OFTEN : SELDOM;
    if (this.key && (underWay(this) || this.state === "stopped")) this.timer = setTimeout(() => this.look(), wait);
  }

  /** `answer` is null where none came. */
  take(answer) {
    this.error = answer === null ? "unreachable" : answer.error ?? null;
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
