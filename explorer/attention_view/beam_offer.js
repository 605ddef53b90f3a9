// Below the greedy German that of a beam of five, where it is another one with a higher score. Only on request
// (`beam=5`): it takes the model two or three times as long as the translation.

import { readPart } from "../ui/address.js";
import { element } from "../ui/element.js";
import { formatDecimal } from "../ui/numbers.js";
import { AnswerCache } from "../ui/answer_cache.js";
import { registerWork } from "../ui/rest.js";
import { fill } from "../ui/text.js";

const WIDTH = 5, MAX_KEPT = 30;
const QUIET_MS = 800; // milliseconds for which a sentence is shown before its beam is asked for

/** The beam's translation, where it reads otherwise than the greedy one and scores higher; else null. */
export function betterTranslation({ best, greedy }) {
  return best.translation !== greedy.translation && best.score > greedy.score ? best : null;
}

export class BeamOffer {
  sentence = null;
  timer = null;

  /** `target` is the code of the German's language; `stepThrough(ids)` shows a translation with its attention. */
  constructor(root, model, { text, target, stepThrough }) {
    const background = model.inBackground();
    const requests = new AnswerCache(([sentence, width]) => background.beam(sentence, width), MAX_KEPT);
    this.root = root;
    this.text = text;
    this.target = target;
    this.stepThrough = stepThrough;
    this.requests = requests;
    registerWork("beam", () => this.timer !== null);
  }

  /**
   * Draws the line, and asks once for each sentence. A class sees what its teacher shows, which is the greedy German.
   */
  draw(sentence, isOn) {
    const wanted = isOn && readPart("class") === null ? sentence : null;
    if (wanted === this.sentence) return;
    this.sentence = wanted;
    clearTimeout(this.timer);
    this.timer = null;
    this.root.hidden = wanted === null;
    if (wanted === null) return;
    this.write(this.text.searching);
    this.timer = setTimeout(() => this.ask(wanted), QUIET_MS);
  }

  async ask(sentence) {
    const { text } = this;
    this.timer = null;
    const answer = await this.requests.get([sentence, WIDTH]);
    if (this.sentence !== sentence) return;
    const isAnswer = answer !== null && !answer.error;
    const better = isAnswer ? betterTranslation(answer) : null;
    if (better) this.offer(better, answer.greedy);
    else this.write(isAnswer ? text.same : text.noAnswer);
  }

  offer({ translation, ids, score }, greedy) {
    const { text, target } = this;
    const button = element("button", { type: "button" }, text.step);
    button.addEventListener("click", () => this.stepThrough(ids));
    this.write(element("strong", { lang: target, dir: "auto" }, translation), " ", button);
    const scores = { score: formatDecimal(score, 3), greedy: formatDecimal(greedy.score, 3) };
    this.root.title = `${translation}\n${fill(text.scores, scores)}`;
  }

  write(...said) {
    this.root.title = "";
    this.root.replaceChildren(element("span", {}, this.text.label), " ", ...said);
  }
}
