// Errors of saving, and decoding of base64.

/** An error whose message is shown to the visitor. */
export class SaveError extends Error {}

/** The bytes of a base64 text. */
export function decodeBase64(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
