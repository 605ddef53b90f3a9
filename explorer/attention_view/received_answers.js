// How a view receives translations: in which view each is shown, which one is overtaken, and what is said meanwhile.

import { canPlay, playThrough } from "./introduction.js";
import { isTyping } from "../ui/keys.js";
import { focusPicture } from "../ui/page.js";
import { onTranslation, onTranslationState, settle } from "../ui/translation_request.js";

export class ReceivedAnswers {
  submission = -1; // the number of the request whose answer is shown
  next = null; // how the next answer is shown: { view, experiment, done, failed, since }

  /** Receives those that the visitor asks for, if the settings of the viewer say where that is, `asking`. */
  constructor(viewer) {
    this.viewer = viewer;
    if (!viewer.settings.asking) return;
    onTranslationState((state) => this.showRequestState(state));
    onTranslation((answer, number) => this.receive(answer, number));
  }

  /**
   * Shows the answer to a submission, a trace or { error }. A refusal leaves the picture as it is; an answer overtaken
   * by a newer one is dropped.
   */
  receive(answer, submission) {
    const { viewer } = this;
    settle(submission);
    if (submission < this.submission) return;
    this.submission = submission;
    viewer.part.message.textContent = answer.error ?? "";
    viewer.root.inert = answer.error !== undefined && !viewer.trace;
    const { view, done, experiment, plays = false } = this.viewOf(submission);
    if (!answer.error) viewer.showSource({ ...answer, submission }, view, experiment);
    done();
    if (plays && !answer.error) playThrough(viewer);
    if (!answer.error) this.moveFocus(answer);
  }

  /** Dims the old picture while a translation is pending, and shows a message if it fails. */
  showRequestState({ busy, failed, stopped, broke }) {
    const { part, root, settings: { text } } = this.viewer;
    root.setAttribute("aria-busy", busy);
    const isSaid = failed && !broke; // of an exception the toolbar tells
    if (busy || failed) part.message.textContent = isSaid ? text[stopped ? "stopped" : "noAnswer"] : "";
    if (!failed || !this.next) return;
    this.next.failed();
    this.next = null;
  }

  /**
   * The view that was asked for an answer, with its callback `done`; else the present one, at the default step, or
   * where a film of the sentence begins.
   */
  viewOf(submission) {
    const { next, viewer } = this;
    const { trace, view } = viewer;
    if (next && submission >= next.since) {
      this.next = null;
      return next;
    }
    if (!trace) return { view, done() {} };
    const plays = canPlay(viewer);
    return { view: { ...view, step: plays ? 0 : null, pin: null, cell: null }, done() {}, plays };
  }

  /**
   * Shows the next answer in this view, under an experiment, then calls `done`, also after a refusal; calls `failed` if
   * there is no answer.
   */
  showNextIn(view, { experiment, done, failed }) {
    this.next = { view, experiment, done, failed, since: Math.floor(performance.timeOrigin + performance.now()) };
  }

  /** Ignores the answers to all requests so far. */
  ignorePending() {
    this.next = null;
    this.submission = Math.ceil(performance.timeOrigin + performance.now());
    settle(this.submission);
  }

  /** Focus moves to the picture unless the user kept typing. */
  moveFocus({ sentence, typed }) {
    const { root, settings: { asking } } = this.viewer;
    const asker = /** @type {HTMLInputElement} */ (document.activeElement);
    if (!asking || !asker.closest(asking) || !root.offsetParent) return;
    if (!isTyping({ target: asker }) || asker.value.trim() === (typed ?? sentence)) focusPicture(root);
  }
}
