// What visitors pass on of the page as a text: a link to what is shown, or HTML with it.

import { element } from "../ui/element.js";

const LOOPBACK = /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/;

/** Whether a link leads nobody to the page but who sits at this computer. */
export function isLocal(link) {
  return LOOPBACK.test(new URL(link).hostname);
}

/**
 * Copies a text with a link in it. Resolves to what the visitor is told: `copied`, or `copiedLocal` of a local link; or
 * `copyByHand` with a field called `label`, if the page may not use the clipboard (in a frame, or not over HTTPS).
 *
 * @param {string} content
 * @param {string} link
 * @param {Record<string, string>} text
 * @returns {Promise<(string | Node)[]>}
 */
export async function copy(content, link, { copied, copiedLocal, copyByHand, label }) {
  if (await copyToClipboard(content)) return [isLocal(link) ? copiedLocal : copied];
  const field = element("input", { readonly: "", value: content, "aria-label": label });
  queueMicrotask(() => field.select());
  return [copyByHand, field];
}

/** Resolves to whether the clipboard took a text. */
export async function copyToClipboard(content) {
  const isRefused = (reason) => reason.name === "NotAllowedError";
  return navigator.clipboard?.writeText(content).then(() => true, (reason) => {
    if (isRefused(reason)) return false;
    throw reason;
  });
}
