// Questions that are refused, because of their form or their content. Arguments have the form of JSON schemas, which
// Python's annotations give (Questions.schemas in explorer/ui/questions.py).

import { UserError } from "../ui/user_error.js";
import { formatText } from "../ui/format_text.js";

const TYPES = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => value !== null && typeof value === "object" && !Array.isArray(value),
};
const LIMITS = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMaximum: (value, limit) => value < limit,
  minItems: ({ length }, limit) => length >= limit,
  maxItems: ({ length }, limit) => length <= limit,
  enum: (value, allowed) => allowed.includes(value),
  const: (value, allowed) => value === allowed,
};

/** The place of the first fault in a value, as a JSON pointer; null if there is none. */
export function faultIn(value, schema, definitions = schema.$defs, place = "") {
  const { $ref: reference, anyOf, type } = schema;
  if (reference) return faultIn(value, definitions[reference.split("/").at(-1)], definitions, place);
  if (anyOf) return anyOf.some((each) => faultIn(value, each, definitions) === null) ? null : place;
  const limits = Object.entries(LIMITS).filter(([name]) => name in schema);
  if ((type && !TYPES[type](value)) || !limits.every(([name, isWithin]) => isWithin(value, schema[name]))) return place;
  const parts = type === "array" ? itemsOf(value, schema) : type === "object" ? fieldsOf(value, schema) : [];
  for (const [name, part, its] of parts) {
    const inner = its ? faultIn(part, its, definitions, `${place}/${name}`) : `${place}/${name}`;
    if (inner !== null) return inner;
  }
  return null;
}

/** The items of an array, each with its index and its schema. */
function itemsOf(array, { items, prefixItems }) {
  return [...array.entries()].map(([i, item]) => [i, item, prefixItems?.[i] ?? items ?? {}]);
}

/** The fields of an object, each with its name and its schema, undefined for one that may not be there; then what lacks. */
function fieldsOf(object, { properties = {}, required = [], additionalProperties }) {
  const others = additionalProperties === false ? undefined : {};
  const fields = Object.entries(object).map(([name, field]) => [name, field, Object.hasOwn(properties, name) ? properties[name] : others]);
  return [...fields, ...required.filter((name) => !Object.hasOwn(object, name)).map((name) => [name])];
}


/** Throws a UserError, with the place of the fault, unless a value has the form of a JSON schema; `words` as below. */
export function requireForm(value, schema, { words, language }) {
  const fault = faultIn(value, schema);
  if (fault !== null) throw new UserError(formatText(words.no_answer, { fault: fault || "/" }, language));
}

/** Throws a UserError if the number is none of a list's places; `words` are REFUSALS of explorer/ui. */
export function requireIndex(name, value, count, { words, language }) {
  if (!(value >= 0 && value < count)) throw new UserError(formatText(words.index, { name, last: count - 1, value }, language));
}
