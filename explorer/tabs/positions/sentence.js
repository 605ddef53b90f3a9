// Shows the sentence of Explore and its German so far, and tells Python of the sentence: its value is the sentence when it
// was last looked at.

import { Context } from "../../ui/context.js";
import { onView } from "../../ui/page_events.js";
import { onLookChange } from "../../ui/page.js";

export function mount(element, props, tell) {
  const node = element.querySelector(".context");
  let explore = null;
  const context = new Context(node, JSON.parse(props.context), (step) => explore.set({ step }));
  const follow = () => {
    if (!explore || !node.offsetParent) return;
    const { trace, view } = explore;
    context.draw(trace, view.step);
    if (trace.sentence === props.value) return;
    props.value = trace.sentence;
    tell();
  };
  onView((viewer) => {
    explore = viewer;
    follow();
  });
  onLookChange(node, follow);
}
