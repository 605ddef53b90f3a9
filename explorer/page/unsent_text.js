// The text in the text box that was typed and not translated comes back after a reload or a change of language. What a
// lesson, a link or a class put there is translated, and none.

import { currentView, onView } from "../ui/page_events.js";
import { SESSION, forget, store, readStored } from "../ui/storage.js";
import { onTranslationState, onTyped, typeText, typedText } from "../ui/translation_request.js";

const TEXT_KEY = "draft"; // session storage key of the typed text
const LANGUAGE_SWITCHED_KEY = "switched"; // session storage key, set while the language changes

/** Says that the page that is loaded next is this one in another language. */
export function announceLanguageSwitch() {
  store(LANGUAGE_SWITCHED_KEY, "1", SESSION);
}

/** Whether a text in the box is another than that of the translation that is shown. */
export function isUnsent(text, { sentence, typed = null }) {
  return text !== null && text !== (typed ?? sentence);
}

function keepText() {
  const text = typedText();
  if (isUnsent(text, currentView().source)) store(TEXT_KEY, text, SESSION);
  else forget(TEXT_KEY, SESSION);
}

/** Stores the unsent text from now on; writes the one of before into the box once the address is `settled`. */
export async function keepUnsentText(settled) {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const text = readStored(TEXT_KEY, SESSION);
  const hasSwitchedLanguage = readStored(LANGUAGE_SWITCHED_KEY, SESSION) === "1";
  store(LANGUAGE_SWITCHED_KEY, "", SESSION);
  await settled;
  if (text !== null && (navigation.type === "reload" || hasSwitchedLanguage)) await typeText(text);
  keepText();
  onTyped(keepText);
  onTranslationState(keepText); // a chosen example causes no input event
  onView(keepText); // the translation is there
}
