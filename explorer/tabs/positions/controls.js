// The controls of Positions: each has a value for requests and a URL field.

import { controlField, notifyChange } from "../../ui/address.js";
import { button } from "../../ui/element.js";
import { fill } from "../../ui/text.js";

const MAX_DIMENSIONS = 7; // curves in one figure

/** All controls of the tab by name; every change calls `onChange()`. `selection` is for `createDimensions`. */
export function createControls(root, selection, onChange) {
  const controls = {};
  const all = (selector) => root.querySelectorAll(selector);
  for (const node of all("input[type=range]")) controls[node.name] = createSlider(node, onChange);
  for (const node of all("fieldset[name]")) controls[node.name] = createChoice(node, onChange);
  for (const node of all("input[type=checkbox]")) controls[node.name] = createCheckbox(node, onChange);
  for (const node of all(".dimensions")) controls.dimensions = createDimensions(node, selection, onChange);
  return controls;
}

function createSlider(node, onChange) {
  const output = node.parentElement.querySelector("output");
  const show = () => {
    output.textContent = node.value;
    onChange();
  };
  node.addEventListener("input", show);
  return { value: () => Number(node.value), field: controlField(node, show) };
}

function createCheckbox(node, onChange) {
  node.addEventListener("change", onChange);
  return { value: () => node.checked, field: controlField(node, onChange) };
}

/** A group of radio buttons. */
function createChoice(group, onChange) {
  const inputs = [...group.querySelectorAll("input")];
  const value = () => inputs.find(({ checked }) => checked).value;
  group.addEventListener("change", () => {
    notifyChange();
    onChange();
  });
  const set = (text) => {
    const selection = inputs.find((input) => input.value === text);
    if (selection && !selection.checked) {
      selection.checked = true;
      onChange();
    }
    return selection !== undefined;
  };
  return { value, field: { get: value, set } };
}

/** A selection from `width` dimensions, at first `initial`: buttons remove one, a select adds one. */
function createDimensions(group, { initial, width, text }, onChange) {
  const chips = group.querySelector("[data-role=chosen]");
  const select = group.querySelector("select");
  select.append(...Array.from({ length: width }, (_, dimension) => new Option(`${dimension}`, `${dimension}`)));
  let current = initial;
  const draw = () => {
    chips.replaceChildren(...current.map((dimension) => {
      const remove = () => choose(current.filter((other) => other !== dimension));
      return button(remove, { title: fill(text.remove, { dimension }) }, `${dimension}`);
    }));
    for (const option of select.options) {
      option.disabled = current.includes(Number(option.value)) && option.value !== "";
    }
    select.value = "";
    select.disabled = current.length === MAX_DIMENSIONS;
  };
  const choose = (selection) => {
    current = selection;
    draw();
    notifyChange();
    onChange();
  };
  select.addEventListener("change", () => choose([...current, Number(select.value)]));
  draw();
  const get = () => current.join(".");
  const set = (encoded) => {
    const selection = encoded === "" ? [] : encoded.split(".").map(Number);
    const isValid = selection.every((number) => Number.isInteger(number) && number >= 0 && number < width);
    if (!isValid || selection.length > MAX_DIMENSIONS || new Set(selection).size < selection.length) return false;
    if (encoded !== get()) choose(selection);
    return true;
  };
  return { value: () => current, field: { get, set } };
}
