/** Bytes that are copied at once: half a millisecond where memory is fresh. */
const PIECE = 262_144

const EMPTY = Buffer.alloc(0)

/**
 * A message as it arrived. One of many megabytes would take long to be put together at once: it is done slice by slice before
 * the message is read, and what is copied is let go of.
 */
export class ArrivedParts {
  readonly #parts: Array<Buffer>
  /** Bytes of all parts. */
  readonly length: number
  #whole: Buffer | null = null
  #isJoined = false
  #part = 0
  #copied = 0
  #copiedOfPart = 0

  /** The parts are given away: they are not to be used any more. */
  constructor(parts: Array<Buffer>, length: number) {
    this.#parts = parts
    this.length = length
    if (parts.length > 1) return
    this.#isJoined = true
    this.#whole = parts[0] ?? EMPTY
  }

  /** All bytes in one piece of memory; null when `isOver` was true before: go on later. */
  join(isOver: () => boolean): Buffer | null {
    while (!this.#isJoined) {
      this.#copyPiece()
      if (isOver()) break
    }
    return this.#isJoined ? this.#whole : null
  }

  #copyPiece(): void {
    const parts = this.#parts
    this.#whole ??= Buffer.allocUnsafeSlow(this.length)
    for (const enough = this.#copied + PIECE; this.#copied < enough && this.#part < parts.length; ) {
      const part = parts[this.#part]!
      const copied = part.copy(this.#whole, this.#copied, this.#copiedOfPart, this.#copiedOfPart + PIECE)
      this.#copied += copied
      this.#copiedOfPart += copied
      if (this.#copiedOfPart < part.length) continue
      parts[this.#part++] = EMPTY
      this.#copiedOfPart = 0
    }
    this.#isJoined = this.#part === parts.length
  }
}

/** What came in these parts. */
export const arrivedParts = (parts: Array<Buffer>): ArrivedParts =>
  new ArrivedParts(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0)
  )
