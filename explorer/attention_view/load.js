// Runs inside Gradio's component: `element`, `props`, `server` and `watch` are given by it.
import(new URL(props.modules, document.baseURI)).then(({ default: { [props.module]: { mount } } }) => {
  const viewer = mount(element, JSON.parse(props.settings), JSON.parse(props.view), server);
  viewer.receive(props.value);
  watch("value", () => viewer.receive(props.value));
});
