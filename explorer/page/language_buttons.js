// The buttons that open the same view in another language.

import { currentSearch } from "../ui/address.js";
import { button, element } from "../ui/element.js";
import { announceLanguageSwitch } from "./unsent_text.js";

const COOKIE_SECONDS = 31_536_000; // a year

/**
 * Puts them where `slot` is. `names` are names of languages by code, `current` is the code of this page, `short` and
 * `hint` are what buttons and their tooltips say, by code.
 */
export function addLanguageButtons(slot, { names, current, short, hint }) {
  const others = Object.entries(names).filter(([code]) => code !== current);
  slot.replaceWith(...others.map(([code, name]) => {
    const visible = element("span", { class: "code", "aria-hidden": "true" }, short[code]);
    return button(
      () => openLanguage(code, current, Object.keys(names)[0]),
      { lang: code, title: hint[code] },
      visible,
      element("span", { class: "label" }, name),
    );
  }));
}

/** Opens the page in a language: the first language is at the root, the others at paths below it. */
function openLanguage(code, current, first) {
  const root = new URL(current === first ? location.pathname : "./", location.href).pathname;
  document.cookie = `language=${code}; path=${root}; max-age=${COOKIE_SECONDS}; samesite=lax`;
  announceLanguageSwitch();
  const address = new URL(root, location.origin);
  address.search = currentSearch({ lang: code });
  location.assign(address);
}
