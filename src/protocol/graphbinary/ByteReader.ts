import { insideOf, type ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { characterEnd, DECODED_AT_ONCE, type LongRead } from "../LongReads.ts"
import { ProtocolError } from "../ProtocolError.ts"
import { utf8Text } from "../Utf8.ts"

/** Strings up to this length are looked up among those seen before: step names, labels and keys come again and again. */
const internedLength = 24

/** Slots of the table of strings seen before: a new string takes the place of another, so that clients cannot fill it. */
const slots = 2048
const interned: Array<string | undefined> = new Array(slots)

/** Levels of values inside values where nobody says less; each takes some stack. */
const deepest = 500

/** Reads big-endian values from a buffer; whatever would read past its end fails with ProtocolError. */
export class ByteReader {
  readonly bytes: Buffer
  /** Not null when the message is long and read slice by slice. */
  readonly slices: ResumableDescent | null
  readonly #view: DataView
  position: number
  readonly #maximumDepth: number
  /** Bytes that hold what was read, and the message, about. */
  heldBytes: number
  #depth = 0

  /**
   * @param maximumDepth levels of values inside values: a server's maxNestingDepth
   * @param long the read in slices that this reader is for
   */
  constructor(bytes: Buffer, position: number, maximumDepth = deepest, long?: LongRead) {
    this.slices = long?.slices ?? null
    this.#maximumDepth = maximumDepth
    this.bytes = bytes
    this.heldBytes = bytes.length
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.position = position
  }

  /** Ends reading with a ProtocolError that names the place. */
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

  /** Goes one level deeper. */
  enter(): void {
    if (++this.#depth > this.#maximumDepth) {
      this.fail(`Values nest deeper than ${this.#maximumDepth} levels, which is the maxNestingDepth here,`)
    }
  }

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

  /** A Long that must be a whole number JavaScript can hold exactly. */
  safeLong(what: string): number {
    const value = Number(this.long())
    if (!Number.isSafeInteger(value)) this.fail(`${what} is too large`)
    return value
  }

  /** A number of items that each take at least `size` bytes: more than can follow is refused before room is made. */
  length(size: number, what: string): number {
    const count = this.int()
    if (count < 0 || count * size > this.left) {
      this.position -= 4
      this.fail(`The length ${count} of ${what} does not fit the message`)
    }
    return count
  }

  /** Bytes of their own, with a length before them. */
  buffer(what: string): Uint8Array {
    const length = this.length(1, what)
    const at = this.#need(length)
    return Uint8Array.prototype.slice.call(this.bytes, at, at + length)
  }

  /** Where so many bytes begin that the caller reads itself. */
  skip(count: number): number {
    return this.#need(count)
  }

  /** A string with its length in bytes before it. */
  string(): string {
    const length = this.length(1, "a string")
    const start = this.#need(length)
    if (length > internedLength) {
      const isLong = length > DECODED_AT_ONCE && this.slices !== null
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
    const slot = hash & (slots - 1)
    const known = interned[slot]
    if (known !== undefined && known.length === length && isAt(known, bytes, start)) return known
    const text = bytes.toString("latin1", start, end)
    interned[slot] = text
    return text
  }

  /** In pieces: characters that are not ASCII take long. */
  #longString(start: number, end: number): string {
    const slices = this.slices!
    const loop = slices.enter(insideOf(start, false), null, start, null)
    const read = (loop.state ?? { text: "", at: start }) as { text: string; at: number }
    while (read.at < end) {
      const to = Math.min(end, characterEnd(this.bytes, read.at + DECODED_AT_ONCE))
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
