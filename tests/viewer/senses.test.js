// English words with several meanings: which one a German has, which one is expected, and what another word replaces.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Senses, articleForms } from "../../explorer/derived/senses.js";
import { replacement } from "../../explorer/attention_view/sense_offer.js";
import { splitWords } from "../../explorer/derived/splitting.js";

const SENSES = new Senses([
  "crane cranes\tKran/Kräne, *kran: harbour steel\tKranich/Kraniche: bird lake*",
  "patient patients\tPatient/Patienten, *patient*: doctor\tgeduldig/, *geduld*: wait",
]);

/** Tokens of a sentence, one for each word. */
const piecesOf = (text) => text.split(" ").map((word) => ({ text: `·${word}`, special: false, starts_word: true }));
const wordsOf = (text) => splitWords(piecesOf(text));

const choicesIn = (english, german) => SENSES.choices(wordsOf(english), wordsOf(german)).map((choice) => (
  [choice.word.bare, choice.chosen.clean, choice.others, choice.expected?.name ?? null]));

test("a word whose German is known has the meanings that the German lacks", () => {
  assert.deepEqual(choicesIn("a crane", "ein Kran"), [["crane", "Kran", ["Kranich"], null]]);
  assert.deepEqual(choicesIn("two cranes", "zwei Baukran"), [["cranes", "Baukran", ["Kraniche"], null]]);
  assert.deepEqual(choicesIn("a crane and a crane", "ein Kran und ein Kran").length, 1, "each word once");
  assert.deepEqual(choicesIn("a crane", "ein Vogel"), [], "whose German is unknown");
  assert.deepEqual(choicesIn("a crane and a crane", "ein Kran und ein Kranich"), [], "all meanings are there");
});

test("a noun has a capital, and what is listed as the German goes before other words", () => {
  const senses = new Senses(["row rows\tReihe/Reihen, *schlange\trudern, *ruder*", "mean\tgemein\tMittel, mittel*"]);
  const chosen = (english, german) => senses.choices(wordsOf(english), wordsOf(german)).map((one) => one.chosen.clean);
  assert.deepEqual(chosen("in a row", "Mein Bruder sitzt in der Reihe"), ["Reihe"]);
  assert.deepEqual(chosen("they row", "Ihr Bruder in der Warteschlange rudert"), [], "both meanings are there");
  assert.deepEqual(chosen("in a row", "Mein Bruder steht in der Warteschlange"), ["Warteschlange"]);
  assert.deepEqual(chosen("she is mean", "Sie mittelte und war gemein"), ["gemein"]);
});

test("words beside it tell a meaning that the German lacks, if they tell no other", () => {
  assert.deepEqual(choicesIn("a crane by the lakes", "ein Kran"), [["crane", "Kran", ["Kranich"], "Kranich"]]);
  assert.deepEqual(choicesIn("a crane by the lakes", "die Kraniche"), [["crane", "Kraniche", ["Kran"], null]]);
  assert.deepEqual(choicesIn("a steel crane by the lake", "ein Kran"), [["crane", "Kran", ["Kranich"], null]]);
});

test("a form of a word may lack a meaning", () => {
  assert.deepEqual(choicesIn("patient", "Patient"), [["patient", "Patient", ["geduldig"], null]]);
  assert.deepEqual(choicesIn("patients wait", "Patienten"), []);
});

test("an article has its forms, as large as it is written; another word has none", () => {
  assert.deepEqual(articleForms("das"), ["der", "die", "das", "den", "dem", "des"]);
  assert.deepEqual(articleForms("Ihre"), ["Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer", "Ihres"]);
  assert.deepEqual(articleForms("diesen"), ["dieser", "diese", "dieses", "diesen", "diesem"]);
  assert.deepEqual(articleForms("dies"), ["dies"]);
  assert.deepEqual(articleForms("große"), ["große"]);
});

test("another word is tried behind all forms of the article before it", () => {
  const steps = piecesOf("Heute flog ein Kran").map((predicted) => ({ predicted }));
  const [crane] = wordsOf("Heute flog ein Kran").slice(-1);
  const { start, texts } = replacement({ steps }, crane, "Kranich");
  assert.equal(start, 2);
  assert.deepEqual(texts.slice(0, 2), ["ein Kranich", "eine Kranich"]);
  const [flew] = wordsOf("Heute flog ein Kran").slice(1);
  assert.deepEqual(replacement({ steps }, flew, "sprang"), { start: 1, texts: ["sprang"] });
});
