// The panel Hide a token: the tokens of the source that nothing may attend to.

import { withTokenSwitched } from "../../changes/experiments.js";
import { button } from "../../ui/element.js";
import { keepFocus } from "../../ui/page.js";
import { fill, plainPiece } from "../../ui/text.js";
import { Panel } from "../panel.js";

export class Hide extends Panel {
  drawnState = "";

  draw() {
    const { drawer: { readSource, experiment: { hidden = [] } }, part } = this;
    const state = JSON.stringify([readSource.map(({ text }) => text), hidden]);
    if (this.drawnState === state) return;
    this.drawnState = state;
    const pieces = readSource.map((piece, index) => this.piece(piece, index, hidden.includes(index)));
    keepFocus(part.pieces, () => part.pieces.replaceChildren(...pieces));
  }

  piece(piece, index, isHidden) {
    const { drawer: { change }, text } = this;
    const name = plainPiece(piece.text);
    const title = fill(isHidden ? text.show : text.hide, { piece: name, place: index + 1 });
    const toggle = () => change.set(withTokenSwitched(change.experiment, index));
    return button(toggle, { title, "aria-pressed": isHidden }, name);
  }
}
