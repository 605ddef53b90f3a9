// Moving through steps, or whatever else follows one another: buttons, keys and playing.

const KEYS = { Home: "first", ArrowLeft: "previous", " ": "play", ArrowRight: "next", End: "last" };

/** Whether a key is meant for another control. */
export function busy(event) {
  return event.target.closest("input, textarea, select, button, summary, [contenteditable]") !== null;
}

export class Transport {
  /** `where` gives { step, last, speed }; `go` is called with the step to go to; `keys` name the moves. */
  constructor(root, { where, go, keys = KEYS }) {
    Object.assign(this, { root, where, go, keys, frame: null });
    this.button = root.querySelector("[data-go=play]");
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.move(button.dataset.go));
    }
    document.addEventListener("keydown", (event) => this.press(event));
  }

  get playing() {
    return this.frame !== null;
  }

  move(target) {
    if (target === "play") return this.playing ? this.pause() : this.play();
    const { step, last } = this.where();
    this.go({ first: 0, previous: step - 1, next: step + 1, last }[target]);
  }

  /** At the end, playing begins again at the start; steps are counted in frames, so that a film is even. */
  play() {
    const { step, last } = this.where();
    if (step === last) this.go(0);
    let due = performance.now() + 1000 / this.where().speed;
    const tick = (now) => {
      if (!this.root.offsetParent) return this.pause(); // another tab was opened
      const { step, last, speed } = this.where();
      this.frame = requestAnimationFrame(tick);
      // Half a frame early is nearer than half a frame late.
      if (now < due - 8) return;
      due = Math.max(due, now - 8) + 1000 / speed;
      this.go(step + 1);
      if (step + 1 >= last) this.pause();
    };
    this.frame = requestAnimationFrame(tick);
    this.announce();
  }

  pause() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.announce();
  }

  /** A screen reader hears where playing stopped, not every step on the way. */
  announce() {
    this.button.textContent = this.button.dataset[this.playing ? "pause" : "play"];
    const live = this.playing ? "off" : "polite";
    for (const node of this.root.querySelectorAll("[aria-live]")) node.setAttribute("aria-live", live);
  }

  /** Keys are inert while another control has the focus or the view is hidden. */
  press(event) {
    const target = this.keys[event.key];
    if (!target || busy(event) || event.ctrlKey || event.metaKey || event.altKey || !this.root.offsetParent) return;
    event.preventDefault();
    if (!event.repeat || target !== "play") this.move(target);
  }
}
