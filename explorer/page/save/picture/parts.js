// Which parts of each tab can be a picture of their own; the first one that is seen comes first.

/** By tab: selectors by the name of a part, and `each`, parts that are called by their own headings. */
const PARTS = {
  explore: { picture: "#viewer .plain, #viewer .views", overview: "#viewer .heads", all: "#viewer .viewer" },
  lab: { picture: "#lab .views", panel: "#lab .panel:not([hidden])", outcome: "#lab .outcome", overview: "#lab .heads", all: "#lab .lab" },
  inside: { all: "#inside .inside", picture: "#inside .account" },
  masks: { picture: "#masks .account", all: "#masks .masks" },
  predictions: { all: "#predictions .predictions", each: "#predictions .part" },
  positions: { each: "#positions .part", all: "#positions .positions" },
  catalogue: { table: "#catalogue .meaning, #catalogue .wide", all: "#catalogue .catalogue" },
  architecture: { picture: "#architecture .figure", each: "#architecture .part", all: "#architecture .architecture" },
  training: { curves: "#training .opening .figure", picture: "#training .views", pace: "#training .pace", all: "#training .training" },
};
const HEADINGS = "h2, h3";

const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().height > 0;

/** The parts in sight as { name, label, nodes }; `words` are the labels of those without a heading of their own. */
export function partsOf(tab, words) {
  const { each = null, ...parts } = PARTS[tab] ?? { all: `#${tab}-tab` };
  const named = Object.entries(parts).map(([name, selector]) => (
    { name, label: words[name], nodes: [...document.querySelectorAll(selector)].filter(seen) }
  ));
  const headed = each ? [...document.querySelectorAll(each)].filter(seen) : [];
  const whole = named.filter(({ name }) => name === "all"), rest = named.filter(({ name }) => name !== "all");
  const own = headed.flatMap((node, number) => {
    const label = node.querySelector(HEADINGS)?.textContent.trim();
    return label ? [{ name: `part${number + 1}`, label, headed: true, nodes: [node] }] : [];
  });
  const [first] = Object.keys({ ...PARTS[tab] });
  return (first === "all" ? [...whole, ...rest, ...own] : [...rest, ...own, ...whole]).filter(({ nodes }) => nodes.length);
}
