// Going from one tab of the page to another, and the attention view that the other rooms follow.

/** Tabs by their label: those that a narrow page moves into its menu have no other mark. */
function labelled(label) {
  const buttons = document.querySelectorAll("button[role=tab], .overflow-dropdown button");
  return [...buttons].find(({ textContent }) => textContent.trim() === label);
}

export function hasTab(label) {
  return labelled(label) !== undefined;
}

export function openTab(label) {
  labelled(label).click();
}

/** The attention view of Explore: its sentence is in `dataset.sentence`, and `look` changes what it shows. */
export function explored() {
  return document.querySelector("#viewer .viewer");
}

/**
 * Calls `follow(sentence)` whenever `node` is looked at while the sentence of Explore is another than before. What it
 * promises is whether it worked; if not, it is called again when the node is next looked at.
 */
export function followSentence(node, follow) {
  let last = null;
  const look = async () => {
    const { sentence } = explored().dataset;
    if (!node.offsetParent || sentence === undefined || sentence === last) return;
    last = sentence;
    if (!(await follow(sentence)) && last === sentence) last = null;
  };
  new MutationObserver(look).observe(explored(), { attributeFilter: ["data-sentence"] });
  new ResizeObserver(look).observe(node);
}
