// The cards of the lessons: what each shows, the user's progress, and a button that starts it.

import { button, element, svg } from "../../ui/element.js";
import { saveProgress, onProgress, openLesson, progressOf, scoreOf } from "../../ui/lessons.js";
import { requireWords, fill } from "../../ui/text.js";

export function mount(root, { cards, text }) {
  const words = requireWords(text);
  const list = root.querySelector("[data-role=cards]");
  const nodes = cards.map((card) => {
    const node = element("article", { "aria-label": card.title }, pictureNode(card.picture),
      element("h3", {}, card.title),
      element("p", {}, card.shows.replaceAll("*", "")), element("p", { class: "meta" }),
      card.away ? element("p", { class: "needs" }, words.away) : element("div", { class: "buttons" }));
    return node;
  });
  list.replaceChildren(...nodes);
  const draw = () => cards.forEach((card, i) => (card.away ? drawAway : drawCard)(nodes[i], card, words));
  onProgress(draw);
  draw();
}

/** The attention of a lesson's sentence: `rows` of digits, the shares of full colour in ninths. */
function pictureNode(rows) {
  const cells = rows.flatMap((row, y) => [...row].map((digit, x) => ({ x, y, digit })));
  const squares = cells.filter(({ digit }) => digit !== "0").map(({ x, y, digit }) => (
    svg("rect", { x, y, width: 0.94, height: 0.94, "fill-opacity": Number(digit) / 9 })
  ));
  const viewBox = `0 0 ${rows[0].length} ${rows.length}`;
  return svg("svg", { class: "picture", viewBox, preserveAspectRatio: "xMinYMid", "aria-hidden": "true" }, ...squares);
}

/** Draws the card of a lesson that needs a missing tab and cannot be started. */
function drawAway(node, card, words) {
  node.querySelector(".meta").textContent = effort(card, words);
}

/** How hard a lesson is, and how long it takes. */
function effort({ level, minutes, steps }, words) {
  const count = fill(words.steps, { steps: steps.length });
  return [words.levels[level], fill(words.minutes, { minutes }), count].join(" · ");
}

function drawCard(node, card, words) {
  const progress = progressOf(card.name);
  const steps = card.steps.length;
  const state = !progress ? "new" : progress.over ? "over" : "at";
  const { same, made } = progress ? scoreOf(card, progress) : { made: 0 };
  const step = (progress?.at ?? 0) + 1;
  const status = state === "over" && made ? fill(words.score, { same, made }) : fill(words[state], { step, steps });
  const key = `${state} ${status}`;
  if (node.dataset.drawn === key) return; // keeps the focus on a button
  Object.assign(node.dataset, { drawn: key, state });
  node.querySelector(".meta").replaceChildren(`${effort(card, words)} · `, element("b", {}, status));
  const start = () => {
    saveProgress(card.name, null);
    openLesson(card.name, 0);
  };
  const resume = () => openLesson(card.name, progressOf(card.name).at);
  const action = (label, onClick, attributes) => (
    button(onClick, { "aria-label": `${label}: ${card.title}`, ...attributes }, label)
  );
  const again = action(words.again, start);
  const main = { class: "main" };
  const buttons = {
    new: [action(words.start, start, main)],
    at: [action(words.resume, resume, main), again],
    over: [again],
  };
  node.querySelector(".buttons").replaceChildren(...buttons[state]);
}
