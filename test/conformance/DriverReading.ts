import { createRequire } from "node:module"
import { show, type Value } from "./Value.ts"
import type { Exchange, Format } from "./wire/Socket.ts"

/**
 * The readers of the npm package gremlin, a real driver. They decode every answer to bytecode a second time, to find errors
 * that the decoders of the suite share with the encoders of the server. The package has no type declarations.
 */
interface DriverReader {
  readonly readResponse: (bytes: Buffer) => { readonly result: { readonly data: unknown } }
}

const require = createRequire(import.meta.url)
const { graphBinaryReader } = require("gremlin/lib/structure/io/binary/GraphBinary.js") as {
  graphBinaryReader: DriverReader
}
const { GraphSON3Reader } = require("gremlin/lib/structure/io/graph-serializer.js") as {
  GraphSON3Reader: new () => DriverReader
}
const readers: Readonly<Record<Format, DriverReader>> = {
  graphson: new GraphSON3Reader(),
  graphbinary: graphBinaryReader
}

/** Types without a reader in this driver. It refuses GraphBinary with such a type, and returns GraphSON undecoded. */
const unread: Readonly<Record<Format, ReadonlySet<Value["kind"]>>> = {
  graphson: new Set(["bigDecimal", "bigInteger", "tree", "graph", "char", "byte", "short"]),
  graphbinary: new Set(["bigDecimal", "tree", "graph", "char"])
}

const parts = (value: Value): ReadonlyArray<Value> => {
  switch (value.kind) {
    case "list":
    case "set":
    case "bulkSet":
      return value.items
    case "map":
      return value.entries.flat()
    case "path":
      return value.objects
    case "traverser":
    case "vertexProperty":
    case "property":
      return [value.value]
    case "vertex":
      return [value.id, ...(value.properties ?? [])]
    default:
      return []
  }
}

const readable = (format: Format, value: Value): boolean =>
  !unread[format].has(value.kind) && parts(value).every((part) => readable(format, part))

interface DriverObject {
  readonly constructor: { readonly name: string }
  readonly [key: string]: unknown
}

const isA = (read: unknown, name: string): read is DriverObject =>
  typeof read === "object" && read !== null && (read as DriverObject).constructor.name === name

/** Whether the object of the driver represents the value. In JavaScript all numbers have one type. */
const agrees = (format: Format, value: Value, read: unknown): boolean => {
  const all = (values: ReadonlyArray<Value>, items: Iterable<unknown>): boolean => {
    const found = [...items]
    return found.length === values.length && values.every((item, index) => agrees(format, item, found[index]))
  }
  switch (value.kind) {
    case "null":
      return read === null || read === undefined
    case "boolean":
    case "string":
    case "uuid":
      return read === value.value
    case "byte":
      // This driver reads a byte of GraphBinary as unsigned.
      return read === Number(value.value) || read === Number(BigInt.asUintN(8, value.value))
    case "short":
    case "int":
    case "long":
    case "bigInteger":
    case "double":
      return (typeof read === "number" || typeof read === "bigint") && Object.is(Number(read), Number(value.value))
    case "float":
      // GraphSON writes a float with fewer digits than the equal double in JavaScript.
      return typeof read === "number" && Object.is(Math.fround(read), value.value)
    case "dateTime": {
      const millis = BigInt(value.epochDay) * 86_400_000n + value.nanoOfDay / 1_000_000n - BigInt(value.offset) * 1000n
      return read instanceof Date && BigInt(read.getTime()) === millis
    }
    case "list":
    case "bulkSet":
      return Array.isArray(read) && all(value.items, read)
    case "set":
      return (read instanceof Set || Array.isArray(read)) && all(value.items, read)
    case "map":
      return (
        read instanceof Map &&
        all(
          value.entries.map(([key]) => key),
          read.keys()
        ) &&
        all(
          value.entries.map(([, item]) => item),
          read.values()
        )
      )
    case "vertex":
      return isA(read, "Vertex") && agrees(format, value.id, read.id) && read.label === value.label
    case "edge": {
      if (!isA(read, "Edge") || !agrees(format, value.id, read.id) || read.label !== value.label) return false
      const [out, into] = [read.outV as DriverObject, read.inV as DriverObject]
      return agrees(format, value.out.id, out.id) && agrees(format, value.in.id, into.id)
    }
    case "vertexProperty":
      return (
        isA(read, "VertexProperty") &&
        agrees(format, value.id, read.id) &&
        read.label === value.label &&
        agrees(format, value.value, read.value)
      )
    case "property":
      return isA(read, "Property") && read.key === value.key && agrees(format, value.value, read.value)
    case "path":
      return isA(read, "Path") && all(value.objects, read.objects as ReadonlyArray<unknown>)
    case "traverser":
      return (
        isA(read, "Traverser") && agrees(format, value.value, read.object) && Number(read.bulk) === Number(value.bulk)
      )
    case "enum":
      return typeof read === "string" ? read === value.name : isA(read, "EnumValue") && read.elementName === value.name
    default:
      return true
  }
}

/** Decodes the payloads of an exchange with the driver, and compares them with the decoded answers. Throws if they differ. */
export const verify = (format: Format, exchange: Exchange): void => {
  for (const [index, answer] of exchange.answers.entries()) {
    if (!readable(format, answer.data)) continue
    let data: unknown
    try {
      data = readers[format].readResponse(exchange.payloads[index]!).result.data
    } catch (error) {
      throw new Error(`the driver cannot read the answer: ${(error as Error).message}`)
    }
    if (!agrees(format, answer.data, data)) throw new Error(`the driver reads something else than ${show(answer.data)}`)
  }
}
