// How values are written in the page's address. A codec has `read(text)`, undefined for a text that is none of its values,
// and `write(value)`. In an address places count from one, as on the screen; ids of pieces are ids.

/** A whole number; in the address `from` is added to it. */
export const number = (from) => ({
  read: (text) => (/^\d{1,7}$/.test(text) && Number(text) >= from ? Number(text) - from : undefined),
  write: (value) => `${value + from}`,
});
export const id = number(0);
export const index = number(1);
export const text = { read: (value) => value, write: String };
export const flag = { read: (text) => [false, true][["0", "1"].indexOf(text)], write: (value) => (value ? "1" : "0") };

/** One of some values. */
export const among = (...values) => ({ read: (text) => values.find((value) => `${value}` === text), write: String });

/** An index, or one of some names. */
export const indexOr = (...names) => ({
  read: (text) => (names.includes(text) ? text : index.read(text)),
  write: (value) => (typeof value === "number" ? index.write(value) : value),
});

const allKnown = (values) => (values.includes(undefined) ? undefined : values);

/** Several values of one codec, joined by a sign. */
export const list = (codec, sign) => ({
  read: (text) => allKnown(text.split(sign).map(codec.read)),
  write: (values) => values.map(codec.write).join(sign),
});

/** An array with a codec for each place, as "cross.4.5". */
export const tuple = (...codecs) => ({
  read: (text) => {
    const parts = text.split(".");
    return parts.length === codecs.length ? allKnown(parts.map((part, i) => codecs[i].read(part))) : undefined;
  },
  write: (values) => values.map((value, i) => codecs[i].write(value)).join("."),
});

/** An object with a codec for each field, as "query.4". */
export function record(fields) {
  const names = Object.keys(fields), values = tuple(...Object.values(fields));
  return {
    read: (text) => {
      const read = values.read(text);
      return read && Object.fromEntries(names.map((name, i) => [name, read[i]]));
    },
    write: (value) => values.write(names.map((name) => value[name])),
  };
}
