import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { recordCanvas } from "../../explorer/page/save/video.js";

const FRAME_MS = 40, DURATION = 200;
let now = 0;
let recorder = null;
/** After how many frames a recorder hands over its first part. */
let late = 1;

/** A recorder of the browser, which says what it has done. */
class Recorder extends EventTarget {
  state = "inactive";

  constructor() {
    super();
    recorder = this;
  }

  start() { this.state = "recording"; }

  tell(part) {
    this.dispatchEvent(Object.assign(new Event("dataavailable"), { data: new Blob([part]) }));
  }

  pause() { this.change("paused"); }
  resume() { this.change("recording"); }

  change(state) {
    if (this.state === "inactive") throw new Error("The recorder does not run.");
    this.state = state;
  }

  /** Also what it does by itself after an error. */
  stop() {
    this.change("inactive");
    setTimeout(() => {
      this.tell("lm");
      this.dispatchEvent(new Event("stop"));
    });
  }
}

/** What becomes of a film that is drawn in such a way: its text or its error, and the state of its track. */
async function record(draw, signal = new AbortController().signal) {
  const track = { readyState: "live", stop() { this.readyState = "ended"; } };
  const canvas = /** @type {any} */ ({ captureStream: () => ({ getTracks: () => [track] }) });
  const film = recordCanvas(canvas, draw, { type: "video/webm;codecs=vp9", duration: DURATION, signal });
  const [outcome] = await Promise.allSettled([film]);
  assert.deepEqual([track.readyState, recorder.state], ["ended", "inactive"]);
  return outcome;
}

beforeEach(() => {
  now = 0;
  late = 1;
  Object.assign(globalThis, {
    MediaRecorder: Recorder,
    document: Object.assign(new EventTarget(), { hidden: false }),
    requestAnimationFrame: (call) => setTimeout(() => {
      now += FRAME_MS;
      if (now === late * FRAME_MS) recorder.tell("fi");
      call(now);
    }),
  });
  performance.now = () => now;
});

test("a film is drawn to its end, also after the page was hidden for a while", async () => {
  const shares = [];
  const outcome = await record((share) => {
    shares.push(share);
    if (shares.length !== 2) return;
    for (const hidden of [true, false]) {
      Object.assign(document, { hidden }).dispatchEvent(new Event("visibilitychange"));
      assert.equal(recorder.state, hidden ? "paused" : "recording");
    }
  });
  assert.equal(await outcome.value.text(), "film");
  assert.equal(outcome.value.type, "video/webm");
  assert.equal(shares.at(-1), 1);
});

test("a film ends when there is something of it, on a browser that is too busy before", async () => {
  late = 30;
  const shares = [];
  const outcome = await record((share) => shares.push(share));
  assert.equal(await outcome.value.text(), "film");
  assert.ok(late * FRAME_MS > DURATION && shares.filter((share) => share === 1).length > 20);
});

test("a film that cannot be drawn is no film, and nothing of it runs on", async () => {
  const outcome = await record(() => { throw new Error("no picture"); });
  assert.equal(outcome.reason.message, "no picture");
});

test("a film that the browser breaks off is no film, also while nobody sees the page", async () => {
  const outcome = await record(() => {
    recorder.stop();
    Object.assign(document, { hidden: true }).dispatchEvent(new Event("visibilitychange"));
  });
  assert.equal(outcome.reason.message, "The browser stopped recording.");
});

test("a film that is stopped in its last frame is no film", async () => {
  const controller = new AbortController();
  const outcome = await record((share) => share === 1 && controller.abort(), controller.signal);
  assert.equal(outcome.reason.name, "AbortError");
});
