// The panel Another token: the candidates of a step, and a beginning of one's own.

import { predictedIds } from "../../derived/differences.js";
import { button, onSubmit } from "../../ui/element.js";
import { formatDecimal } from "../../ui/numbers.js";
import { isolate } from "../../ui/scripts.js";
import { fill, plainPiece } from "../../ui/text.js";
import { Panel } from "../panel.js";

export class Fork extends Panel {
  constructor(node, drawer, settings) {
    super(node, drawer, settings);
    // The model refuses a text without pieces.
    const { form, text } = this.part;
    onSubmit(form, () => drawer.tokenizeTarget(text.value, ({ ids }) => drawer.viewer.force(ids)));
  }

  draw() {
    const { drawer: { trace, step }, part, text } = this;
    const { candidates, fed, predicted } = trace.steps[step];
    part.at.textContent = fill(text.at, { step: step + 1, fed: isolate(plainPiece(fed.text)) });
    part.candidates.replaceChildren(...candidates.map((candidate) => this.candidateButton(candidate, predicted)));
  }

  candidateButton({ id, text, probability }, predicted) {
    const { drawer } = this;
    const piece = plainPiece(text);
    const number = formatDecimal(probability, 3);
    const go = () => drawer.viewer.force([...predictedIds(drawer.trace).slice(0, drawer.step), id]);
    const title = fill(this.text.candidate, { piece, probability: number });
    const node = button(go, { title }, `${isolate(piece)} ${number}`);
    node.disabled = id === predicted.id;
    return node;
  }
}
