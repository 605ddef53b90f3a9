// The text in the text box that was typed and not translated comes back after a reload or a change of language.

import { SESSION, store, readStored } from "../ui/storage.js";
import { onTranslationState, onTyped, typeText, typedText } from "../ui/translation_request.js";

const TEXT_KEY = "draft"; // session storage key of the typed text
const LANGUAGE_SWITCHED_KEY = "switched"; // session storage key, set while the language changes

/** Says that the page that is loaded next is this one in another language. */
export function announceLanguageSwitch() {
  store(LANGUAGE_SWITCHED_KEY, "1", SESSION);
}

/** Stores the typed text from now on; writes the one of before into the box once the address is `settled`. */
export async function keepUnsentText(settled) {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const text = readStored(TEXT_KEY, SESSION);
  const hasSwitchedLanguage = readStored(LANGUAGE_SWITCHED_KEY, SESSION) === "1";
  store(LANGUAGE_SWITCHED_KEY, "", SESSION);
  await settled;
  if (text !== null && (navigation.type === "reload" || hasSwitchedLanguage)) await typeText(text);
  const storeText = () => store(TEXT_KEY, typedText() ?? "", SESSION);
  onTyped(storeText);
  onTranslationState(storeText); // a chosen example causes no input event
}
