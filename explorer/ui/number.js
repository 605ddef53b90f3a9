// Numbers on the screen.

/** A whole number with its thousands apart: by a comma in English, elsewhere by a narrow space, for a comma may be a decimal sign. */
export function grouped(number) {
  const text = number.toLocaleString("en");
  return globalThis.document?.documentElement.lang.startsWith("en") ?? true ? text : text.replaceAll(",", "\u202f");
}
