import { insideOf, type ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { ProtocolError } from "../ProtocolError.ts"
import { characterEnd, DECODED_CHUNK_BYTES, type ResumableRead } from "../ResumableRead.ts"
import { utf8Text } from "../Utf8.ts"

/** Longest string that is looked up among earlier ones: names of steps, labels and keys are repeated. */
const LONGEST_INTERNED_BYTES = 24

/** Entries of the table of earlier strings. A new string replaces another one, so that clients cannot make the table grow. */
const INTERNED_ENTRIES = 2048
const interned: Array<string | undefined> = new Array(INTERNED_ENTRIES)

/** Levels that values may nest without another limit. Each level takes stack. */
const DEFAULT_DEPTH_LEVELS = 500

/** Reads big-endian values from a buffer. Every read past its end fails with ProtocolError. */
export class ByteReader {
  readonly bytes: Buffer
  /** Not null when the message is long and read in time slices. */
  readonly slices: ResumableDescent | null
  readonly #view: DataView
  position: number
  readonly #maximumDepth: number
  /** Estimated memory of the message and of the values read so far, in bytes. */
  heldBytes: number
  #depth = 0

  /**
   * @param maximumDepth levels that values may nest: the server's maxNestingDepth
   * @param long the read in slices that this reader belongs to
   */
  constructor(bytes: Buffer, position: number, maximumDepth = DEFAULT_DEPTH_LEVELS, long?: ResumableRead) {
    this.slices = long?.slices ?? null
    this.#maximumDepth = maximumDepth
    this.bytes = bytes
    this.heldBytes = bytes.length
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.position = position
  }

  /** Throws a ProtocolError with the place of the problem. */
  fail(problem: string): never {
    throw new ProtocolError(`${problem} at byte ${this.position} of the GraphBinary message.`)
  }

  /** Bytes that are left. */
  get left(): number {
    return this.bytes.length - this.position
  }

  #need(count: number): number {
    const at = this.position
    if (this.bytes.length - at < count) this.fail(`The message ends where ${count} more bytes should follow,`)
    this.position = at + count
    return at
  }

  /** Opens a level of nesting. Fails when values nest too deep. */
  enter(): void {
    if (++this.#depth > this.#maximumDepth) {
      this.fail(`Values nest deeper than ${this.#maximumDepth} levels, which is the maxNestingDepth here,`)
    }
  }

  /** Closes a level of nesting. */
  leave(): void {
    this.#depth--
  }

  unsignedByte(): number {
    return this.bytes[this.#need(1)]!
  }
  byte(): number {
    return this.#view.getInt8(this.#need(1))
  }
  short(): number {
    return this.#view.getInt16(this.#need(2))
  }
  int(): number {
    return this.#view.getInt32(this.#need(4))
  }
  long(): bigint {
    return this.#view.getBigInt64(this.#need(8))
  }
  float(): number {
    return this.#view.getFloat32(this.#need(4))
  }
  double(): number {
    return this.#view.getFloat64(this.#need(8))
  }

  /** A Long that a JavaScript number holds exactly. Fails for a larger one; `what` names it. */
  safeLong(what: string): number {
    const value = Number(this.long())
    if (!Number.isSafeInteger(value)) this.fail(`${what} is too large`)
    return value
  }

  /**
   * A number of items that have at least `size` bytes each. Fails when the message is too short for them, before memory is
   * allocated; `what` names the items.
   */
  length(size: number, what: string): number {
    const count = this.int()
    if (count < 0 || count * size > this.left) {
      this.position -= 4
      this.fail(`The length ${count} of ${what} does not fit the message`)
    }
    return count
  }

  /** A copy of bytes that have their length before them. */
  buffer(what: string): Uint8Array {
    const length = this.length(1, what)
    const at = this.#need(length)
    return Uint8Array.prototype.slice.call(this.bytes, at, at + length)
  }

  /** Skips bytes that the caller reads itself. Gives their offset. */
  skip(count: number): number {
    return this.#need(count)
  }

  /** A string that has its length in bytes before it. */
  string(): string {
    const length = this.length(1, "a string")
    const start = this.#need(length)
    if (length > LONGEST_INTERNED_BYTES) {
      const isLong = length > DECODED_CHUNK_BYTES && this.slices !== null
      return isLong ? this.#longString(start, start + length) : utf8Text(this.bytes, start, start + length)
    }
    const bytes = this.bytes
    const end = start + length
    let hash = length
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      if (byte > 127) return utf8Text(bytes, start, end)
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    const slot = hash & (INTERNED_ENTRIES - 1)
    const known = interned[slot]
    if (known !== undefined && known.length === length && isAt(known, bytes, start)) return known
    const text = bytes.toString("latin1", start, end)
    interned[slot] = text
    return text
  }

  /** Reads a string in slices. Characters that are not ASCII take long. */
  #longString(start: number, end: number): string {
    const slices = this.slices!
    const loop = slices.enter(insideOf(start, false), null, start, null)
    const read = (loop.state ?? { text: "", at: start }) as { text: string; at: number }
    while (read.at < end) {
      const to = Math.min(end, characterEnd(this.bytes, read.at + DECODED_CHUNK_BYTES))
      read.text += utf8Text(this.bytes, read.at, to)
      read.at = to
      if (to < end) slices.part(to, read)
    }
    slices.done(read)
    return read.text
  }
}

const isAt = (text: string, bytes: Buffer, start: number): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false
  return true
}
