// The controls of Positions, which are Gradio's own, as parts of the address.

import { registerFields, notifyChange } from "../../ui/address.js";

/** How a value is written, and read again where it is one that the control can have; else undefined. */
const KINDS = {
  number: {
    write: String,
    read: (text, { least, most, step }) => {
      const number = Number(text);
      return /^\d{1,6}$/.test(text) && number >= least && number <= most && (number - least) % step === 0 ? number : undefined;
    },
  },
  numbers: {
    write: (numbers) => numbers.join("."),
    read: (text, { values, count }) => {
      const numbers = text === "" ? [] : text.split(".").map(Number);
      return numbers.length <= count && numbers.every((number) => values.includes(number)) ? numbers : undefined;
    },
  },
  choice: { write: String, read: (text, { values }) => values.find((value) => value === text) },
  flag: { write: (on) => (on ? "1" : "0"), read: (text) => [false, true][["0", "1"].indexOf(text)] },
  text: { write: String, read: (text) => text },
};

let kept = null; // { values } as they are now, in the order of the controls

/**
 * `controls` is a list of { name, kind, first } with the limits of each; `restore()` asks Gradio for `wanted`. `reset`
 * names the button that Gradio gives every slider, in English alone.
 */
export function mount(controls, reset, restore) {
  for (const button of document.querySelectorAll("#positions-tab [data-testid=reset-button]")) button.setAttribute("aria-label", reset);
  kept = { values: controls.map(({ first }) => first) };
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => {
      asked = false;
      restore();
    });
  };
  registerFields("positions", Object.fromEntries(controls.map((control, i) => {
    const { write, read } = KINDS[control.kind];
    const set = (text) => {
      const value = read(text, control);
      if (value === undefined) return false;
      if (write(kept.values[i]) !== text) ask();
      kept.values[i] = value;
      return true;
    };
    return [control.name, { get: () => write(kept.values[i]), set }];
  })));
}

/** The values that the address asks for. */
export function wanted() {
  return kept.values;
}

/** The values as the visitor left them. */
export function tell(values) {
  if (!kept) return;
  kept.values = values;
  notifyChange();
}
