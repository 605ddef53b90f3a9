// Which heads are compared, as a part of the address, and the middle of some numbers. No drawing here.

const choice = (text) => (text === "mean" ? text : /^[1-9]\d{0,3}$/.test(text) ? Number(text) - 1 : null);

/** "4.mean" as { layer: 3, head: "mean" }; null where it says nothing understandable. */
export function readHeads(text) {
  const [layer, head, ...more] = text.split(".").map(choice);
  return more.length || layer === null || head === null || head === undefined ? null : { layer, head };
}

export function writtenHeads({ layer, head }) {
  return [layer, head].map((found) => (found === "mean" ? found : found + 1)).join(".");
}

/** The median of numbers in order. */
export function middle(numbers) {
  const half = numbers.length / 2;
  return numbers.length % 2 ? numbers[Math.floor(half)] : (numbers[half - 1] + numbers[half]) / 2;
}
