// The controls of Positions: each has a value, as the server is asked for it, and a field of the address.

import { controlField, notifyChange } from "../../ui/address.js";
import { element } from "../../ui/element.js";
import { fill } from "../../ui/text.js";

/** All controls of the tab by their names; `changed()` is called after every change. */
export function controlsOf(root, settings, changed) {
  const controls = {};
  for (const node of root.querySelectorAll("input[type=range]")) controls[node.name] = slider(node, changed);
  for (const node of root.querySelectorAll("fieldset[name]")) controls[node.name] = choice(node, changed);
  for (const node of root.querySelectorAll("input[type=checkbox]")) controls[node.name] = tick(node, changed);
  for (const node of root.querySelectorAll(".dimensions")) controls.dimensions = dimensions(node, settings, changed);
  return controls;
}

function slider(node, changed) {
  const output = node.parentElement.querySelector("output");
  const show = () => {
    output.textContent = node.value;
    changed();
  };
  node.addEventListener("input", show);
  return { value: () => Number(node.value), field: controlField(node, show) };
}

function tick(node, changed) {
  node.addEventListener("change", changed);
  return { value: () => node.checked, field: controlField(node, changed) };
}

/** One of several radio buttons. */
function choice(group, changed) {
  const inputs = [...group.querySelectorAll("input")];
  const value = () => inputs.find(({ checked }) => checked).value;
  group.addEventListener("change", () => {
    notifyChange();
    changed();
  });
  const set = (text) => {
    const wanted = inputs.find((input) => input.value === text);
    if (wanted && !wanted.checked) {
      wanted.checked = true;
      changed();
    }
    return wanted !== undefined;
  };
  return { value, field: { get: value, set } };
}

/** A few dimensions of the table: a button leaves one out, a list adds another. */
function dimensions(group, { dimensions: first, width, text }, changed) {
  const chosen = group.querySelector("[data-role=chosen]"), more = group.querySelector("select"), most = Number(group.dataset.most);
  more.append(...Array.from({ length: width }, (_, dimension) => new Option(dimension, dimension)));
  let now = first;
  const draw = () => {
    chosen.replaceChildren(...now.map((dimension) => {
      const button = element("button", { type: "button", title: fill(text.remove, { dimension }) }, `${dimension}`);
      button.addEventListener("click", () => choose(now.filter((other) => other !== dimension)));
      return button;
    }));
    for (const option of more.options) option.disabled = now.includes(Number(option.value)) && option.value !== "";
    more.value = "";
    more.disabled = now.length === most;
  };
  const choose = (wanted) => {
    now = wanted;
    draw();
    notifyChange();
    changed();
  };
  more.addEventListener("change", () => choose([...now, Number(more.value)]));
  draw();
  const get = () => now.join(".");
  const set = (written) => {
    const wanted = written === "" ? [] : written.split(".").map(Number);
    const known = wanted.every((number) => Number.isInteger(number) && number >= 0 && number < width);
    if (!known || wanted.length > most || new Set(wanted).size < wanted.length) return false;
    if (written !== get()) choose(wanted);
    return true;
  };
  return { value: () => now, field: { get, set } };
}
