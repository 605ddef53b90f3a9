// The parts of each tab that can be saved as a picture.

/** By tab: selectors by name of a part, the default first, and `each`, a selector of parts that are named by their headings. */
const PARTS = {
  explore: { picture: "#viewer .plain, #viewer .views", overview: "#viewer .heads", all: "#viewer .viewer" },
  lab: { picture: "#lab .views", panel: "#lab .panel:not([hidden])", outcome: "#lab .outcome", overview: "#lab .heads", table: "#catalogue .meaning, #catalogue .wide", all: "#lab .lab" },
  inside: { all: "#inside .inside", picture: "#inside .account" },
  masks: { picture: "#masks .account", all: "#masks .masks" },
  predictions: { all: "#predictions .predictions", each: "#predictions .part" },
  positions: { each: "#positions .part", all: "#positions .positions" },
  architecture: { picture: "#architecture .figure", each: "#architecture .part", all: "#architecture .architecture" },
  training: { curves: "#training .opening .figure", picture: "#training .views", pace: "#training .pace", all: "#training .training" },
};
const HEADINGS = "h2, h3";

const isVisible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().height > 0;

/** The visible parts as { name, label, nodes }; `words` are the labels of parts without a heading. */
export function partsOf(tab, words) {
  const { each = null, ...parts } = PARTS[tab] ?? { all: `#${tab}-tab` };
  const namedParts = Object.entries(parts).map(([name, selector]) => (
    { name, label: words[name], nodes: [...document.querySelectorAll(selector)].filter(isVisible) }
  ));
  const headedNodes = each ? [...document.querySelectorAll(each)].filter(isVisible) : [];
  const wholeTab = namedParts.filter(({ name }) => name === "all"), otherParts = namedParts.filter(({ name }) => name !== "all");
  const headedParts = headedNodes.flatMap((node, number) => {
    const label = node.querySelector(HEADINGS)?.textContent.trim();
    return label ? [{ name: `part${number + 1}`, label, headed: true, nodes: [node] }] : [];
  });
  const [first] = Object.keys({ ...PARTS[tab] });
  return (first === "all" ? [...wholeTab, ...otherParts, ...headedParts] : [...otherParts, ...headedParts, ...wholeTab]).filter(({ nodes }) => nodes.length);
}
