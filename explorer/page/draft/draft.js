// One line for the whole page: how many are ahead of what is awaited, that a translation is, or that what is typed is not
// yet what the picture shows.

import { onTranslationState } from "../../ui/translation_request.js";
import { onView } from "../../ui/page_events.js";
import { onTyped, typedText, setAutoDirection } from "../../ui/sentence_box.js";
import { onQueuePosition, cancel } from "../../ui/server.js";
import { requireWords, fill } from "../../ui/text.js";

const SOON = 50; // milliseconds: an answer that is there by then needs no sign
const LONG = 2000; // milliseconds: from then on one may stop waiting, also for a server that says nothing
const PAUSE = 600; // milliseconds without a key: a screen reader is not told of every one

export function mount(element, words) {
  const root = element.querySelector(".draft");
  setAutoDirection();
  const text = requireWords(words), line = root.querySelector("span"), stop = root.querySelector("button");
  let busy = false, long = false, ahead = null, shown = null, timer = null, longTimer = null;
  const say = (said) => {
    if (line.textContent !== said) line.textContent = said;
  };
  const offer = (offered) => {
    if (!offered && document.activeElement === stop) document.querySelector("[role=tab][aria-selected=true]").focus();
    stop.hidden = !offered;
  };
  const now = () => {
    const open = typedText();
    offer(ahead !== null || long);
    if (ahead !== null) return say(ahead > 0 ? fill(text.ahead, { ahead }) : text.turn);
    if (busy) return say(text.translating);
    say(shown === null || open === null || open === shown ? "" : fill(text.stillShows, { sentence: shown }));
  };
  const later = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(now, wait);
  };
  stop.addEventListener("click", () => cancel());
  onQueuePosition((number) => {
    if (ahead === number) return;
    ahead = number;
    later(0);
  });
  onTranslationState((state) => {
    busy = state.busy;
    long = false;
    clearTimeout(longTimer);
    if (busy) longTimer = setTimeout(() => { long = true; now(); }, LONG);
    later(busy ? SOON : 0);
  });
  onTyped(() => later(PAUSE));
  onView(({ trace }) => {
    if (trace.sentence === shown) return; // another step or head
    shown = trace.sentence;
    later(0);
  });
}
