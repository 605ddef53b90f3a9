// What the picture and the sentences of a run are made from, in the tab and in its film.

import { effectSegments } from "../../changes/change_words.js";
import { theme } from "../../ui/page.js";

export class Scenes {
  /**
   * `nameOf(map, head)` is the name of a head (head_names.js).
   * @param {HTMLElement} root of the tab
   * @param {any} settings
   * @param {(map: AttentionMap, head: Heads) => import("../../attention_view/head_names.js").HeadName} nameOf
   */
  constructor(root, settings, nameOf) {
    this.root = root;
    this.settings = settings;
    this.nameOf = nameOf;
  }

  /** What the sentence about a place is made from. */
  caption(shown, boards, place) {
    const { trace, step, experiment } = shown;
    const { config } = this.settings;
    return {
      trace, step, config, experiment, effect: this.effectOf(shown), ...boards.tensorsOf(place),
      isMistaken: boards.isMistaken(place),
      nameOf: this.nameOf,
    };
  }

  /** What the change does, as a sentence; null without one. */
  effectOf({ comparison, trace, step, experiment, viewer: { source } }) {
    if (!comparison) return null;
    return effectSegments({ experiment, source, changed: trace }, { comparison, step }, this.settings.changes);
  }

  /** What the picture is made from. @returns {import("./picture/view.js").Scene} */
  picture({ trace, step, strips, experiment, comparison }, layout, bitmaps) {
    const { root, settings } = this;
    return {
      layout,
      config: settings.config,
      trace,
      step,
      strips,
      colours: settings.colours[theme()],
      theme: theme(),
      font: getComputedStyle(root).fontFamily,
      bitmaps,
      words: settings.text.picture,
      nameOf: this.nameOf,
      hovered: null,
      pointed: null,
      hiddenTokens: experiment.hidden ?? [],
      comparison,
    };
  }
}
