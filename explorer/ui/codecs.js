// Codecs of values in the page's address: `read(text)` returns undefined for an invalid text, `write(value)` returns
// the text. Indices in an address count from one, as on the screen; ids of pieces stay as they are.

/** An integer, written with `from` added to it. */
export const number = (from) => ({
  read: (text) => (/^\d{1,7}$/.test(text) && Number(text) >= from ? Number(text) - from : undefined),
  write: (value) => `${value + from}`,
});
export const id = number(0);
export const index = number(1);
export const text = { read: (value) => value, write: String };
export const flag = { read: (text) => [false, true][["0", "1"].indexOf(text)], write: (value) => (value ? "1" : "0") };

/** One of several values. */
export const among = (...values) => ({ read: (text) => values.find((value) => `${value}` === text), write: String });

/** An index, or one of several names. */
export const indexOr = (...names) => ({
  read: (text) => (names.includes(text) ? text : index.read(text)),
  write: (value) => (typeof value === "number" ? index.write(value) : value),
});

const allOrNone = (values) => (values.includes(undefined) ? undefined : values);

/** A list of values of one codec, joined by a separator. */
export const list = (codec, separator) => ({
  read: (text) => allOrNone(text.split(separator).map(codec.read)),
  write: (values) => values.map(codec.write).join(separator),
});

/** An array with a codec for each element, as "cross.4.5". */
export const tuple = (...codecs) => ({
  read: (text) => {
    const parts = text.split(".");
    return parts.length === codecs.length ? allOrNone(parts.map((part, i) => codecs[i].read(part))) : undefined;
  },
  write: (values) => values.map((value, i) => codecs[i].write(value)).join("."),
});

/** An object with a codec for each field, as "query.4". */
export function record(fields) {
  const names = Object.keys(fields);
  const values = tuple(...Object.values(fields));
  return {
    read: (text) => {
      const read = values.read(text);
      return read && Object.fromEntries(names.map((name, i) => [name, read[i]]));
    },
    write: (value) => values.write(names.map((name) => value[name])),
  };
}
