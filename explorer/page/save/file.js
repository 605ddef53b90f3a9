// What there is instead of a file, and what a file is made of.

/** What the visitor is told, in a sentence, instead of being given a file. */
export class Refused extends Error {}

/** The bytes of a text in base64. */
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
