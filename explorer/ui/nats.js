// Log-probabilities and their differences on the screen.

/** With two decimals and a minus that is as wide as a plus. */
export function nats(number) {
  return number.toFixed(2).replace("-", "−");
}
