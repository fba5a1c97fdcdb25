/** Number of bytes that are copied between two readings of the clock. This takes half a millisecond if the memory is new. */
const COPY_STEP_BYTES = 262_144

const EMPTY = Buffer.alloc(0)

/**
 * A message in the parts that arrived. Joining many megabytes takes long, so the parts are joined in slices before the
 * message is read. Each part is released when it is copied.
 */
export class ArrivedParts {
  readonly #parts: Array<Buffer>
  /** Bytes of all parts. */
  readonly length: number
  #whole: Buffer | null = null
  #isJoined = false
  /** The part that is copied next. */
  #part = 0
  /** Bytes that are copied, of all parts and of the current part. */
  #copied = 0
  #copiedOfPart = 0

  /** Takes over `parts`; the caller must not use the array again. `length`: bytes of all parts. */
  constructor(parts: Array<Buffer>, length: number) {
    this.#parts = parts
    this.length = length
    if (parts.length > 1) return
    this.#isJoined = true
    this.#whole = parts[0] ?? EMPTY
  }

  /** The whole message in one buffer. Null when `isOver` returned true first: call again in a later slice. */
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
    for (const end = this.#copied + COPY_STEP_BYTES; this.#copied < end && this.#part < parts.length; ) {
      const part = parts[this.#part]!
      const copied = part.copy(this.#whole, this.#copied, this.#copiedOfPart, this.#copiedOfPart + COPY_STEP_BYTES)
      this.#copied += copied
      this.#copiedOfPart += copied
      if (this.#copiedOfPart < part.length) continue
      parts[this.#part++] = EMPTY
      this.#copiedOfPart = 0
    }
    this.#isJoined = this.#part === parts.length
  }
}

/** A message in these parts, which the caller must not use again. */
export const arrivedParts = (parts: Array<Buffer>): ArrivedParts =>
  new ArrivedParts(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0)
  )
