import { stringOfUnits } from "../../structure/characters/CodeUnits.ts"
import { ProtocolError } from "../ProtocolError.ts"

/** Thrown when the bytes end inside of a value: the rest of the file may complete it. */
export class Incomplete extends Error {}

/** Reads the primitive types of Kryo 3: big-endian numbers, numbers of variable length, strings. */
export class KryoInput {
  readonly #bytes: Buffer
  position: number
  readonly end: number

  constructor(bytes: Buffer, position: number, end: number) {
    this.#bytes = bytes
    this.position = position
    this.end = end
  }

  /** Skips `length` bytes. Gives their offset. */
  #take(length: number): number {
    const at = this.position
    if (length > this.end - at) throw new Incomplete()
    this.position = at + length
    return at
  }

  byte(): number {
    return this.#bytes.readInt8(this.#take(1))
  }
  unsignedByte(): number {
    return this.#bytes.readUInt8(this.#take(1))
  }
  boolean(): boolean {
    return this.byte() !== 0
  }
  short(): number {
    return this.#bytes.readInt16BE(this.#take(2))
  }
  char(): string {
    return String.fromCharCode(this.#bytes.readUInt16BE(this.#take(2)))
  }
  int(): number {
    return this.#bytes.readInt32BE(this.#take(4))
  }
  long(): bigint {
    return this.#bytes.readBigInt64BE(this.#take(8))
  }
  float(): number {
    return this.#bytes.readFloatBE(this.#take(4))
  }
  double(): number {
    return this.#bytes.readDoubleBE(this.#take(8))
  }
  /** A copy of bytes. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length)
    return Uint8Array.from(this.#bytes.subarray(at, at + length))
  }
  skip(length: number): void {
    this.#take(length)
  }

  /** A number of 32 bits in one to five bytes, seven bits each. */
  varInt(): number {
    let result = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.unsignedByte()
      result |= (byte & 0x7f) << shift
      if (byte < 0x80) return result
    }
    throw new ProtocolError("a number of variable length has more than five bytes")
  }
  /** As {@link varInt}, with a sign: 0, -1, 1, -2, ... */
  signedVarInt(): number {
    const value = this.varInt()
    return (value >>> 1) ^ -(value & 1)
  }
  /** A number of 64 bits in one to nine bytes; the ninth has eight bits. */
  varLong(): bigint {
    let result = 0n
    for (let shift = 0n; shift < 56n; shift += 7n) {
      const byte = this.unsignedByte()
      result |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, result)
    }
    return BigInt.asIntN(64, result | (BigInt(this.unsignedByte()) << 56n))
  }
  signedVarLong(): bigint {
    const value = BigInt.asUintN(64, this.varLong())
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n))
  }

  /** A string, or null. In ASCII the last character has its top bit set; all other strings have their length before them. */
  string(): string | null {
    const first = this.unsignedByte()
    if (first < 0x80) {
      this.position--
      return this.#ascii()
    }
    const length = this.#stringLength(first)
    return length === 0 ? null : this.#characters(length - 1)
  }

  #ascii(): string {
    const from = this.position
    while (this.unsignedByte() < 0x80) {
      // The last character is found by its top bit.
    }
    const last = this.position - 1
    return this.#bytes.toString("latin1", from, last) + String.fromCharCode(this.#bytes[last]! & 0x7f)
  }

  #stringLength(first: number): number {
    let length = first & 0x3f
    if ((first & 0x40) === 0) return length
    for (let shift = 6; shift < 34; shift += 7) {
      const byte = this.unsignedByte()
      length += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return length
    }
    throw new ProtocolError("the length of a string has more than five bytes")
  }

  /** UTF-16 units of one to three bytes each. */
  #characters(length: number): string {
    if (length > this.end - this.position) throw new Incomplete()
    const units = new Uint16Array(length)
    for (let i = 0; i < length; i++) {
      const byte = this.unsignedByte()
      let code = byte
      if (byte >= 0xe0)
        code = ((byte & 0x0f) << 12) | ((this.unsignedByte() & 0x3f) << 6) | (this.unsignedByte() & 0x3f)
      else if (byte >= 0x80) code = ((byte & 0x1f) << 6) | (this.unsignedByte() & 0x3f)
      units[i] = code
    }
    return stringOfUnits(units, length)
  }

  /** A string that cannot be null. */
  text(): string {
    return this.string() ?? ""
  }
}
