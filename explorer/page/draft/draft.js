// The status line of the page: what a request is waiting for, a running translation, or that the typed text is not yet
// translated.

import { onTranslationState, onTyped, typedText } from "../../ui/translation_request.js";
import { onView } from "../../ui/page_events.js";
import { registerWork } from "../../ui/rest.js";
import { onRequestStatus, cancel } from "../../ui/server.js";
import { formatDecimal } from "../../ui/numbers.js";
import { requireWords, fill } from "../../ui/text.js";
import { isUnsent } from "../unsent_text.js";

const WAITING_DELAY_MS = 50; // milliseconds; a faster response needs no message
const STOP_DELAY_MS = 2000; // milliseconds until the stop button appears, also if the server does not respond
const CAPTION = "#whole .told";
const TYPING_PAUSE_MS = 600; // milliseconds without a key, so that a screen reader does not announce every key

export function mount(element, words) {
  const root = element.querySelector(".draft");
  const text = requireWords(words);
  const line = root.querySelector("span");
  const stop = root.querySelector("button");
  let busy = false, isLong = false, status = null, shown = null, timer = null, longTimer = null;
  const setMessage = (message, sentence = "") => {
    if (line.textContent === message + sentence) return; // a screen reader would announce it again
    line.textContent = message;
    if (sentence) line.append(quoted(sentence, text.sourceCode));
  };
  const showStop = (isVisible) => {
    if (!isVisible && document.activeElement === stop) {
      /** @type {HTMLElement} */ (document.querySelector("[role=tab][aria-selected=true]")).focus();
    }
    stop.hidden = !isVisible;
  };
  const update = () => {
    showStop(status !== null || isLong);
    root.toggleAttribute("data-unsent", status === null && !busy);
    for (const caption of document.querySelectorAll(CAPTION)) captionHeight.observe(caption);
    if (status !== null) return setMessage(describeStatus(status, text));
    if (busy) return setMessage(text.translating);
    if (shown !== null && isUnsent(typedText(), shown)) setMessage(text.stillShows, shown.sentence);
    else setMessage("");
  };
  // The caption of the whole model, which a phone keeps at the bottom of its screen (look.css).
  const captionHeight = new ResizeObserver(([{ target }]) => {
    const isFixed = getComputedStyle(target).position === "fixed";
    const height = isFixed ? /** @type {HTMLElement} */ (target).offsetHeight : 0;
    root.style.setProperty("--caption-height", `${height}px`);
  });
  const scheduleUpdate = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      update();
    }, wait);
  };
  registerWork("draft", () => timer !== null);
  stop.addEventListener("click", () => cancel());
  onRequestStatus((newStatus) => {
    if (status === newStatus) return;
    status = newStatus;
    scheduleUpdate(status ? 0 : WAITING_DELAY_MS); // a long answer comes in several parts
  });
  onTranslationState((state) => {
    busy = state.busy;
    isLong = false;
    clearTimeout(longTimer);
    const onLong = () => {
      isLong = true;
      update();
    };
    if (busy) longTimer = setTimeout(onLong, STOP_DELAY_MS);
    scheduleUpdate(busy ? WAITING_DELAY_MS : 0);
  });
  onTyped(() => scheduleUpdate(TYPING_PAUSE_MS));
  onView(({ source }) => {
    if (source === shown) return; // another step or head
    shown = source;
    scheduleUpdate(0);
  });
}

/** A sentence in the model's language, marked as such for screen readers. */
function quoted(sentence, language) {
  const node = document.createElement("bdi");
  node.lang = language;
  node.translate = false;
  node.textContent = sentence;
  return node;
}

/** The position in the queue, the progress of a long answer, or that of a download. */
function describeStatus({ queue_position: position, done, loaded, total, seconds }, text) {
  if (position !== undefined) return position > 0 ? fill(text.queuePosition, { position }) : text.turn;
  if (done !== undefined) return fill(text.computing, { done, total });
  const megabytes = (bytes) => formatDecimal(bytes / 1e6, 1);
  return fill(text.loading, { loaded: megabytes(loaded), total: megabytes(total), seconds: Math.ceil(seconds) });
}
