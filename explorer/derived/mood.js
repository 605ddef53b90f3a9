// Whether the "wenn" of a German sentence has the mood of its English "if": "if you won, you would ..." is no fact, and
// neither is "wenn du gewonnen hättest". Forms of "haben" and "sein" alone are looked for, which end most such clauses;
// in a clause with another verb ("wenn du gehst") many accept the indicative.

import { wordSet } from "../ui/text.js";

const WOULD = wordSet("would wouldn't i'd you'd he'd she'd it'd we'd they'd that'd");
const PAST = wordSet(
  "were was weren't wasn't had hadn't did didn't could couldn't knew won came went got took gave saw found made said",
  "told left lost kept became met ate fell heard spoke bought ran thought felt brought sent wrote broke",
);
const REGULAR_PAST = /^\p{L}{2,}ed$/u;
const PRESENT = /^(?:am|are|is|have|has|do|does|don't|doesn't|can|will|feel|want|need)$|'(?:m|re|s|ve|ll)$/;
const MAX_SUBJECT = 3; // words between "if" and its verb: "the old man"
const CONDITIONAL = /^(?:hätte|wäre|würde|könnte|müsste|sollte|dürfte)(?:n|s?t)?$/;
const INDICATIVE = wordSet("habe hast hat habt haben bin bist ist seid sind");
const SENTENCE_END = /[.?!…]["”“»)]*$/;
const CLAUSE_END = /[,;:.?!…]["”“»)]*$/;

/**
 * The verb of a German condition, as a list, if it has the indicative though the English has "would ... if" with a past
 * form; none otherwise.
 *
 * @param {Word[]} english
 * @param {Word[]} german
 */
export function wrongMood(english, german) {
  if (english.slice(0, -1).some(({ text }) => SENTENCE_END.test(text))) return []; // "if" may stand in another sentence
  if (!isUnreal(english.map(({ bare }) => bare))) return [];
  const start = german.findIndex(({ bare }) => bare === "wenn" || bare === "falls");
  const length = german.slice(start).findIndex(({ text }, i) => i > 0 && CLAUSE_END.test(text)) + 1;
  const clause = german.slice(start, length ? start + length : german.length);
  const others = german.filter((word) => !clause.includes(word));
  const isConditional = (/** @type {Word} */ { bare }) => CONDITIONAL.test(bare);
  const [verb] = clause.slice(-1);
  const isWrong = start >= 0 && INDICATIVE.has(verb.bare) && others.some(isConditional);
  return isWrong ? [verb] : [];
}

/**
 * Whether an English sentence says what would be if something were so; what is after "when" may be a fact.
 * @param {string[]} words
 */
function isUnreal(words) {
  const start = words.indexOf("if");
  if (start < 0 || words.includes("when")) return false;
  const isPast = (/** @type {string} */ word) => PAST.has(word) || REGULAR_PAST.test(word);
  const condition = words.slice(start + 1, start + 2 + MAX_SUBJECT);
  const verb = condition.find((word, i) => PRESENT.test(word) || (i > 0 && isPast(word)));
  return verb !== undefined && isPast(verb) && words.some((word) => WOULD.has(word));
}
