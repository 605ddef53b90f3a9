// What the teacher's page does in a class: tells it what it shows, asks questions, reads sentences.

import { onParts } from "../../ui/address.js";
import { download, csvCell, csvText, labelCell, numberCell } from "../../ui/download.js";
import { button, element } from "../../ui/element.js";
import { currentView, onTabOpened, openTabId } from "../../ui/page_events.js";
import { translateSentence } from "../../ui/translation_request.js";
import { fill } from "../../ui/text.js";
import { onShown, shownParts } from "./connection.js";
import { surprisingWord, writtenWords } from "../../derived/surprising_word.js";
import { viewAtLevel } from "../../attention_view/state.js";
import { lessonQuestion, nameOfPieces, wordQuestion } from "./poll.js";

const BYTE_ORDER_MARK = "\ufeff"; // by which spreadsheets know UTF-8
const DECIMALS = 4; // of a weight

/** The text of the file; `words` names the columns. */
function guessesAsCsv(polls, { columns }) {
  const shown = polls.filter((poll) => poll.shown);
  const rows = shown.flatMap(({ number, ask, choices, counts, model }) =>
    choices.map((choice, i) => [
      number,
      labelCell(ask),
      labelCell(choice),
      counts[i],
      numberCell(String(Number(model[i].toFixed(DECIMALS)))),
    ]),
  );
  return BYTE_ORDER_MARK + csvText([columns.map(csvCell), ...rows]);
}

export class Teacher {
  isActive = false;
  state = null;
  pendingParts = null;
  isShowing = false;

  /** `act(request)` sends an action of the teacher. */
  constructor(part, { text, lesson, act }) {
    this.part = part;
    this.text = text;
    this.lesson = lesson;
    this.act = act;
    this.collected = { sentences: [], polls: [] };
    part.askWord.addEventListener("click", () => this.offerWords(part.asking.hidden));
    part.askStep.addEventListener("click", () =>
      act({ action: "ask", question: lessonQuestion(lesson.addressPart, lesson.step.question) }),
    );
    part.reveal.addEventListener("click", () => act({ action: "reveal" }));
    part.done.addEventListener("click", () => act({ action: "close" }));
    part.openInbox.addEventListener("click", () => this.showInbox(part.inbox.hidden));
    const lastSentence = () => this.collected.sentences.at(-1).number;
    part.clear.addEventListener("click", () => act({ action: "clear", number: lastSentence() }));
    part.allow.addEventListener("change", () => act({ action: "allow", allowed: part.allow.checked }));
    part.csv.addEventListener("click", () =>
      download({ name: text.file, type: "text/csv", data: guessesAsCsv(this.collected.polls, text) }),
    );
    onShown((parts) => this.isActive && this.show(parts));
    onParts(() => this.drawButtons());
    onTabOpened(() => this.drawButtons());
  }

  /** Takes the state of the class. A class that is new, or was begun anew, learns what this page shows. */
  take(state) {
    const before = this.state;
    this.isActive = true;
    this.state = state;
    this.part.allow.checked = state.may_send;
    if (state.place === null) this.show(shownParts());
    const known = (one) => JSON.stringify([one?.waiting, one?.poll?.number, one?.poll?.shown]);
    if (known(state) !== known(before)) this.act({ action: "status" });
    this.drawButtons();
  }

  /** Tells the class what this page shows: one state after another, and only the last of those that come meanwhile. */
  async show(parts) {
    this.pendingParts = parts;
    if (this.isShowing) return;
    this.isShowing = true;
    while (this.pendingParts !== null) {
      const next = this.pendingParts;
      this.pendingParts = null;
      await this.act({ action: "show", place: next });
    }
    this.isShowing = false;
  }

  /** Takes what only the teacher's page is told: the sentences that wait, and the guesses. */
  takeCollected(collected) {
    this.collected = collected;
    this.part.clear.hidden = collected.sentences.length < 2;
    this.part.sentences.replaceChildren(
      ...(collected.sentences.length
        ? collected.sentences.map((one) => this.sentence(one))
        : [element("li", {}, this.text.noSentences)]),
    );
    this.drawButtons();
  }

  /** Tells the class nothing more: it is over. */
  finish() {
    this.isActive = false;
    this.state = null;
    this.pendingParts = null;
    this.showInbox(false);
    this.offerWords(false);
  }

  showInbox(isShown) {
    this.part.inbox.hidden = !isShown;
    this.part.openInbox.setAttribute("aria-expanded", isShown);
  }

  drawButtons() {
    const { lesson, collected, part, state, text } = this;
    const isAsking = Boolean(state?.poll);
    part.openInbox.textContent = fill(text.sentences, { count: collected.sentences.length });
    part.askStep.hidden = isAsking || !lesson.lesson || !lesson.step.question;
    part.askWord.hidden = isAsking || openTabId() !== "explore";
    part.csv.hidden = !collected.polls.some(({ shown }) => shown);
    this.offerWords(!part.asking.hidden && !part.askWord.hidden);
  }

  /** Offers the words of the German to ask about, by the heads that are shown; the most surprising stands out. */
  offerWords(isOffered) {
    const { askable, asking, askWord } = this.part;
    asking.hidden = !isOffered;
    askWord.setAttribute("aria-expanded", isOffered);
    const viewer = currentView();
    if (!isOffered || !viewer?.trace) return;
    const { trace } = viewer, map = trace.kinds.cross;
    const { layer, head } = viewAtLevel({ ...viewer.view, kind: "cross" }, trace);
    const best = map.ready ? surprisingWord(trace, map.matrix(layer, head)) : -1;
    const words = writtenWords(trace).map((steps, number) => {
      const name = nameOfPieces(steps.map((step) => trace.steps[step].predicted));
      return button(() => this.askAt(steps.at(-1)), { class: number === best ? "main" : "" }, name);
    });
    askable.replaceChildren(...words);
  }

  /** Asks where the model looks as it writes the word that ends at this step. */
  askAt(step) {
    const viewer = currentView();
    viewer.set({ step, kind: "cross", words: true, measure: "weight", pin: null, cell: null });
    const question = wordQuestion(viewer.sentences.focusedGroup, this.text);
    if (question) this.act({ action: "ask", question });
    this.offerWords(false);
  }

  /** A sentence of the class with two buttons: translate it on all pages, or remove it. */
  sentence({ number, text: sentence }) {
    const { text } = this;
    const drop = () => this.act({ action: "drop", number });
    const show = () => {
      translateSentence(sentence, { isTyped: true });
      drop();
    };
    return element(
      "li",
      {},
      element("span", { dir: "auto" }, sentence),
      button(show, {}, text.show),
      button(drop, { title: text.drop, "aria-label": text.drop }, "×"),
    );
  }
}
