import { writeUuid } from "../Uuid.ts"
import { DataType } from "./DataType.ts"

/** Longest string that is written character by character. The engine's encoder is faster for longer ones. */
const SHORT_STRING_CHARS = 40

/** Initial size of the buffer, and the largest size that is kept after a message. */
const INITIAL_BYTES = 16 * 1024
const LARGEST_KEPT_BYTES = 1024 * 1024

/** Writes big-endian values into one growing buffer, which messages reuse. */
export class ByteWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  #view: DataView = new DataView(this.#bytes.buffer)
  position = 0

  /** Starts a new message. */
  reset(): void {
    this.position = 0
    if (this.#bytes.length > LARGEST_KEPT_BYTES) this.#replace(Buffer.allocUnsafeSlow(INITIAL_BYTES))
  }

  /** A copy of the bytes written since the last reset. */
  finish(): Buffer {
    const copy = Buffer.allocUnsafe(this.position)
    this.#bytes.copy(copy, 0, 0, this.position)
    return copy
  }

  /** A copy of the bytes written from an offset on. */
  since(at: number): Buffer {
    return Buffer.from(this.#bytes.subarray(at, this.position))
  }

  /** Overwrites the Int at an offset. */
  intAt(at: number, value: number): void {
    this.#view.setInt32(at, value)
  }

  #replace(bytes: Buffer): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }

  #reserve(count: number): void {
    if (this.position + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.position + count))
    this.#bytes.copy(larger, 0, 0, this.position)
    this.#replace(larger)
  }

  byte(value: number): void {
    if (this.position >= this.#bytes.length) this.#reserve(1)
    this.#bytes[this.position++] = value
  }

  /** A type code and the value flag 0. */
  type(code: number): void {
    this.#reserve(2)
    this.#bytes[this.position++] = code
    this.#bytes[this.position++] = 0
  }

  /** The null of no particular type. */
  null(): void {
    this.#reserve(2)
    this.#bytes[this.position++] = DataType.UnspecifiedNull
    this.#bytes[this.position++] = 1
  }

  short(value: number): void {
    this.#reserve(2)
    this.#view.setInt16(this.position, value)
    this.position += 2
  }

  int(value: number): void {
    this.#reserve(4)
    const bytes = this.#bytes
    let at = this.position
    bytes[at++] = value >>> 24
    bytes[at++] = value >>> 16
    bytes[at++] = value >>> 8
    bytes[at++] = value
    this.position = at
  }

  /** An Int with its type code. */
  typedInt(value: number): void {
    this.#reserve(6)
    const bytes = this.#bytes
    let at = this.position
    bytes[at++] = 1
    bytes[at++] = 0
    bytes[at++] = value >>> 24
    bytes[at++] = value >>> 16
    bytes[at++] = value >>> 8
    bytes[at++] = value
    this.position = at
  }

  /** A Double with its type code. */
  typedDouble(value: number): void {
    this.type(DataType.Double)
    this.double(value)
  }

  /** The 16 bytes of a UUID with this canonical text. */
  uuid(text: string): void {
    const at = this.position
    writeUuid(text, this.room(16), at)
  }

  long(value: bigint): void {
    this.#reserve(8)
    this.#view.setBigInt64(this.position, value)
    this.position += 8
  }

  /** A whole number as a Long. */
  longOfNumber(value: number): void {
    if (value >= 0 && value <= 0x7fffffff) {
      this.int(0)
      this.int(value)
    } else this.long(BigInt(value))
  }

  float(value: number): void {
    this.#reserve(4)
    this.#view.setFloat32(this.position, value)
    this.position += 4
  }

  double(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.position, value)
    this.position += 8
  }

  /** Bytes without their length. */
  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.position)
    this.position += value.length
  }

  /** A string with its length in bytes. */
  string(text: string): void {
    const length = text.length
    this.#reserve(4 + length * 3)
    const bytes = this.#bytes
    const start = this.position + 4
    let at = start
    if (length <= SHORT_STRING_CHARS) {
      let i = 0
      for (; i < length; i++) {
        const code = text.charCodeAt(i)
        if (code > 127) break
        bytes[at++] = code
      }
      if (i < length) at = start + bytes.write(text, start, "utf8")
    } else at = start + bytes.write(text, start, "utf8")
    const size = at - start
    bytes[start - 4] = size >>> 24
    bytes[start - 3] = size >>> 16
    bytes[start - 2] = size >>> 8
    bytes[start - 1] = size
    this.position = at
  }

  /** Text in UTF-8 without its length. */
  text(text: string): void {
    this.#reserve(text.length * 3)
    this.position += this.#bytes.write(text, this.position, "utf8")
  }

  /** Reserves `count` bytes at the position, which the caller fills. Gives the buffer. */
  room(count: number): Buffer {
    this.#reserve(count)
    this.position += count
    return this.#bytes
  }
}
