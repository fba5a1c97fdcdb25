/** Bytes of a buffer for frames. */
const SPACE_BYTES = 65_536

/**
 * Frames that leave together, one after another in a large buffer: no frame has a buffer of its own. A buffer is not used again,
 * because the socket may still have to write it.
 */
export class FrameSpace {
  bytes = Buffer.alloc(0)
  /** Where the frames begin that {@link take} has not returned yet. */
  #start = 0
  #end = 0

  /** Bytes of the frames that wait for {@link take}. */
  get length(): number {
    return this.#end - this.#start
  }

  /** Removes the frames after the first so many bytes. */
  cut(length: number): void {
    this.#end = this.#start + length
  }

  /** Makes room for a frame. Returns where it begins in {@link bytes}, which may be another buffer after the call. */
  room(length: number): number {
    const waiting = this.#end - this.#start
    if (this.#end + length > this.bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(SPACE_BYTES, 2 * (waiting + length)))
      this.bytes.copy(bytes, 0, this.#start, this.#end)
      this.bytes = bytes
      this.#start = 0
      this.#end = waiting
    }
    const at = this.#end
    this.#end += length
    return at
  }

  /** Returns the frames since the previous call. */
  take(): Buffer {
    const frames = this.bytes.subarray(this.#start, this.#end)
    this.#start = this.#end
    // A connection does not keep the buffer of a large frame.
    if (this.bytes.length > SPACE_BYTES) {
      this.bytes = Buffer.alloc(0)
      this.#start = 0
      this.#end = 0
    }
    return frames
  }
}
