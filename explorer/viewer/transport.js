// Moving through the steps: buttons, slider, keys and playing.

const KEYS = { Home: "first", ArrowLeft: "previous", " ": "play", ArrowRight: "next", End: "last" };

export class Transport {
  /** `where` gives { step, last, speed }; `go` is called with the step to go to. */
  constructor(root, { where, go }) {
    Object.assign(this, { root, where, go, playing: false });
    this.button = root.querySelector("[data-go=play]");
    for (const button of root.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.move(button.dataset.go));
    document.addEventListener("keydown", (event) => this.press(event));
  }

  move(target) {
    if (target === "play") return this.playing ? this.pause() : this.play();
    const { step, last } = this.where();
    this.go({ first: 0, previous: step - 1, next: step + 1, last }[target]);
  }

  /** At the end, playing begins again at the start; steps are counted in frames, so that a film is even. */
  play() {
    this.playing = true;
    this.button.textContent = "Pause";
    const { step, last } = this.where();
    if (step === last) this.go(0);
    let due = performance.now() + 1000 / this.where().speed;
    const tick = (now) => {
      if (!this.playing) return;
      const { step, last, speed } = this.where();
      // Half a frame early is nearer than half a frame late.
      if (now >= due - 8) {
        due = Math.max(due, now - 8) + 1000 / speed;
        this.go(step + 1);
        if (step + 1 >= last) return this.pause();
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    this.button.textContent = "Play";
  }

  /** Keys are inert while another control has the focus or the view is hidden. */
  press(event) {
    const busy = event.target.closest("input, textarea, select, button, summary, [contenteditable], [tabindex='0']");
    if (busy || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey || !this.root.offsetParent) return;
    event.preventDefault();
    this.move(KEYS[event.key]);
  }
}
