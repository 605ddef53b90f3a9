// The sign that more of a board lies below than is seen.

const LEAST_BELOW = 12; // pixels that are worth a sign

/**
 * Gives a board the attribute `data-more` as long as more of what scrolls in it lies below. Returns what looks again,
 * for a board that was drawn anew.
 * @param {HTMLElement} scroller
 * @param {HTMLElement} board
 */
export function signMore(scroller, board) {
  const look = () => {
    const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    board.toggleAttribute("data-more", below > LEAST_BELOW);
  };
  scroller.addEventListener("scroll", look, { passive: true });
  return look;
}
