// Runs inside Gradio's component: `element`, `props`, `server` and `watch` are given by it.
import("VIEWER_URL").then(({ mount }) => {
  // `asked` only makes a view that is asked for again differ from the one before.
  const view = () => {
    const { asked, ...rest } = JSON.parse(props.view);
    return rest;
  };
  const viewer = mount(element, JSON.parse(props.settings), view(), server);
  viewer.receive(props.value);
  watch("value", () => viewer.receive(props.value));
  watch("view", () => viewer.show(view()));
});
