// Positions the definition of a glossary term (explorer/ui/glossary.py) beside its word and on the screen.

const MARGIN_PX = 6; // to the word and to the edges of the screen

/** Positions the definition of the hovered or focused term, also while the page scrolls. */
export function positionDefinitions() {
  let openTerm = null;
  const positionDefinition = () => {
    if (!openTerm?.isConnected || !openTerm.matches(":hover, :focus")) return;
    const note = openTerm.querySelector("[role=note]"), [word] = openTerm.getClientRects();
    const below = word.bottom + MARGIN_PX, fits = below + note.offsetHeight + MARGIN_PX <= innerHeight;
    const left = Math.max(MARGIN_PX, Math.min(word.left, innerWidth - note.offsetWidth - MARGIN_PX));
    const top = fits ? below : Math.max(MARGIN_PX, word.top - MARGIN_PX - note.offsetHeight);
    Object.assign(note.style, { left: `${left}px`, top: `${top}px` });
  };
  for (const type of ["mouseover", "focusin"]) {
    document.addEventListener(type, ({ target }) => {
      openTerm = target.closest?.(".term") ?? openTerm;
      positionDefinition();
    });
  }
  document.addEventListener("scroll", positionDefinition, { capture: true, passive: true });
}
