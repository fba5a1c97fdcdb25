import { type Id, normalId, type VertexId } from "./Ids.ts"

const { latin1Slice } = Buffer.prototype

/** Reads the numbers and ids of the cell format. Most are read forwards, some from their end backwards. */
export class ByteReader {
  bytes: Uint8Array
  /** The position of the next read. */
  at: number
  end: number
  /** The prefix of the last number that {@link prefixed} read. */
  prefix = 0

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = start
    this.end = end
  }

  /** Makes the reader read another range of bytes. */
  over(bytes: Uint8Array, start: number, end: number): this {
    this.bytes = bytes
    this.at = start
    this.end = end
    return this
  }

  /** True when bytes are left. */
  get more(): boolean {
    return this.at < this.end
  }

  byte(): number {
    if (this.at >= this.end) throw new Error("A cell ends in the middle of a value")
    return this.bytes[this.at++]!
  }

  /** The next bytes, as a view. */
  take(count: number): Uint8Array {
    if (this.at + count > this.end) throw new Error("A cell ends in the middle of a value")
    this.at += count
    return this.bytes.subarray(this.at - count, this.at)
  }

  /**
   * A number of variable length, not negative (V): base-128 digits, the most significant first, the last with its top
   * bit set. The bytes after {@link end} may be those of another row.
   */
  varint(): Id {
    const { bytes } = this
    let at = this.at
    let value = 0
    // Four digits fit 32-bit operators, seven fit a plain number.
    for (let digits = 0; digits < 7; digits++) {
      const byte = bytes[at++]!
      value = digits < 4 ? (value << 7) | (byte & 127) : value * 128 + (byte & 127)
      if (byte > 127 && at <= this.end) {
        this.at = at
        return value
      }
    }
    return this.#long(at, BigInt(value))
  }

  #long(start: number, begun: bigint): Id {
    let value = begun
    for (let at = start; at < this.end; ) {
      const byte = this.bytes[at++]!
      value = (value << 7n) | BigInt(byte & 127)
      if (byte > 127) {
        this.at = at
        return normalId(value)
      }
    }
    throw new Error("A cell ends in the middle of a number")
  }

  /** A small number of variable length: a length, a count or an ordinal. */
  count(): number {
    return Number(this.varint())
  }

  /** A signed number of variable length (S): twice the magnitude, plus 1 for a negative number. */
  signed(): Id {
    const value = this.varint()
    if (typeof value === "number") return value % 2 === 1 ? 0 - Math.floor(value / 2) : value / 2
    return normalSigned(value & 1n ? -(value >> 1n) : value >> 1n)
  }

  /** A number whose first byte begins with a 3-bit prefix (H). Sets {@link prefix}. */
  prefixed(): Id {
    const first = this.byte()
    this.prefix = first >> 5
    const head = first & 15
    if ((first & 16) === 0) return head
    const start = this.at
    const rest = this.varint()
    const bits = 7 * (this.at - start)
    if (typeof rest === "number" && bits < 49) return head * 2 ** bits + rest
    return normalId((BigInt(head) << BigInt(bits)) + BigInt(rest))
  }

  /** The number that ends at the current position (B). The position moves to its first byte. */
  backward(): Id {
    const { bytes } = this
    let at = this.at
    let value = 0
    let scale = 1
    for (let digits = 0; digits < 7; digits++) {
      const byte = bytes[--at]!
      if (byte > 127) {
        this.at = at
        return value + (byte & 15) * scale
      }
      value += byte * scale
      scale *= 128
    }
    return this.#longBackward(at, BigInt(value))
  }

  /** Skips the number that ends at the current position. */
  skipBackward(): void {
    const { bytes } = this
    let at = this.at - 1
    while (bytes[at]! < 128) at--
    this.at = at
  }

  #longBackward(start: number, begun: bigint): Id {
    let value = begun
    for (let at = start - 1, shift = 49n; at >= 0; at--, shift += 7n) {
      const byte = this.bytes[at]!
      if (byte > 127) {
        this.at = at
        return normalId(value | (BigInt(byte & 15) << shift))
      }
      value |= BigInt(byte) << shift
    }
    throw new Error("A cell begins in the middle of a number")
  }

  /** A vertex id: a number, or the byte 128 and a text. */
  vertexId(): VertexId {
    if (this.bytes[this.at] !== 128) return this.varint()
    this.at++
    return this.markedText()
  }

  /** The vertex id that ends at the current position. */
  vertexIdBackward(): VertexId {
    if (this.bytes[this.at - 1] !== 128) return this.backward()
    let text = ""
    for (this.at--; this.at > 0; ) {
      const byte = this.bytes[--this.at]!
      text += String.fromCharCode(byte & 127)
      if (byte > 127) return text
    }
    throw new Error("A cell begins in the middle of an id")
  }

  /** ASCII text whose last character has its top bit set. */
  markedText(): string {
    const { bytes, at } = this
    let last = at
    while (last < this.end && bytes[last]! < 128) last++
    if (last >= this.end) throw new Error("A cell ends in the middle of a text")
    this.at = last + 1
    const end = String.fromCharCode(bytes[last]! & 127)
    if (last - at > 16) return latin1Slice.call(bytes, at, last) + end
    return shortText(bytes, at, last) + end
  }
}

/** Several characters at a time: each piece of a text is an allocation, and a call of Buffer costs more than a short text. */
const shortText = (bytes: Uint8Array, start: number, end: number): string => {
  let text = ""
  let at = start
  for (; at + 4 <= end; at += 4) {
    text += String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!)
  }
  for (; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return text
}

const normalSigned = (value: bigint): Id =>
  value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
