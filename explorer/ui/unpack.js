// Numbers as they travel: attention weights (explorer/recording/digits.py), and tensors (explorer/recording/payload.py).

const UNUSED = "\"\\&'<>"; // what JSON, or JSON inside a page, would write with more than one character
const ALPHABET = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((letter) => !UNUSED.includes(letter));
const BASE = ALPHABET.length, TOP = BASE ** 2 - 1;

/** What a character is worth, by its code. */
const DIGIT = new Uint8Array(128);
ALPHABET.forEach((letter, digit) => { DIGIT[letter.charCodeAt(0)] = digit; });

/** The weight that two characters stand for, by both of their codes: (level / TOP)^4. */
const WEIGHT = new Float64Array(128 * 128);
for (const high of ALPHABET) {
  for (const low of ALPHABET) {
    const [first, second] = [high.charCodeAt(0), low.charCodeAt(0)];
    const root = (DIGIT[first] * BASE + DIGIT[second]) / TOP, square = root * root;
    WEIGHT[first * 128 + second] = square * square;
  }
}

/**
 * So many weights, and the corrections after them: `places` of numbers among all that can be shown, in order, and the
 * `numbers` that stand there.
 */
export function unpack(text, count) {
  const weights = new Float64Array(count);
  for (let i = 0; i < count; i++) weights[i] = WEIGHT[text.charCodeAt(2 * i) * 128 + text.charCodeAt(2 * i + 1)];
  const digit = (place) => DIGIT[text.charCodeAt(place)];
  const length = (text.length - 2 * count) / 5;
  const places = new Float64Array(length), numbers = new Float64Array(length);
  for (let i = 0, from = 2 * count, place = 0; i < length; i++, from += 5) {
    place += digit(from) * BASE + digit(from + 1);
    places[i] = place;
    numbers[i] = ((digit(from + 2) * BASE + digit(from + 3)) * BASE + digit(from + 4)) / 1000;
  }
  return { weights, places, numbers };
}

/** Base64 of 32-bit floats, low bytes first, to numbers. */
export function floats(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}
