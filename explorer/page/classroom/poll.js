// The question of a class: its choices as buttons, and, once they are shown, the guesses beside the model's numbers.

import { button, element } from "../../ui/element.js";
import { formatPercent } from "../../ui/numbers.js";
import { fill, plainPiece } from "../../ui/text.js";
import { parseEmphasis, parseLessonPart } from "../../ui/lessons.js";

const MIN_PRINTED = 0.01; // the least weight with a number

export class PollCard {
  poll = null;
  choice = null; // of this browser
  isSending = false;
  isTeacher = false;
  drawnKey = "";
  buttons = []; // of the choices

  /**
   * `guess(number, choice)` sends a guess and promises whether it counts; `lessons` are those of this page, in its
   * language.
   */
  constructor(part, { text, lessons, guess }) {
    this.part = part;
    this.text = text;
    this.lessons = lessons;
    this.guess = guess;
  }

  /** Draws a poll as the class sends it, or null. What would give the answer away is veiled while a teacher asks. */
  draw(poll, { isTeacher, isLed }) {
    const { part } = this;
    if (poll?.number !== this.poll?.number) this.choice = null;
    this.poll = poll;
    this.isTeacher = isTeacher;
    part.poll.hidden = !poll;
    part.poll.toggleAttribute("data-shown", Boolean(poll?.shown));
    document.body.toggleAttribute("data-polling", Boolean(poll));
    document.body.toggleAttribute("data-veiled", isLed && Boolean(poll?.word) && !poll.shown);
    part.reveal.hidden = !isTeacher || !poll || poll.shown;
    part.done.hidden = !isTeacher || !poll?.shown;
    if (!poll) return;
    this.drawAnswers();
    part.legend.hidden = !poll.shown;
    part.model.textContent = poll.word ? this.text.weight : this.text.right;
    this.drawChoices();
  }

  /** Takes the guess that the class has of this browser: this page may be loaded anew, or be one of two. */
  takeChoice(choice) {
    if (!this.poll || this.isSending || choice === this.choice) return;
    this.choice = choice;
    this.mark();
    this.drawAnswers();
  }

  /** How many have answered, and whether this page has; in the end, a student is told how their guess compares. */
  drawAnswers() {
    const { choice, isTeacher, part, poll, text } = this;
    const count = fill(text.answers, { count: poll.answers });
    const comparison = poll.shown ? !isTeacher && this.compared() : choice !== null && text.answered;
    part.answers.textContent = comparison ? `${count} · ${comparison}` : count;
  }

  /** What this page has guessed, and what the model does, as sentences. */
  compared() {
    const { choice, poll, text } = this;
    const names = this.localized(poll).choices.map((words) => words.replaceAll("*", ""));
    const weight = Math.max(...poll.model);
    const best = { choice: names[poll.model.indexOf(weight)], percent: formatPercent(weight) };
    const chosen = choice === null ? [] : [fill(text.chose, { choice: names[choice] })];
    return [...chosen, fill(poll.word ? text.looks : text.does, best)].join(" ");
  }

  /** The buttons are made once for each state of a poll, so that a press is never lost to a redraw. */
  drawChoices() {
    const { part, poll } = this;
    const { context, ask, choices } = this.localized(poll);
    const key = `${poll.number} ${poll.shown}`;
    if (key !== this.drawnKey) {
      this.buttons = choices.map((words, choice) => this.choiceButton(words, choice));
      part.context.replaceChildren(...parseEmphasis(context));
      part.ask.replaceChildren(...parseEmphasis(ask));
      part.choices.replaceChildren(...this.buttons.filter((_, choice) => this.isTelling(choice)));
    }
    this.drawnKey = key;
    this.mark();
  }

  /** Whether a choice is there: in the end, words that neither the class nor the model chose would fill the screen. */
  isTelling(choice) {
    const { shown, word, counts, model } = this.poll;
    return !shown || !word || counts[choice] > 0 || model[choice] >= MIN_PRINTED;
  }

  mark() {
    this.buttons.forEach((button, choice) => button.setAttribute("aria-pressed", choice === this.choice));
  }

  choiceButton(words, choice) {
    const { poll } = this;
    const node = button(
      () => this.choose(poll.number, choice),
      { class: "choice" },
      ...(poll.shown ? [this.bars(choice)] : []),
      element("span", { class: "word" }, ...parseEmphasis(words)),
    );
    node.disabled = poll.shown;
    return node;
  }

  /** Sends a guess; one that the class does not take is none. */
  async choose(number, choice) {
    const before = this.choice;
    this.isSending = true;
    this.choice = choice;
    this.mark();
    this.drawAnswers();
    const isCounted = await this.guess(number, choice);
    this.isSending = false;
    if (!isCounted && this.poll?.number === number) this.takeChoice(before);
  }

  /** Two bars: the share of the guesses with their number, and what the model says. */
  bars(choice) {
    const { poll: { counts, model, word, answers }, text } = this;
    const bar = (name, share, label) => {
      const node = element("i");
      node.style.setProperty("--share", `${share}`);
      return element("span", { class: name }, label, node);
    };
    const weight = word ? fill(text.share, { percent: formatPercent(model[choice]) }) : "✓";
    const isSeen = model[choice] >= MIN_PRINTED; // a row of zeros would hide what there is
    const guesses = counts[choice] ? `${counts[choice]}` : "";
    return element(
      "div",
      { class: "bars" },
      bar("guessed", counts[choice] / Math.max(1, answers), guesses),
      bar("model", model[choice], isSeen ? weight : ""),
    );
  }

  /**
   * Question and choices in the language of this page, with what a lesson says before it asks (`context`): those of its
   * own lesson, or the question where the model looks.
   */
  localized({ ask, choices, lesson, word }) {
    const found = lesson ? parseLessonPart(this.lessons, lesson) : null;
    const { question, text } = found?.lesson.steps[found.at] ?? {};
    if (question && question.choices.length === choices.length) return { ...question, context: text };
    return { context: "", ask: word ? fill(this.text.askWord, { word }) : ask, choices };
  }
}

/** The question of a lesson's step, for a class. */
export function lessonQuestion(part, { ask, choices, right }) {
  return { ask, choices, model: choices.map((_, i) => Number(i === right)), lesson: part };
}

/** What a word is called, of the pieces of which it is made. */
export function nameOfPieces(pieces) {
  return pieces.map((piece) => plainPiece(piece.text)).join("");
}

/**
 * The question which source word the model looks at as it writes the current target word, which is focused in the
 * attention view; null if nothing is written yet.
 * @param {import("../../attention_view/sentences.js").FocusedGroup | null} focused
 */
export function wordQuestion(focused, text) {
  if (!focused?.pieces.length || focused.groups.length < 2) return null;
  const word = nameOfPieces(focused.pieces);
  const model = focused.weights.map((weight) => Math.min(1, Number(weight) || 0));
  return { ask: fill(text.askWord, { word }), choices: focused.groups.map(nameOfPieces), model, word };
}
