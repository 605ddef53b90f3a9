// A button for every other language of the page: it leads to the same view there, and is remembered for other visits.

import { currentQuery } from "../../ui/address.js";
import { element } from "../../ui/element.js";
import { SESSION, store } from "../../ui/storage.js";

export const SWITCHED = "switched"; // what this tab of the browser remembers on the way to another language
const YEAR = 31_536_000; // seconds

/** `names` are those of the languages by their codes, `current` is the code of this page's, `hint` says what a button does. */
export function offerLanguages(place, { names, current, hint }) {
  const others = Object.entries(names).filter(([code]) => code !== current);
  place.replaceWith(...others.map(([code, name]) => {
    const short = element("span", { class: "code", "aria-hidden": "true" }, code.toUpperCase());
    const button = element("button", { type: "button", lang: code, title: hint[code] }, short, element("span", { class: "label" }, name));
    button.addEventListener("click", () => lead(code, current, Object.keys(names)[0]));
    return button;
  }));
}

/** The first language stands at the root of the page, each other one at a path beside it. */
function lead(code, current, first) {
  const root = new URL(current === first ? location.pathname : "./", location.href).pathname;
  document.cookie = `language=${code}; path=${root}; max-age=${YEAR}; samesite=lax`;
  store(SWITCHED, "1", SESSION);
  const address = new URL(root, location.origin);
  address.search = currentQuery({ lang: code });
  location.assign(address);
}
