// The text box, the button and the examples above all views.

import { translate as translateText } from "../../derived/translation.js";
import { lengthOf, strip } from "../../engine/python_text.js";
import { element } from "../../ui/element.js";
import { isEnter } from "../../ui/keys.js";
import { connectBox, submit } from "../../ui/translation_request.js";
import { fill } from "../../ui/text.js";

const NEAR = 0.8; // of the limit, from which on characters are counted

export function mount(root, { counter }, model) {
  const box = root.querySelector("#sentence input");
  const count = root.querySelector("#counter");
  const translate = ({ isTyped }) => {
    const text = box.value;
    submit(() => translateText(model, text, { isTyped }));
  };
  const translateTyped = () => translate({ isTyped: true });
  const countCharacters = () => {
    const length = lengthOf(strip(box.value)); // as a refusal counts them
    const text = fill(counter.text, { length, limit: counter.limit });
    const state = length > counter.limit ? "over" : length < NEAR * counter.limit ? "far" : "";
    count.replaceChildren(element("span", { class: `counter ${state}` }, text));
  };
  root.querySelector("#translate").addEventListener("click", translateTyped);
  box.addEventListener("input", countCharacters);
  box.addEventListener("keydown", (event) => {
    if (isEnter(event)) translateTyped();
  });
  const examples = root.querySelector("#examples select");
  examples.addEventListener("change", () => {
    box.value = examples.value;
    examples.value = ""; // it offers, and does not say what is shown
    countCharacters();
    translate({ isTyped: false });
  });
  countCharacters();
  connectBox(box, translate);
}
