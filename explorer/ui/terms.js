// Where the definition of a glossary term opens (explorer/ui/glossary.py): beside its word, and on the screen.

const ROOM = 6; // pixels to the word and to the edges of the screen

/** Places the definition of the term that the mouse or the keyboard is on, now and when it is scrolled. */
export function placeTerms() {
  let open = null;
  const place = () => {
    if (!open?.isConnected || !open.matches(":hover, :focus")) return;
    const note = open.querySelector("[role=note]"), [word] = open.getClientRects();
    const below = word.bottom + ROOM, fits = below + note.offsetHeight + ROOM <= innerHeight;
    const left = Math.max(ROOM, Math.min(word.left, innerWidth - note.offsetWidth - ROOM));
    const top = fits ? below : Math.max(ROOM, word.top - ROOM - note.offsetHeight);
    Object.assign(note.style, { left: `${left}px`, top: `${top}px` });
  };
  for (const type of ["mouseover", "focusin"]) {
    document.addEventListener(type, ({ target }) => {
      open = target.closest?.(".term") ?? open;
      place();
    });
  }
  document.addEventListener("scroll", place, { capture: true, passive: true });
}
