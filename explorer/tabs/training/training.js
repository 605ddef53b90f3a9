// The training tab: the curves of the run and, where the checkpoint has one, its story.

import { Curves } from "./curves.js";
import { dropPointerFocus } from "../../ui/page.js";
import { Player } from "./player.js";
import { fetchStory } from "./story.js";
import { StoryFault } from "./story_check.js";
import { fill, requireWords } from "../../ui/text.js";
import { mount as mountViewer } from "../../attention_view/viewer.js";

export async function mount(element, settings) {
  const root = element.querySelector(".training");
  dropPointerFocus(root);
  const curves = settings.curves && new Curves(root, settings.curves, settings.plotly);
  root.classList.toggle("without-story", !settings.story);
  if (!settings.story) return;
  const message = root.querySelector("[data-role=message]");
  const text = requireWords(settings.story.text);
  message.textContent = text.loading;
  const failure = (error) => (error instanceof StoryFault ? fill(text.faulty, { field: error.field || "{}" }) : text.notLoaded);
  let story;
  try {
    story = await fetchStory(settings.story.url, { stopped: text.stopped, labels: settings.story.labels });
  } catch (error) {
    message.textContent = failure(error);
    return;
  }
  message.textContent = "";
  for (const node of root.querySelectorAll("[data-story]")) node.hidden = false;
  curves?.set({ steps: [...curves.steps, ...story.moments.map(({ step }) => step)] });
  const viewer = mountViewer(element, settings);
  new Player(root, story, { viewer, curves, text });
}
