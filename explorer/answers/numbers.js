// Whether the numbers of an English sentence stand in its German: explorer/recording/numbers.py.

import { compilePattern } from "./python_text.js";

export class Numbers {
  /** `patterns` and lists of number words are those of the Python module (explorer/answers/data.py). */
  constructor({ patterns, germanNumbers, englishNumbers }) {
    this.german = new Map(Object.entries(germanNumbers));
    this.english = new Map(Object.entries(englishNumbers));
    const compileAll = (form, flags) => Object.fromEntries(Object.entries(patterns).map(([name, source]) => [name, compilePattern(form(source), flags)]));
    this.patterns = compileAll((source) => source, "g");
    this.wholes = compileAll((source) => `^(?:${source})$`);
  }

  find(name, text) {
    return text.match(this.patterns[name]) ?? [];
  }

  /** Whether a pattern matches a whole text. */
  isWhole(name, text) {
    return this.wholes[name].test(text);
  }

  /** The English words with a number, a code or an address that does not stand in the German translation. */
  missing(words, translation) {
    const found = this.germanNumbers(translation);
    return words.filter((_, i) => !this.isRendered(words, i, translation, found));
  }

  /** The numbers of a German text: in digits as written, and the parts of those in words. */
  germanNumbers(text) {
    const all = this.find("LETTERS", text.toLowerCase()), words = all.filter((word) => this.isWhole("NUMBER_WORD", word));
    const joined = text.replace(this.patterns.GROUP_BLANK, ""), atoms = words.flatMap((word) => this.find("ATOM", word));
    return {
      digits: new Set([...this.find("NUMBER", text), ...this.find("NUMBER", joined)]),
      atoms: new Set(atoms.map((atom) => this.german.get(atom))),
      hasWords: words.length > 0,
      isHalf: all.includes("halb"),
    };
  }

  isRendered(words, i, translation, found) {
    const { clean, isNumber } = words[i];
    if (this.find("ADDRESS", clean).length || this.isWhole("CODE", clean)) return translation.toLowerCase().includes(clean.toLowerCase());
    if (!isNumber) return this.hasNumberWords(words, i, found);
    return this.find("NUMBER", clean).every((number) => this.hasDigits(number, found));
  }

  /** Whether a number in digits stands in the German: as it is, with German marks, as an hour, or in words. */
  hasDigits(number, found) {
    const values = [...found.digits].filter((one) => this.isWhole("GERMAN_DECIMAL", one)).map((one) => Number(one.replaceAll(".", "").replace(",", ".")));
    const hasThousands = this.isWhole("ENGLISH_THOUSANDS", number), isDecimal = hasThousands || this.isWhole("ENGLISH_DECIMAL", number);
    if (isDecimal && values.includes(Number(number.replaceAll(",", "")))) return true;
    if (!hasThousands && [number, number.replaceAll(":", ".")].some((one) => found.digits.has(one))) return true;
    return this.hasTime(number, found) || (!found.digits.size && found.hasWords && this.hasWords(number, found));
  }

  /** Whether a number from 1 to 12, perhaps with minutes, stands in the German as an hour or in words. */
  hasTime(number, found) {
    const [, digits, minutes = "00"] = number.match(this.wholes.TIME) ?? [], hour = Number(digits ?? 0);
    if (hour < 1 || hour > 12) return false;
    const hours = [hour, hour + 12], shown = hours.flatMap((one) => [`${one}:${minutes}`, `${one}.${minutes}`, ...minutes === "00" ? [`${one}`] : []]);
    const isInWords = hasHour(hour, found) || (minutes !== "00" && hasHour((hour % 12) + 1, found));
    return isInWords || shown.some((one) => found.digits.has(one));
  }

  /** Whether the German may say in words what stands in digits; below 100, its tens and ones must be there. */
  hasWords(number, { atoms }) {
    const value = Number(number);
    if (!Number.isInteger(value) || value >= 100) return true;
    const parts = value < 20 ? [value] : [value - (value % 10), value % 10];
    return parts.every((part) => part < 2 || atoms.has(part));
  }

  /** Whether the numbers in words of the word at i stand in the German, whose "halb neun" is half past eight. */
  hasNumberWords(words, i, found) {
    const wanted = this.find("LETTERS", words[i].bare).filter((part) => this.english.has(part)).map((part) => this.english.get(part));
    if (!wanted.length || found.digits.size) return true;
    const [hour, ...more] = wanted, isPast = words.slice(Math.max(0, i - 2), i).map(({ bare }) => bare).join(" ") === "half past";
    if (isPast || (more.length === 1 && more[0] === 30)) {
      return (found.isHalf && hasHour((hour % 12) + 1, found)) || (found.atoms.has(hour) && found.atoms.has(30));
    }
    return wanted.every((number) => found.atoms.has(number));
  }
}

function hasHour(hour, { atoms }) {
  return atoms.has(hour) || hour === 1;
}
