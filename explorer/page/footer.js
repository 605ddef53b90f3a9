// The footer: its links need no script, but Gradio's description of the API opens by Gradio's own button, which is hidden.

export function mount(root) {
  root.querySelector("[data-footer=api]").addEventListener("click", () => document.querySelector("footer .show-api").click());
}
