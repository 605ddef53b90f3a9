// The lesson that stands on the page, over all its tabs: read, guess, do it on the real controls, see the gap. What is
// done is recognised by the parts of the address; what was guessed stays in this browser.

import { NAMES, encodeView } from "../../attention_view/address.js";
import { fitView } from "../../attention_view/state.js";
import { navigate, onParts, readPart, notifyChange } from "../../ui/address.js";
import { onView, openTab } from "../../ui/page_events.js";
import { element } from "../../ui/element.js";
import { isEscape } from "../../ui/keys.js";
import { saveProgress, setLessonOpener, progressOf, scoreOf } from "../../ui/lessons.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill } from "../../ui/text.js";
import { placeIn, reached } from "./goal.js";
import { marked } from "./marked.js";

const KEPT = ["hide", "embed", "lang"]; // parts of the address that no step changes
const BARE = NAMES.filter((name) => !["second", "pin", "cell"].includes(name)); // parts of which there is one at the beginning
const NARROW = 700; // pixels

export class Dock {
  /** `lessons` are those of the page, `tabs` its labels by their ids, `text` its words. */
  constructor(root, { lessons, tabs, text }) {
    Object.assign(this, { lessons, tabs, text, lesson: null, at: 0, chosen: null, folded: false, explore: null, awaited: null });
    this.part = nodesByAttribute(root, "lesson");
    this.listen();
    setLessonOpener((name, at) => this.open(lessons.find((lesson) => lesson.name === name), at));
    onView((explore) => {
      this.explore = explore;
      if (this.awaited === explore.trace.sentence) requestAnimationFrame(() => requestAnimationFrame(() => this.see()));
    });
    onParts(() => this.lesson && this.look());
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
      this.lead({ ...this.step.place, ...this.step.task.goal });
    });
    part.dock.addEventListener("keydown", (event) => {
      if (!isEscape(event) || this.folded) return;
      event.preventDefault(); // and no pin is let go
      this.fold(true);
      part.fold.focus();
    });
    new ResizeObserver(() => this.measure()).observe(part.dock);
  }

  /** A phone's page ends above the lesson. */
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

  /** Whether what is guessed and done here is guessed and done. */
  get guessed() {
    return !this.step.question || this.step.question.choices[this.guess] !== undefined;
  }

  get done() {
    return this.guessed && (!this.step.task || this.progress?.solved[this.at] === true);
  }

  /** The part of the address. */
  get place() {
    return this.lesson ? `${this.lesson.name}.${this.at + 1}` : null;
  }

  /** Shows the lesson that an address names, and, where it names nothing else, leads there; false where there is none such. */
  restore(text, alone) {
    const found = text === null ? null : placeIn(this.lessons, text);
    if (text !== null && !found) return false;
    if (text === this.place) return true;
    this.take(found?.lesson ?? null, found?.at ?? 0);
    if (found && alone) queueMicrotask(() => this.lead(this.step.place, { replace: true }));
    return true;
  }

  open(lesson, at) {
    this.take(lesson, at);
    this.fold(false);
    this.lead(this.step.place);
    this.part.text.focus({ preventScroll: true });
  }

  take(lesson, at) {
    Object.assign(this, { lesson, at, chosen: null });
    if (lesson) saveProgress(lesson.name, { at });
    this.draw();
  }

  /** Goes to a place of this step, with the sentence of the lesson unless it names another. */
  lead(place, how) {
    const kept = KEPT.map((name) => [name, readPart(name)]).filter(([, text]) => text !== null);
    const parts = { sentence: this.lesson.sentence, ...place, ...Object.fromEntries(kept), lesson: this.place };
    this.awaited = parts.sentence;
    navigate(parts, how);
  }

  /** On a phone, what a step is about comes into sight above the lesson. */
  see() {
    this.awaited = null;
    if (innerWidth > NARROW) return;
    const panel = [...document.querySelectorAll("[role=tabpanel]")].find((node) => node.offsetParent);
    const node = panel?.querySelector(".plain, .sentences, .panels") ?? panel;
    if (node) scrollBy(0, node.getBoundingClientRect().top - 8);
  }

  next() {
    const { lesson, at } = this;
    if (at + 1 < lesson.steps.length) return this.open(lesson, at + 1);
    saveProgress(lesson.name, { over: true });
    this.close();
    openTab(this.tabs.lessons);
  }

  close() {
    this.take(null, 0);
    notifyChange();
  }

  fold(folded) {
    this.folded = folded;
    this.draw();
  }

  commit() {
    saveProgress(this.lesson.name, { guesses: { ...this.progress.guesses, [this.at]: this.chosen } });
    this.draw();
    this.look();
    (this.done ? this.part.next : this.part.task).focus({ preventScroll: true });
  }

  solve() {
    saveProgress(this.lesson.name, { solved: { ...this.progress.solved, [this.at]: true } });
    this.draw();
  }

  /** Whether the visitor has got where the task leads. */
  look() {
    const { explore, step, tabs } = this;
    if (this.done || !this.guessed || !explore) return;
    const view = encodeView(fitView(explore.first, explore.trace), explore.first, explore.trace, BARE);
    if (reached(step.task.goal, readPart, { ...view, tab: Object.keys(tabs)[0] })) this.solve();
  }

  draw() {
    const { lesson, part, text, folded } = this;
    part.dock.hidden = !lesson;
    document.body.dataset.lesson = !lesson ? "" : folded ? "folded" : "open";
    document.body.toggleAttribute("data-guessing", Boolean(lesson && this.step.question && !this.guessed));
    if (!lesson) return;
    const { steps } = lesson, of = { step: this.at + 1, steps: steps.length };
    for (const name of ["body", "foot"]) part[name].hidden = folded;
    part.fold.setAttribute("aria-expanded", !folded);
    part.fold.textContent = folded ? text.unfold : text.fold;
    part.of.textContent = fill(text.of, of);
    Object.assign(part.progress, { max: steps.length, value: this.at + 1 });
    part.title.textContent = lesson.title;
    part.text.replaceChildren(...marked(this.step.text));
    this.drawQuestion();
    this.drawTask();
    this.drawReveal();
    part.back.disabled = this.at === 0;
    const last = this.at + 1 === steps.length, { same, made } = scoreOf(lesson, this.progress);
    part.tally.textContent = last && made ? fill(text.tally, { same, made }) : "";
    part.next.textContent = !this.done ? text.skip : last ? text.finish : text.next;
  }

  drawQuestion() {
    const { part, step: { question } } = this, { guess } = this;
    part.question.hidden = !question;
    part.commit.hidden = !question || this.guessed;
    if (!question) return;
    const drawn = JSON.stringify([this.place, question]);
    if (part.question.dataset.drawn !== drawn) {
      part.question.dataset.drawn = drawn;
      part.ask.replaceChildren(...marked(question.ask));
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
    return element("label", {}, input, element("span", {}, ...marked(words)));
  }

  drawTask() {
    const { done, guessed, part, step: { task } } = this;
    part.task.hidden = !task || !guessed;
    if (!task) return;
    part.task.dataset.done = done;
    part.do.replaceChildren(...marked(task.do));
    part.show.hidden = done;
  }

  /** What was guessed, what the model does, and why; it is made once, so that it is heard once. */
  drawReveal() {
    const { done, guess, part, step: { question, reveal }, text } = this;
    const drawn = done && reveal ? this.place : "";
    if (part.reveal.dataset.drawn === drawn) return;
    part.reveal.dataset.drawn = drawn;
    if (!drawn) return part.reveal.replaceChildren();
    part.reveal.replaceChildren(...(question ? [this.gap(question, guess)] : []), element("p", {}, ...marked(reveal)));
    part.reveal.scrollIntoView({ block: "nearest" });
  }

  gap({ choices, right }, guess) {
    const { text } = this, same = guess === right;
    const line = (name, choice) => element("span", {}, `${name} `, element("b", {}, ...marked(choices[choice])));
    const lines = [line(text.guessed, guess), ...(same ? [] : [line(text.model, right)])];
    return element("p", { class: "gap", "data-same": same }, element("span", {}, same ? text.same : text.other), ...lines);
  }
}
