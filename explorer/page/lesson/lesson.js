// The lesson dock, shown with every tab: the visitor reads, guesses, does a task on the real controls, and sees the
// result. The parts of the address tell when a task is done; guesses stay in this browser.

import { NAMES, encodeView } from "../../attention_view/view_parts.js";
import { fitView } from "../../attention_view/state.js";
import { parseExperiment } from "../../changes/experiment_text.js";
import { isBeyond } from "../../changes/experiments.js";
import { navigate, onParts, readPart, notifyChange } from "../../ui/address.js";
import { onView, openTab } from "../../ui/page_events.js";
import { element } from "../../ui/element.js";
import { isEscape } from "../../ui/keys.js";
import {
  saveProgress,
  setLessonOpener,
  progressOf,
  scoreOf,
  parseLessonPart,
  isReached,
  parseEmphasis,
} from "../../ui/lessons.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill } from "../../ui/text.js";
import { hasOwnWindow } from "../../ui/window.js";

const KEPT_PARTS = ["hide", "embed", "lang"]; // parts of the address that steps keep
const COMPARED_PARTS = NAMES.filter((name) => !["pin", "cell"].includes(name)); // parts with an initial value
const PHONE_WIDTH = 700; // pixels

export class LessonDock {
  lesson = null;
  at = 0;
  chosen = null;
  folded = false;
  viewer = null;
  awaited = null; // the sentence that see() waits for

  /** `tabs` are the labels of the tabs by id, `text` the words. */
  constructor(root, { lessons, tabs, text }) {
    this.lessons = lessons;
    this.tabs = tabs;
    this.text = text;
    this.part = nodesByAttribute(root, "lesson");
    this.listen();
    setLessonOpener((name, at) => this.open(lessons.find((lesson) => lesson.name === name), at));
    onView((viewer) => {
      this.viewer = viewer;
      if (this.awaited !== viewer.source.sentence) return;
      requestAnimationFrame(() => requestAnimationFrame(() => this.see()));
    });
    onParts(() => this.lesson && this.checkGoal());
  }

  listen() {
    const { part } = this;
    part.back.addEventListener("click", () => this.open(this.lesson, this.at - 1));
    part.next.addEventListener("click", () => this.next());
    part.close.addEventListener("click", () => this.close());
    part.fold.addEventListener("click", () => this.fold(!this.folded));
    part.commit.addEventListener("click", () => this.commit());
    part.show.addEventListener("click", () => {
      this.solve();
      const { place, task: { goal } } = this.step;
      const parts = { ...place, ...goal };
      if (goal.sentence && !goal.step) delete parts.step; // it is one of another sentence
      this.lead(parts);
    });
    part.dock.addEventListener("keydown", (event) => {
      if (!isEscape(event) || this.folded) return;
      event.preventDefault(); // keeps pins
      this.fold(true);
      part.fold.focus();
    });
    new ResizeObserver(() => this.measure()).observe(part.dock);
  }

  /** Publishes the height of the dock, above which a phone's page ends. */
  measure() {
    document.documentElement.style.setProperty("--lesson-height", `${this.part.dock.offsetHeight}px`);
  }

  get step() {
    return this.lesson.steps[this.at];
  }

  get progress() {
    return progressOf(this.lesson.name);
  }

  get guess() {
    return this.progress?.guesses[this.at];
  }

  /** Whether the visitor has answered the question of this step, if it has one. */
  get guessed() {
    return !this.step.question || this.step.question.choices[this.guess] !== undefined;
  }

  get done() {
    return this.guessed && (!this.step.task || this.progress?.solved[this.at] === true);
  }

  /** The lesson's part of the address. */
  get addressPart() {
    return this.lesson ? `${this.lesson.name}.${this.at + 1}` : null;
  }

  /**
   * Shows the lesson that an address names, and its place if the address has no other part; false if there is no such
   * lesson.
   */
  restore(text, isOnlyPart) {
    const match = text === null ? null : parseLessonPart(this.lessons, text);
    if (text !== null && !match) return false;
    if (text === this.addressPart) return true;
    this.take(match?.lesson ?? null, match?.at ?? 0);
    if (match && isOnlyPart) queueMicrotask(() => this.lead(this.step.place, { replace: true }));
    return true;
  }

  open(lesson, at) {
    this.take(lesson, at);
    this.fold(false);
    this.lead(this.step.place);
    this.part.text.focus({ preventScroll: hasOwnWindow() });
  }

  take(lesson, at) {
    this.lesson = lesson;
    this.at = at;
    this.chosen = null;
    if (lesson) saveProgress(lesson.name, { at });
    this.draw();
  }

  /** Shows what a step or a goal names, with the sentence of the lesson unless it names one. */
  lead(stepParts, options) {
    const keptParts = KEPT_PARTS.map((name) => [name, readPart(name)]).filter(([, text]) => text !== null);
    const parts = {
      sentence: this.lesson.sentence,
      ...stepParts,
      ...Object.fromEntries(keptParts),
      lesson: this.addressPart,
    };
    this.awaited = parts.sentence;
    navigate(parts, options);
  }

  /** On a phone, scrolls the picture of the step into view, and its row above the dock. */
  see() {
    this.awaited = null;
    if (innerWidth > PHONE_WIDTH || !hasOwnWindow()) return;
    const panels = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tabpanel]")]);
    const panel = panels.find((node) => node.offsetParent);
    const node = panel?.querySelector(".plain, .sentences, .panels") ?? panel;
    if (!node) return;
    const changes = /** @type {HTMLElement} */ (document.querySelector("#bar"));
    const stuck = getComputedStyle(changes).position === "sticky" ? changes.offsetHeight : 0;
    const pageTop = parseFloat(getComputedStyle(document.querySelector(".page")).marginTop) + stuck; // below a class's
    scrollBy(0, node.getBoundingClientRect().top - pageTop - 8);
    const row = panel.querySelector(".heatmap .mark");
    const bar = /** @type {HTMLElement} */ (panel.querySelector(".transport"));
    const room = innerHeight - this.part.dock.offsetHeight - (bar?.offsetHeight ?? 0) - 8;
    if (row) scrollBy(0, Math.max(0, row.getBoundingClientRect().bottom - room));
  }

  next() {
    const { lesson, at } = this;
    if (at + 1 < lesson.steps.length) return this.open(lesson, at + 1);
    saveProgress(lesson.name, { over: true });
    this.close();
    openTab("lessons");
  }

  close() {
    this.take(null, 0);
    notifyChange();
  }

  fold(isFolded) {
    this.folded = isFolded;
    this.draw();
  }

  /** Takes a choice as the visitor's guess. */
  guessWith(choice) {
    saveProgress(this.lesson.name, { guesses: { ...this.progress.guesses, [this.at]: choice } });
    this.draw();
    this.checkGoal();
  }

  commit() {
    this.guessWith(this.chosen);
    (this.done ? this.part.next : this.part.task).focus({ preventScroll: true });
  }

  solve() {
    saveProgress(this.lesson.name, { solved: { ...this.progress.solved, [this.at]: true } });
    this.draw();
  }

  /** Checks whether the visitor has reached the goal of the task, or would have with nothing else changed. */
  checkGoal() {
    const { viewer, step, tabs, part, text } = this;
    if (this.done || !this.guessed || !viewer) return;
    const { goal } = step.task;
    const view = encodeView(fitView(viewer.first, viewer.trace), viewer.first, viewer.trace, COMPARED_PARTS);
    const initial = { ...view, tab: Object.keys(tabs)[0] };
    if (isReached(goal, readPart, initial)) return this.solve();
    const { change, ...others } = goal;
    const isExceeded = change && isReached(others, readPart, initial)
      && isBeyond(viewer.change.experiment, parseExperiment(change));
    part.more.textContent = isExceeded ? text.more : "";
  }

  draw() {
    const { lesson, part, text, folded: isFolded } = this;
    part.dock.hidden = !lesson;
    document.body.dataset.lesson = !lesson ? "" : isFolded ? "folded" : "open";
    document.body.toggleAttribute("data-guessing", Boolean(lesson && this.step.question && !this.guessed));
    if (!lesson) return;
    const { steps } = lesson, counts = { step: this.at + 1, steps: steps.length };
    for (const name of ["body", "foot"]) part[name].hidden = isFolded;
    part.fold.setAttribute("aria-expanded", !isFolded);
    part.fold.textContent = isFolded ? text.unfold : text.fold;
    part.of.textContent = fill(text.of, counts);
    Object.assign(part.progress, { max: steps.length, value: this.at + 1 });
    part.title.textContent = lesson.title;
    part.text.replaceChildren(...parseEmphasis(this.step.text));
    this.drawQuestion();
    this.drawTask();
    this.drawReveal();
    part.back.disabled = this.at === 0;
    const isLast = this.at + 1 === steps.length;
    const { same: correctCount, made: guessCount } = scoreOf(lesson, this.progress);
    part.tally.textContent = isLast && guessCount ? fill(text.tally, { same: correctCount, made: guessCount }) : "";
    part.next.classList.toggle("main", this.done);
    part.next.textContent = !this.done ? text.skip : isLast ? text.finish : text.next;
  }

  drawQuestion() {
    const { part, step: { question } } = this, { guess } = this;
    part.question.hidden = !question;
    part.commit.hidden = !question || this.guessed;
    if (!question) return;
    const drawnKey = JSON.stringify([this.addressPart, question]);
    if (part.question.dataset.drawn !== drawnKey) {
      part.question.dataset.drawn = drawnKey;
      part.ask.replaceChildren(...parseEmphasis(question.ask));
      part.choices.replaceChildren(...question.choices.map((choice, i) => this.choice(choice, i)));
    }
    part.commit.disabled = this.chosen === null;
    for (const [i, { firstChild: input }] of [...part.choices.children].entries()) {
      input.checked = i === (this.guessed ? guess : this.chosen);
      input.disabled = this.guessed;
      input.parentNode.dataset.right = this.done && i === question.right;
    }
  }

  choice(words, i) {
    const input = element("input", { type: "radio", name: "lesson-guess" });
    input.addEventListener("change", () => {
      this.chosen = i;
      this.part.commit.disabled = false;
    });
    return element("label", {}, input, element("span", {}, ...parseEmphasis(words)));
  }

  drawTask() {
    const { done, guessed, part, step: { task } } = this;
    part.task.hidden = !task || !guessed;
    if (!task) return;
    part.task.dataset.done = done;
    part.do.replaceChildren(...parseEmphasis(task.do));
    part.more.textContent = "";
    part.show.hidden = done;
  }

  /** Draws the guess, the model's result and the explanation; only once, so that a screen reader announces it once. */
  drawReveal() {
    const { done, guess, part, step: { question, reveal } } = this;
    const drawnKey = done && reveal ? this.addressPart : "";
    if (part.reveal.dataset.drawn === drawnKey) return;
    part.reveal.dataset.drawn = drawnKey;
    if (!drawnKey) return part.reveal.replaceChildren();
    part.reveal.replaceChildren(
      ...(question ? [this.gap(question, guess)] : []),
      element("p", {}, ...parseEmphasis(reveal)),
    );
    part.reveal.scrollIntoView({ block: "nearest" });
  }

  gap({ choices, right }, guess) {
    const { text } = this, isCorrect = guess === right;
    const [guessed, model] = [guess, right].map((choice) => `*${choices[choice].replaceAll("*", "")}*`);
    const sentence = fill(isCorrect ? text.same : text.other, { guess: guessed, right: model });
    return element("p", { class: "gap", "data-same": isCorrect }, ...parseEmphasis(sentence));
  }
}
