// How a run is presented, in the tab and in its film: the scene that is drawn, and what captions are made from.

import { effectSegments } from "../../changes/change_words.js";
import { theme } from "../../ui/page.js";

export class Presentation {
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

  /** What the caption of a place is made from. */
  captionContext(shown, boards, place) {
    const { trace, step, experiment } = shown;
    const { config } = this.settings;
    return {
      trace, step, config, experiment, effect: this.effectOf(shown), ...boards.tensorsOf(place),
      isMistaken: boards.isMistaken(place),
      largestProduct: (...of) => boards.largestProduct(...of),
      nameOf: this.nameOf,
    };
  }

  /** What the change does, as a sentence; null without one. */
  effectOf({ comparison, trace, step, experiment, viewer: { source } }) {
    if (!comparison) return null;
    return effectSegments({ experiment, source, changed: trace }, { comparison, step }, this.settings.changes);
  }

  /** The family of the letters. */
  font() {
    return getComputedStyle(this.root).fontFamily;
  }

  /**
   * The scene in the page's colours, or in those of another theme.
   * @returns {import("./picture/view.js").PictureScene}
   */
  pictureScene({ trace, step, strips, experiment, comparison }, layout, bitmaps, inTheme = theme()) {
    const { settings } = this;
    return {
      layout,
      config: settings.config,
      trace,
      step,
      strips,
      colours: settings.colours[inTheme],
      theme: inTheme,
      font: this.font(),
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
