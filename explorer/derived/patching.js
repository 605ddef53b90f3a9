// What activation patching shows: where two translations part, and how far each patched run follows the donor.

const MIN_PREFERENCE_GAP = 1e-3; // nats; a smaller difference between the two runs is no scale to measure by

/**
 * A result of the model's call `patching`.
 * @typedef {{ donor_preference: number, recipient_preference: number, preferences: number[] }} Preferences
 */

/**
 * The first step at which two traces differ, in pieces: what both were fed until then, and the two next pieces.
 * @param {Trace} donor @param {Trace} recipient @param {number} step
 */
export function divergenceOf(donor, recipient, step) {
  return {
    translation: donor.translation,
    sources: [donor, recipient].map(({ source }) => source.map(({ text }) => text)),
    fed: recipient.steps.slice(0, step + 1).map(({ fed }) => fed.text),
    donorPiece: donor.steps[step].predicted.text,
    recipientPiece: recipient.steps[step].predicted.text,
  };
}

/**
 * How far each preference of a result of the model's `patching` is from the unpatched run (0) to the donor's (1); null
 * if both runs have nearly the same preference.
 * @param {Preferences} result
 * @returns {(number | null)[]}
 */
export function sharesOf({ donor_preference: donor, recipient_preference: recipient, preferences }) {
  const gap = donor - recipient;
  if (Math.abs(gap) < MIN_PREFERENCE_GAP) return preferences.map(() => /** @type {number | null} */ (null));
  return preferences.map((preference) => (preference - recipient) / gap);
}
