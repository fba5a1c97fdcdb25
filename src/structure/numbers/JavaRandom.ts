/** The number of values of one half of the state. */
const HALF_STATE = 2 ** 24

/**
 * java.util.Random: the 48-bit linear congruential generator that SeedStrategy requires, so that a seed has the same results of
 * coin(), sample() and shuffle as on a Gremlin Server. Do not use it for secrets.
 */
export class JavaRandom {
  /** The state's upper and lower 24 bits: products of halves stay exact in a number. */
  #high = 0
  #low = 0
  /** The second number of the last pair of {@link nextGaussian}. */
  #gaussian: number | undefined

  constructor(seed: bigint) {
    this.setSeed(seed)
  }

  /** Begins again with another seed. */
  setSeed(seed: bigint): void {
    const state = BigInt.asUintN(48, seed ^ 0x5deece66dn)
    this.#high = Number(state >> 24n)
    this.#low = Number(state & 0xffffffn)
    this.#gaussian = undefined
  }
  get [Symbol.toStringTag](): string {
    return "Random"
  }

  /** The upper bits of the next state as an unsigned integer; at most 32 bits. */
  #next(bits: number): number {
    // The multiplier 0x5DEECE66D in halves is 0x5DE and 0xECE66D.
    const low = this.#low * 0xece66d + 0xb
    this.#high = (this.#high * 0xece66d + this.#low * 0x5de + Math.floor(low / HALF_STATE)) % HALF_STATE
    this.#low = low % HALF_STATE
    return Math.floor((this.#high * HALF_STATE + this.#low) / 2 ** (48 - bits))
  }

  /** An integer from 0 up to but not including `bound`, which is 1 to 2^31 - 1. */
  nextInt(bound: number): number {
    // For a power of two the high bits are used, which are more random.
    if ((bound & (bound - 1)) === 0) return Math.floor((bound * this.#next(31)) / 2 ** 31)
    let bits = this.#next(31)
    // Draws from the incomplete last range of `bound` numbers are rejected: otherwise small results would be more likely.
    while (bits - (bits % bound) + (bound - 1) >= 2 ** 31) bits = this.#next(31)
    return bits % bound
  }

  /** A 32-bit integer. */
  nextWord(): number {
    return this.#next(32) | 0
  }

  /** A 64-bit integer. */
  nextLong(): bigint {
    const high = BigInt(this.#next(32) | 0) << 32n
    return BigInt.asIntN(64, high + BigInt(this.#next(32) | 0))
  }

  /** A number from 0.0 up to but not including 1.0. */
  nextDouble(): number {
    const high = this.#next(26) * 2 ** 27
    return (high + this.#next(27)) / 2 ** 53
  }

  /** A number of 24 bits from 0.0 up to but not including 1.0. */
  nextFloat(): number {
    return this.#next(24) / 2 ** 24
  }

  nextBoolean(): boolean {
    return this.#next(1) !== 0
  }

  /** A normally distributed number with mean 0.0 and standard deviation 1.0, by Marsaglia's polar method. */
  nextGaussian(): number {
    const kept = this.#gaussian
    this.#gaussian = undefined
    if (kept !== undefined) return kept
    for (;;) {
      const x = 2 * this.nextDouble() - 1
      const y = 2 * this.nextDouble() - 1
      const square = x * x + y * y
      if (square >= 1 || square === 0) continue
      const factor = Math.sqrt((-2 * Math.log(square)) / square)
      this.#gaussian = y * factor
      return x * factor
    }
  }
}

/**
 * Shuffles values in place with the draws of java.util.Collections.shuffle. A call shuffles the values from `end` down to `begin`;
 * the next call begins where this one ended.
 */
export const shuffle = <A>(
  values: A[] | { [index: number]: A; readonly length: number },
  random: JavaRandom,
  end = values.length,
  begin = 1
): void => {
  for (let i = end; i > begin; i--) {
    const other = random.nextInt(i)
    const value = values[i - 1]!
    values[i - 1] = values[other]!
    values[other] = value
  }
}
