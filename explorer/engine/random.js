// The random numbers of PyTorch and of Python, which use the same generator: with a seed, all three draw alike.

const SIZE = 624, SHIFT = 397;

/** The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998). */
export class MersenneTwister {
  /** The seed is a whole number below 2^32. @param {number} seed */
  constructor(seed) {
    this.state = new Uint32Array(SIZE);
    this.index = SIZE;
    this.state[0] = seed;
    for (let i = 1; i < SIZE; i++) this.state[i] = Math.imul(1812433253, this.mixed(i - 1)) + i;
  }

  /** @param {number} i */
  mixed(i) {
    return this.state[i] ^ (this.state[i] >>> 30);
  }

  /** Changes the state by a key of any length (`init_by_array` in the authors' code). @param {number[]} key */
  addKey(key) {
    const { state } = this;
    const wrap = (/** @type {number} */ i) => {
      if (i < SIZE) return i;
      state[0] = state[SIZE - 1];
      return 1;
    };
    let i = 1;
    for (let n = 0; n < Math.max(SIZE, key.length); n++) {
      const j = n % key.length;
      state[i] = (state[i] ^ Math.imul(this.mixed(i - 1), 1664525)) + key[j] + j;
      i = wrap(i + 1);
    }
    for (let n = 1; n < SIZE; n++) {
      state[i] = (state[i] ^ Math.imul(this.mixed(i - 1), 1566083941)) - i;
      i = wrap(i + 1);
    }
    state[0] = 0x80000000;
  }

  refill() {
    const { state } = this;
    for (let i = 0; i < SIZE; i++) {
      const bits = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      state[i] = state[(i + SHIFT) % SIZE] ^ (bits >>> 1) ^ (bits & 1 ? 0x9908b0df : 0);
    }
    this.index = 0;
  }

  /** A random whole number below 2^32. */
  next() {
    if (this.index === SIZE) this.refill();
    let bits = this.state[this.index++];
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    return (bits ^ (bits >>> 18)) >>> 0;
  }

  /** `torch.rand(1)`: a 32-bit float from 0 to below 1, of 24 random bits. */
  uniform() {
    return (this.next() & 0xffffff) / 0x1000000;
  }
}

/**
 * A copy of a list, in the order of Python's `random.Random(seed).shuffle`.
 * @template Item
 * @param {Item[]} list
 * @param {number} seed
 */
export function shuffled(list, seed) {
  const generator = new MersenneTwister(19650218), result = [...list];
  generator.addKey(seed < 2 ** 32 ? [seed] : [seed % 2 ** 32, Math.floor(seed / 2 ** 32)]);
  for (let last = result.length - 1; last > 0; last--) {
    const bits = 32 - Math.clz32(last + 1);
    let chosen;
    do chosen = generator.next() >>> (32 - bits); while (chosen > last);
    [result[last], result[chosen]] = [result[chosen], result[last]];
  }
  return result;
}
