import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { Budget } from "../budget/Budget.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import type { Caller } from "../methods/MemberCalls.ts"
import { withinByteLimit } from "../values/ByteLimit.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"

// Base64 of java.util.Base64 and of Groovy's methods. Both refuse other texts than Node.js does.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

const BYTES: ReadonlySet<number> = new Set(Buffer.from(`${ALPHABET}+/`))
const URL_BYTES: ReadonlySet<number> = new Set(Buffer.from(`${ALPHABET}-_`))

const illegal = (problem: string): OperandError => new OperandError(problem, "IllegalArgumentException", problem)

/** The text of bytes in Base64. */
export const base64 = (bytes: Uint8Array, isUrl: boolean, isPadded: boolean): string => {
  const text = Buffer.from(bytes).toString("base64")
  const padded = isUrl ? text.replaceAll("+", "-").replaceAll("/", "_") : text
  return isPadded ? padded : padded.replace(/=+$/, "")
}

/** Java's number of a byte in hexadecimal digits: bytes from 128 are negative. */
const hexadecimal = (byte: number): string => (byte > 127 ? byte - 256 : byte).toString(16)

/** What Java's decoder gives. Fails with OperandError for a text that it refuses. */
const javaDecoded = (source: Uint8Array, isUrl: boolean): Uint8Array => {
  const { length } = source
  if (length === 1) throw illegal("Input byte[] should at least have 2 bytes for base64 bytes")
  const known = isUrl ? URL_BYTES : BYTES
  let end = 0
  while (end < length && known.has(source[end]!)) end++
  const isPadding = source[end] === 61
  if (end < length && !isPadding) throw illegal(`Illegal base64 character ${hexadecimal(source[end]!)}`)
  const rest = end % 4
  const padding = isPadding ? (rest === 2 ? 2 : 1) : 0
  if (isPadding && (rest === 0 || (rest === 2 && source[end + 1] !== 61))) {
    throw illegal("Input byte array has wrong 4-byte ending unit")
  }
  if (rest === 1) throw illegal("Last unit does not have enough valid bits")
  if (end + padding < length) throw illegal(`Input byte array has incorrect ending byte at ${end + padding}`)
  return new Uint8Array(Buffer.from(Buffer.from(source.subarray(0, end)).toString("latin1"), "base64"))
}

const badText = (problem: string): OperandError => new OperandError(problem, "RuntimeException", problem)

/** What Groovy's `decodeBase64()` and `decodeBase64Url()` give. Fails with OperandError for a text that they refuse. */
export const groovyDecoded = (text: string, isUrl: boolean): Uint8Array => {
  const solid = text.replace(/[\t\n\r ]/g, "")
  if (!(isUrl ? /^[\w=-]*$/ : /^[A-Za-z\d+/=]*$/).test(solid)) throw badText("bad character in base64 value")
  if (/=[^=]/.test(solid)) throw badText("= character not at end of base64 value")
  const padding = solid.length - solid.replace(/=+$/, "").length
  if (padding > 2 || (padding > 0 && solid.length - padding < 2)) throw new Unavailable("the text is no Base64")
  return new Uint8Array(Buffer.from(solid, "base64"))
}

/** The value of `bytes.encodeBase64()` and `bytes.encodeHex()`: no string in Groovy, but a value with a text. */
export class EncodedText extends CalledValue {
  readonly #text: string
  constructor(text: string) {
    super()
    this.#text = text
  }
  override get heldBytes(): number {
    return super.heldBytes + this.#text.length
  }
  get [Symbol.toStringTag](): string {
    return "Writable"
  }
  override call(name: string): unknown {
    throw new Unavailable(
      `the result of encodeBase64() and encodeHex() has no method ${name}(): write toString() first`
    )
  }
  override toString(): string {
    return this.#text
  }
}

const bytesOf = (value: unknown, call: string): Uint8Array => {
  if (value instanceof Uint8Array) {
    withinByteLimit(value.length)
    return value
  }
  throw new OperandError(`${call} takes a byte[], not ${typeName(value)}: write text.bytes`, "MissingMethodException")
}

/** Counts what an encoder or a decoder has made, and returns it. */
const countedResult = (made: unknown, budget: Budget): unknown => {
  const size = typeof made === "string" || made instanceof Uint8Array ? made.length : 0
  budget.spend(size >> 3, "Base64")
  budget.created(1 + (size >> 5))
  return made
}

/** The value of `Base64.getEncoder()` and `Base64.getUrlEncoder()`. */
class Base64Encoder extends CalledValue {
  readonly #isUrl: boolean
  readonly #isPadded: boolean
  constructor(isUrl: boolean, isPadded = true) {
    super()
    this.#isUrl = isUrl
    this.#isPadded = isPadded
  }
  get [Symbol.toStringTag](): string {
    return "Base64.Encoder"
  }
  // biome-ignore lint/correctness/useYield: methods of other values call closures.
  override *run(name: string, args: readonly unknown[], { budget }: Caller): ScriptRun {
    return countedResult(this.call(name, args), budget)
  }
  override call(name: string, args: readonly unknown[]): unknown {
    if (name === "withoutPadding" && args.length === 0) return new Base64Encoder(this.#isUrl, false)
    const encodes = name === "encodeToString" || name === "encode"
    if (!encodes || args.length !== 1) {
      throw new Unavailable(`an encoder has encodeToString(bytes), encode(bytes) and withoutPadding(), not ${name}()`)
    }
    const text = base64(bytesOf(args[0], `${name}()`), this.#isUrl, this.#isPadded)
    return name === "encode" ? new Uint8Array(Buffer.from(text, "latin1")) : text
  }
}

/** The value of `Base64.getDecoder()` and `Base64.getUrlDecoder()`. */
class Base64Decoder extends CalledValue {
  readonly #isUrl: boolean
  constructor(isUrl: boolean) {
    super()
    this.#isUrl = isUrl
  }
  get [Symbol.toStringTag](): string {
    return "Base64.Decoder"
  }
  // biome-ignore lint/correctness/useYield: methods of other values call closures.
  override *run(name: string, args: readonly unknown[], { budget }: Caller): ScriptRun {
    return countedResult(this.call(name, args), budget)
  }
  override call(name: string, args: readonly unknown[]): unknown {
    if (name !== "decode" || args.length !== 1) {
      throw new Unavailable(`a decoder has decode(text) and decode(bytes), not ${name}()`)
    }
    const [given] = args
    if (typeof given === "string") withinByteLimit(given.length >> 1)
    if (typeof given !== "string") return javaDecoded(bytesOf(given, "decode()"), this.#isUrl)
    // Java reads the text as ISO-8859-1.
    return javaDecoded(new Uint8Array(Buffer.from(given.replace(/[^\0-\xff]/gu, "?"), "latin1")), this.#isUrl)
  }
}

/** The encoders and decoders of java.util.Base64, by their names as properties: `getUrlDecoder()` is `urlDecoder`. */
export const base64Parts: { readonly [name: string]: CalledValue } = {
  encoder: new Base64Encoder(false),
  urlEncoder: new Base64Encoder(true),
  decoder: new Base64Decoder(false),
  urlDecoder: new Base64Decoder(true)
}
