import type { Value } from "../Value.ts"
import { enumCodes } from "./GraphBinary.ts"

/** An Int without type code and flag: four bytes, big-endian. */
export const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const long = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}
/** A String without type code and flag: its length in bytes, then its bytes in UTF-8. */
export const text = (value: string): Buffer => Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)])

const bigInteger = (value: bigint): Buffer => {
  let length = 1
  while (BigInt.asIntN(length * 8, value) !== value) length++
  const hex = BigInt.asUintN(length * 8, value)
    .toString(16)
    .padStart(length * 2, "0")
  return Buffer.concat([int(length), Buffer.from(hex, "hex")])
}

/** A value with its type code and the flag of a non-null value. */
export const some = (code: number, ...parts: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([Buffer.from([code, 0]), ...parts])
const unspecifiedNull = Buffer.from([0xfe, 1])

/** Encodes a parameter of a scenario, fully qualified. */
export const encode = (value: Value): Buffer => {
  switch (value.kind) {
    case "null":
      return unspecifiedNull
    case "boolean":
      return some(0x27, Buffer.from([value.value ? 1 : 0]))
    case "string":
      return some(0x03, text(value.value))
    case "byte":
      return some(0x24, Buffer.from([Number(BigInt.asUintN(8, value.value))]))
    case "short":
      return some(0x26, int(Number(value.value)).subarray(2))
    case "int":
      return some(0x01, int(Number(value.value)))
    case "long":
      return some(0x02, long(value.value))
    case "bigInteger":
      return some(0x23, bigInteger(value.value))
    case "bigDecimal":
      return some(0x22, int(value.scale), bigInteger(value.unscaled))
    case "double": {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleBE(value.value)
      return some(0x07, bytes)
    }
    case "float": {
      const bytes = Buffer.alloc(4)
      bytes.writeFloatBE(value.value)
      return some(0x08, bytes)
    }
    case "char":
      return some(0x80, Buffer.from(value.value))
    case "duration":
      return some(0x81, long(value.seconds), int(value.nanos))
    case "dateTime": {
      const day = new Date(value.epochDay * 86_400_000)
      const date = [int(day.getUTCFullYear()), Buffer.from([day.getUTCMonth() + 1, day.getUTCDate()])]
      return some(0x88, ...date, long(value.nanoOfDay), int(value.offset))
    }
    case "uuid":
      return some(0x0c, Buffer.from(value.value.replaceAll("-", ""), "hex"))
    case "list":
    case "set":
      return some(value.kind === "list" ? 0x09 : 0x0b, int(value.items.length), ...value.items.map(encode))
    case "map":
      return some(
        0x0a,
        int(value.entries.length),
        ...value.entries.flatMap(([key, item]) => [encode(key), encode(item)])
      )
    case "enum": {
      const code = Object.entries(enumCodes).find(([, type]) => type === value.type)?.[0]
      return some(Number(code), some(0x03, text(value.name)))
    }
    case "vertex":
      return some(0x11, encode(value.id), text(value.label), unspecifiedNull)
    case "edge": {
      const into = [encode(value.in.id), text(value.in.label)]
      const out = [encode(value.out.id), text(value.out.label)]
      return some(0x0d, encode(value.id), text(value.label), ...into, ...out, unspecifiedNull, unspecifiedNull)
    }
    default:
      throw new Error(`no parameter of the suite is a ${value.kind}`)
  }
}

/** Encodes a request message: version, request id, op, processor, arguments. */
export const encodeRequest = (
  requestId: string,
  op: string,
  processor: string,
  args: ReadonlyArray<readonly [Value, Value]>
): Buffer => {
  const id = Buffer.from(requestId.replaceAll("-", ""), "hex")
  const entries = args.flatMap(([key, item]) => [encode(key), encode(item)])
  return Buffer.concat([Buffer.from([0x81]), id, text(op), text(processor), int(args.length), ...entries])
}
