import { createHash } from "node:crypto"
import { MalformedText } from "../../../structure/errors/ValueErrors.ts"
import type { Char } from "../../../structure/scalars/Char.ts"
import type { Budget } from "../budget/Budget.ts"
import { asText, type Methods } from "../methods/MethodTable.ts"
import { withinByteLimit } from "../values/ByteLimit.ts"
import { charsetName, decoded, encoded } from "../values/Charsets.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { base64, EncodedText, groovyDecoded } from "./Base64Text.ts"
import { digestOf } from "./TextDigests.ts"

/** Counts bytes that a method reads or makes, and returns them. Fails with OperandError if they are too many. */
const counted = (bytes: Uint8Array, budget: Budget): Uint8Array => {
  withinByteLimit(bytes.length)
  budget.created(1 + (bytes.length >> 5))
  budget.spend(bytes.length >> 5, "reading bytes")
  return bytes
}

/** The bytes of a text in a character set, or in UTF-8. Fails with Unavailable for an unknown set. */
const textBytes = (text: string, charset: unknown, budget: Budget): Uint8Array =>
  counted(encoded(short(text, budget), charsetName(charset)), budget)

/** A text that may become bytes: each byte has at most two digits. Fails with Unavailable for a longer one. */
const short = (text: string, budget: Budget): string => {
  withinByteLimit(text.length >> 1)
  return budget.whole(text)
}

/** `text.bytes` and `bytes.length`; undefined for another property. */
export const byteProperty = (value: unknown, name: string, budget: Budget): unknown => {
  if (typeof value === "string" && name === "bytes") return textBytes(value, undefined, budget)
  return value instanceof Uint8Array && name === "length" ? value.length : undefined
}

/** The value of `new String(bytes, charset)` and `new String(chars)`; undefined for other values. */
export const textOf = (args: readonly unknown[], budget: Budget): string | undefined => {
  const [value, charset] = args
  if (value instanceof Uint8Array && args.length <= 2) {
    return budget.string(decoded(counted(value, budget), charsetName(charset)))
  }
  return value instanceof JavaArray && value.type === "char" && args.length === 1
    ? budget.string(value.map((it) => (it as Char).text).join(""))
    : undefined
}

const hexBytes = (text: string): Uint8Array => {
  if (text.length % 2 === 1) throw new MalformedText("odd number of characters in hex string")
  const at = text.search(/[^\da-fA-F]/)
  if (at >= 0) {
    const pair = text.slice(at - (at % 2), at - (at % 2) + 2)
    throw new MalformedText(`For input string: "${pair}" under radix 16`)
  }
  return new Uint8Array(Buffer.from(text, "hex"))
}

/** Methods of strings that give bytes. */
export const textByteMethods: Methods = {
  getBytes: [0, 1, (value: string, [charset], budget) => textBytes(value, charset, budget)],
  decodeBase64: [0, 0, (value: string, _, budget) => counted(groovyDecoded(short(value, budget), false), budget)],
  decodeBase64Url: [0, 0, (value: string, _, budget) => counted(groovyDecoded(short(value, budget), true), budget)],
  decodeHex: [0, 0, (value: string, _, budget) => counted(hexBytes(short(value, budget)), budget)]
}

const digest = (value: Uint8Array, name: string, budget: Budget): string =>
  budget.string(createHash(digestOf(name)).update(counted(value, budget)).digest("hex"))

/** Methods of a byte[]. */
export const byteMethods: Methods = {
  size: [0, 0, (value: Uint8Array) => value.length],
  encodeBase64: [
    0,
    0,
    (value: Uint8Array, _, budget) => new EncodedText(budget.string(base64(counted(value, budget), false, true)))
  ],
  encodeBase64Url: [
    0,
    0,
    (value: Uint8Array, _, budget) => new EncodedText(budget.string(base64(counted(value, budget), true, false)))
  ],
  encodeHex: [
    0,
    0,
    (value: Uint8Array, _, budget) =>
      new EncodedText(budget.string(Buffer.from(counted(value, budget)).toString("hex")))
  ],
  md5: [0, 0, (value: Uint8Array, _, budget) => digest(value, "MD5", budget)],
  sha256: [0, 0, (value: Uint8Array, _, budget) => digest(value, "SHA-256", budget)],
  digest: [1, 1, (value: Uint8Array, [name], budget) => digest(value, asText(name), budget)],
  toList: [0, 0, (value: Uint8Array, _, budget) => budget.list([...membersOf(value, "toList()")])],
  iterator: [
    0,
    0,
    (value: Uint8Array, _, budget) => new ScriptIterator(budget.list([...membersOf(value, "iterator()")]))
  ],
  // As in Java, each array is equal to itself only; `==` compares the bytes.
  equals: [1, 1, (value: Uint8Array, [other]) => value === other],
  hashCode: [
    0,
    0,
    () => {
      throw new OperandError("the hash code of an array is another one in each run: use toList().hashCode()")
    }
  ]
}
