// Writes down the sentence of Explore, and tells Python of it: its value is the sentence when it was last looked at.

import { onChange } from "../../shared/desk.js";
import { onNewLook } from "../../shared/page.js";
import { fill } from "../../shared/text.js";

export function mount(element, props, tell) {
  const node = element.querySelector(".sentence");
  let sentence = "";
  const follow = () => {
    if (!node.offsetParent || sentence === props.value) return;
    node.textContent = fill(props.shown, { sentence });
    props.value = sentence;
    tell();
  };
  onChange(({ trace }) => {
    sentence = trace.sentence;
    follow();
  });
  onNewLook(node, follow);
}
