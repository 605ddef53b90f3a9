// One line for the whole page: that a translation is awaited, or that what is typed is not yet what the picture shows.

import { onAsking } from "../../shared/asking.js";
import { onChange } from "../../shared/desk.js";
import { onTyped, typed } from "../../shared/sentence_box.js";
import { checked, fill } from "../../shared/text.js";

const SOON = 50; // milliseconds: an answer that is there by then needs no sign
const PAUSE = 600; // milliseconds without a key: a screen reader is not told of every one

export function mount(root, words) {
  const text = checked(words);
  let busy = false, shown = null, timer = null;
  const say = (said) => {
    if (root.textContent !== said) root.textContent = said;
  };
  const now = () => {
    const open = typed();
    if (busy) return say(text.translating);
    say(shown === null || open === null || open === shown ? "" : fill(text.stillShows, { sentence: shown }));
  };
  const later = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(now, wait);
  };
  onAsking((state) => {
    busy = state.busy;
    later(busy ? SOON : 0);
  });
  onTyped(() => later(PAUSE));
  onChange(({ trace }) => {
    if (trace.sentence === shown) return; // another step or head
    shown = trace.sentence;
    later(0);
  });
}
