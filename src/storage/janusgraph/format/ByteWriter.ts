import type { Id, VertexId } from "./Ids.ts"

/** 32-bit operators work on numbers below this limit. */
const INT32_LIMIT = 2 ** 31

/** Writes the numbers and ids of the cell format into a reusable buffer that grows; see {@link ByteReader}. */
export class ByteWriter {
  bytes: Buffer
  length = 0
  /** Texts that need not be compressed again; undefined for none. */
  zipped: ReadonlyMap<string, Uint8Array> | undefined

  constructor(capacity = 256) {
    this.bytes = Buffer.allocUnsafe(capacity)
  }

  /** Discards what was written. */
  reset(): this {
    this.length = 0
    return this
  }

  /** A copy of the written bytes, or of a range of them. */
  copy(start = 0, end = this.length): Buffer {
    // Most copies are shorter than what a view costs.
    if (end - start > 64) return Buffer.from(this.bytes.subarray(start, end))
    const { bytes } = this
    const copy = Buffer.allocUnsafe(end - start)
    for (let i = start, to = 0; i < end; i++) copy[to++] = bytes[i]!
    return copy
  }

  /** Appends `count` bytes without setting them; returns where they begin. */
  room(count: number): number {
    const at = this.length
    if (at + count > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(at + count, this.bytes.length * 2))
      this.bytes.copy(grown, 0, 0, at)
      this.bytes = grown
    }
    this.length = at + count
    return at
  }

  byte(value: number): void {
    const at = this.room(1)
    this.bytes[at] = value
  }

  /** Appends bytes unchanged. */
  raw(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const at = this.room(end - start)
    if (end - start < 24) for (let i = start, to = at; i < end; i++) this.bytes[to++] = bytes[i]!
    else this.bytes.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), at)
  }

  /** A number of variable length, not negative (V). */
  varint(value: Id): void {
    if (typeof value === "bigint") {
      this.#digits(value, digitsOf(value))
      return
    }
    let count = 1
    for (let rest = value; rest >= 128; rest = rest < INT32_LIMIT ? rest >>> 7 : Math.floor(rest / 128)) count++
    this.#numberDigits(value, count)
  }

  /** The last `count` base-128 digits of a number; the last digit gets its top bit set. */
  #numberDigits(value: number, count: number): void {
    if (count === 0) return
    const at = this.room(count)
    const { bytes } = this
    let rest = value
    for (let i = at + count - 1; i >= at; i--) {
      if (rest < INT32_LIMIT) {
        bytes[i] = rest & 127
        rest >>>= 7
      } else {
        bytes[i] = rest % 128
        rest = Math.floor(rest / 128)
      }
    }
    bytes[at + count - 1]! |= 128
  }

  #digits(value: bigint, count: number): void {
    if (count === 0) return
    const at = this.room(count)
    for (let i = count - 1, rest = value; i >= 0; i--, rest >>= 7n) this.bytes[at + i] = Number(rest & 127n)
    this.bytes[at + count - 1]! |= 128
  }

  /** A signed number of variable length (S). */
  signed(value: Id): void {
    if (typeof value === "bigint" || value > 2 ** 51 || value < -(2 ** 51)) {
      const whole = BigInt(value)
      this.varint(whole < 0n ? -whole * 2n + 1n : whole * 2n)
    } else this.varint(value < 0 ? -value * 2 + 1 : value * 2)
  }

  /** A number that is read backwards from its end (B). The bytes sort as the numbers do. */
  backward(value: Id): void {
    const whole = typeof value === "bigint"
    let count = 3
    while (whole ? value >> BigInt(7 * count - 3) > 0n : value >= 2 ** (7 * count - 3)) count++
    const at = this.length
    if (whole) this.#digits(value, count)
    else this.#numberDigits(value, count)
    this.bytes[at + count - 1]! &= 127
    this.bytes[at]! |= 128 | ((count - 3) << 4)
  }

  /** A number whose first byte begins with a 3-bit prefix (H). */
  prefixed(prefix: number, value: Id): void {
    const length = bitsOf(value)
    const head = length % 7
    const inHead = head <= 4
    const groups = inHead ? (length - head) / 7 : Math.ceil(length / 7)
    const first =
      typeof value === "bigint" ? Number(value >> BigInt(7 * groups)) : Math.floor(value / 2 ** (7 * groups))
    this.byte((prefix << 5) | (groups > 0 ? 16 : 0) | (inHead ? first : 0))
    if (typeof value === "bigint") this.#digits(value, groups)
    else this.#numberDigits(value, groups)
  }

  /** A vertex id that is read forwards. */
  vertexId(id: VertexId): void {
    if (typeof id !== "string") {
      this.varint(id)
      return
    }
    this.byte(128)
    this.markedText(id)
  }

  /** A vertex id that is read backwards from its end. */
  vertexIdBackward(id: VertexId): void {
    if (typeof id !== "string") {
      this.backward(id)
      return
    }
    const at = this.room(id.length + 1)
    for (let i = 0, from = id.length - 1; from >= 0; i++, from--) this.bytes[at + i] = id.charCodeAt(from)
    this.bytes[at]! |= 128
    this.bytes[at + id.length] = 128
  }

  /** ASCII text of at least one character. The last character gets its top bit set. */
  markedText(text: string): void {
    const at = this.room(text.length)
    if (text.length < 32) for (let i = 0; i < text.length; i++) this.bytes[at + i] = text.charCodeAt(i)
    else this.bytes.write(text, at, "latin1")
    this.bytes[this.length - 1]! |= 128
  }

  int32(value: number): void {
    const at = this.room(4)
    this.bytes.writeInt32BE(value | 0, at)
  }

  int64(value: bigint): void {
    const at = this.room(8)
    this.bytes.writeBigInt64BE(value, at)
  }

  /** Inverts the written bytes of a range: they sort in descending order then. */
  invert(start: number, end: number): void {
    for (let i = start; i < end; i++) this.bytes[i]! ^= 255
  }
}

const digitsOf = (value: bigint): number => Math.max(1, Math.ceil(bitsOf(value) / 7))

/** The number of bits of a number; 1 for 0. */
const bitsOf = (value: Id): number => {
  if (typeof value === "bigint") return value.toString(2).length
  if (value < INT32_LIMIT) return value === 0 ? 1 : 32 - Math.clz32(value)
  return 31 + 32 - Math.clz32(Math.floor(value / INT32_LIMIT))
}
