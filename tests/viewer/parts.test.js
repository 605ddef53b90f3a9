// The address of the page before somebody keeps it, which is while the page still comes up.

import assert from "node:assert/strict";
import { test } from "node:test";

/** The module anew, at an address. */
async function at(search) {
  const history = { state: null };
  history.pushState = (state, title, address) => Object.assign(history, { state, address });
  history.replaceState = history.pushState;
  Object.assign(globalThis, { location: { search, pathname: "/", origin: "http://a" }, history, addEventListener() {} });
  return { history, ...await import(`../../explorer/ui/address.js?${Math.random()}`) };
}

/** Keeps sentence and tab; what it is asked for. */
function keeper() {
  const asked = [];
  return { asked, names: ["sentence", "tab"], rooms: ["lab"], write: () => asked.at(-1), restore: (given) => (asked.push(given), []) };
}

test("the language can be switched before anything is shown", async () => {
  const { currentQuery } = await at("?sentence=A+dog.&lab.station=2&utm_a=1");
  assert.equal(currentQuery({ lang: "de" }), "?sentence=A+dog.&lab.station=2&utm_a=1&lang=de");
});

test("a link is that of the address", async () => {
  const { currentLink } = await at("?sentence=A+dog.&utm_a=1");
  assert.equal(currentLink(), "http://a/?sentence=A+dog.");
});

test("where one goes before anything is shown is asked for as soon as it can be", async () => {
  const { navigate, registerPart, readPart, history } = await at("?sentence=A+dog.&utm_a=1"), kept = keeper();
  navigate({ sentence: "A cat.", tab: "lab" });
  assert.equal(history.address, "/?sentence=A+cat.&tab=lab&utm_a=1");
  assert.equal(readPart("tab"), "lab");
  registerPart("", kept);
  assert.deepEqual(kept.asked, [{ sentence: "A cat.", tab: "lab" }]);
});
