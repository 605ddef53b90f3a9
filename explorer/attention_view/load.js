// Runs inside Gradio's component: `element`, `props`, `server` and `watch` are given by it.
VIEWER_MODULE.then(({ mount }) => {
  const viewer = mount(element, JSON.parse(props.settings), JSON.parse(props.view), server);
  viewer.receive(props.value);
  watch("value", () => viewer.receive(props.value));
});
