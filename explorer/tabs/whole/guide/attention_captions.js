// The sentences about an attention block and about one of its heads. Pure.

import { favouriteKey, headLook, layerLooks, restingKey, strongestOf } from "../../../derived/head_looks.js";
import { fillSegments } from "../../../ui/segments.js";
import { formatInteger, formatPercent } from "../../../ui/numbers.js";
import { joinList } from "../../../ui/text.js";

/** @typedef {import("./subject.js").Subject} Subject */
/** @typedef {import("../../../ui/segments.js").Segments} Segments */

const MOST_LOOKS = 3; // that one sentence names
const AGREEING = ["all", "both"]; // see agreement

/**
 * The caption of an attention block.
 * @param {Subject} subject
 * @returns {Segments}
 */
export function attentionCaption(subject) {
  const { place: { stack, block, layer }, map, words: { changes }, context: { config } } = subject;
  if (!map.headsOn(layer).length) return fillSegments(changes.allOff[config.bias ? "bias" : "none"], {});
  if (block === "cross") return crossCaption(subject);
  return stack === "encoder" ? selfCaption(subject) : maskedCaption(subject);
}

/** Why there are several heads, and what they look at. */
function selfCaption(subject) {
  const { words: { self: words }, map, place: { layer } } = subject;
  const heads = map.headsOn(layer).length;
  const rule = fillSegments(words[heads === 1 ? "one" : "several"], { heads });
  if (!map.ready) return rule;
  const named = groupedLooks(map, layer);
  if (!named.length) return rule;
  const groups = named.flatMap(([look, numbers], i) => {
    const group = words[i ? "other" : "first"][numbers.length === 1 ? "one" : "several"];
    const parts = fillSegments(group, { numbers: joinList(numbers), where: whereOf(subject, look) });
    return i ? [{ text: words.between }, ...parts] : parts;
  });
  return subject.explained(rule, fillSegments(words.looks, { groups }));
}

/** The looks of most heads with the heads' numbers; heads that look here and there are left out. */
function groupedLooks(map, layer) {
  const groups = new Map();
  for (const [head, { look }] of layerLooks(map, layer).entries()) {
    if (look === "mixed" || map.isOff(layer, head)) continue;
    groups.set(look, [...(groups.get(look) ?? []), `${head + 1}`]);
  }
  return [...groups].sort(([, one], [, other]) => other.length - one.length).slice(0, MOST_LOOKS);
}

/** Where a head looks. */
function whereOf(subject, look) {
  const { words: { where }, map } = subject;
  return look === "rest" ? fillSegments(where.rest, { token: subject.key(restingKey(map)) }) : where[look];
}

/** Why there is a mask, and what the row of the step takes from what it may see. */
function maskedCaption(subject) {
  const { words: { masked }, map, row, place: { layer }, context: { trace } } = subject;
  const isLast = row === trace.steps.length - 1; // what it writes is no row
  const rule = fillSegments(masked.rule[isLast ? "last" : "before"], subject.pair().values);
  const start = subject.query(0);
  if (row === 0) return subject.explained(rule, fillSegments(masked.first, { start }));
  if (!map.ready) return rule;
  const key = strongestOf(map, layer, "mean", row);
  const percent = formatPercent(map.weight(layer, "mean", row, key));
  const values = { fed: subject.query(), start, key: subject.key(key), percent };
  return subject.explained(rule, fillSegments(key === 0 ? masked.rest : masked.moved, values));
}

/** Who asks and who offers; how far the heads agree on where to look; what they take from there is each head's own. */
function crossCaption(subject) {
  const { words: { cross }, map, row, place: { layer }, context: { config, effect } } = subject;
  const aim = subject.aim();
  const rule = fillSegments(cross.rule, { fed: subject.query() });
  if (!map.ready) return subject.explained(rule, fillSegments(cross.waiting, { aim }));
  const heads = map.headsOn(layer).length;
  const { key, count } = favouriteKey(map, layer, row);
  const percent = formatPercent(map.weight(layer, "mean", row, key));
  const values = { aim, heads, count, percent, key: subject.key(key) };
  const variant = agreement(count, heads);
  const where = fillSegments(cross[variant], values);
  if (effect || !AGREEING.includes(variant)) return subject.explained(rule, where);
  return subject.explained(rule, where, fillSegments(cross.own, { size: formatInteger(config.d_value) }));
}

/** How far the heads of a layer agree, as the words call it: so many of them look most at the same key. */
function agreement(count, heads) {
  if (heads === 1) return "one";
  if (count === heads) return heads === 2 ? "both" : "all";
  if (count === 1) return "each";
  return 2 * count >= heads ? "some" : "few";
}

/**
 * The caption of a head: where it looks in this sentence, what it is called elsewhere if that is something else, and
 * what the row takes.
 * @param {Subject} subject
 * @returns {Segments}
 */
export function headCaption(subject) {
  const { words: { changes, head: words }, map, place: { layer, head }, context: { isMistaken } } = subject;
  if (map.isOff(layer, head)) return fillSegments(changes.headOff, { head: head + 1 });
  if (!map.ready) {
    const title = fillSegments(words.waiting, { head: head + 1, heads: map.heads });
    return subject.join(title, fillSegments(words.work, {}));
  }
  const sentences = [...looks(subject, words), strongest(subject, words.row)];
  return subject.join(...(isMistaken ? [fillSegments(words.mistaken, {})] : []), ...sentences);
}

/** The same in a list, after the head's name. */
export function headInList(subject) {
  const { words: { changes, head: words }, map, place: { layer, head } } = subject;
  if (map.isOff(layer, head)) return fillSegments(changes.headOff, { head: head + 1 });
  if (!map.ready) return fillSegments(words.work, {});
  return subject.join(...looks(subject, words.list), strongest(subject, words.short));
}

/**
 * Where a head looks, in how many rows, and its measured name; the row that is meant may be another one.
 * @param {Subject} subject
 */
function looks(subject, templates) {
  const { map, place: { layer, head } } = subject;
  const { look, count, rows } = headLook(map, layer, head);
  const variant = look === "mixed" ? "mixed" : count === rows ? "always" : "look";
  const where = fillSegments(templates[variant], { head: head + 1, where: whereOf(subject, look), count, rows });
  return [where, ...measuredName(subject, look)];
}

/**
 * The name that was measured on many sentences, if this one does not suggest it; it is of the unchanged model.
 * @param {Subject} subject
 */
function measuredName({ words, context: { effect, nameOf }, map, place: { layer, head } }, look) {
  if (effect || !nameOf) return [];
  const { full, here } = nameOf(map, { layer, head });
  return full && (here || look === "mixed") ? [fillSegments(words.head.measured, { name: full })] : [];
}

/** What the meant row of a head takes most from; `templates` by stack. */
function strongest(subject, templates) {
  const { map, row, place: { stack, layer, head } } = subject;
  const key = strongestOf(map, layer, head, row);
  const percent = formatPercent(map.weight(layer, head, row, key));
  return fillSegments(templates[stack], { percent, key: subject.key(key), ...subject.looker() });
}
