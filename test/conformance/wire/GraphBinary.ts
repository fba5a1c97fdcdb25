import {
  type EdgeValue,
  enumValue,
  nullValue,
  type TreeValue,
  type Value,
  type VertexPropertyValue,
  type VertexValue
} from "../Value.ts"
import type { Answer } from "./Answer.ts"

/** The enums of the Gremlin language by their type code. */
export const enumCodes: Readonly<Record<number, string>> = {
  19: "Barrier",
  22: "Cardinality",
  23: "Column",
  24: "Direction",
  25: "Operator",
  26: "Order",
  27: "Pick",
  28: "Pop",
  31: "Scope",
  32: "T",
  46: "Merge",
  47: "DT",
  48: "GType"
}

/** Decodes one message in GraphBinary 1.0. A read beyond the end of the message throws a RangeError. */
class Reader {
  readonly bytes: Buffer
  position = 0
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  fail(what: string): never {
    throw new Error(`GraphBinary at byte ${this.position} of ${this.bytes.length}: ${what}`)
  }
  take(length: number): Buffer {
    if (length < 0 || this.position + length > this.bytes.length) this.fail(`${length} bytes are expected`)
    this.position += length
    return this.bytes.subarray(this.position - length, this.position)
  }
  byte = (): number => this.take(1).readUInt8()
  int = (): number => this.take(4).readInt32BE()
  long = (): bigint => this.take(8).readBigInt64BE()
  text = (): string => this.take(this.int()).toString("utf8")
  uuid = (): string =>
    this.take(16)
      .toString("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
  many = <A>(read: () => A): ReadonlyArray<A> => Array.from({ length: this.int() }, read)

  /** A value after its flag, which is set if the value is null. Null is returned as undefined. */
  nullable<A>(read: () => A): A | undefined {
    const flag = this.byte()
    if (flag === 1) return undefined
    return flag === 0 ? read() : this.fail(`a value flag of 0 or 1 is expected, not ${flag}`)
  }
  bigInteger = (): bigint => {
    const bytes = this.take(this.int())
    return bytes.length === 0
      ? this.fail("an empty BigInteger")
      : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString("hex")}`))
  }
  /** One character in UTF-8. Its first byte contains the number of its bytes. */
  character = (): string => {
    const first = this.byte()
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
    return Buffer.concat([Buffer.from([first]), this.take(more)]).toString("utf8")
  }
  map = (): ReadonlyArray<readonly [Value, Value]> => this.many(() => [this.value(), this.value()] as const)

  vertexProperty = (): VertexPropertyValue => {
    const id = this.value()
    const label = this.text()
    const value = this.value()
    this.value()
    const properties = this.value()
    if (properties.kind === "null") return { kind: "vertexProperty", id, label, value }
    const items = properties.kind === "list" ? properties.items : this.fail("meta-properties are a list")
    return { kind: "vertexProperty", id, label, value, properties: items.filter((item) => item.kind === "property") }
  }
  vertex = (): VertexValue => {
    const id = this.value()
    const label = this.text()
    const properties = this.value()
    if (properties.kind === "null") return { kind: "vertex", id, label }
    const items = properties.kind === "list" ? properties.items : this.fail("the properties of a vertex are a list")
    return { kind: "vertex", id, label, properties: items.filter((item) => item.kind === "vertexProperty") }
  }
  edge = (): EdgeValue => {
    const id = this.value()
    const label = this.text()
    const into = { id: this.value(), label: this.text() }
    const out = { id: this.value(), label: this.text() }
    this.value()
    const properties = this.value()
    if (properties.kind === "null") return { kind: "edge", id, label, out, in: into }
    const items = properties.kind === "list" ? properties.items : this.fail("the properties of an edge are a list")
    return { kind: "edge", id, label, out, in: into, properties: items.filter((item) => item.kind === "property") }
  }
  property = (): { readonly kind: "property"; readonly key: string; readonly value: Value } => {
    const property = { kind: "property", key: this.text(), value: this.value() } as const
    this.value()
    return property
  }
  tree = (): TreeValue => ({ kind: "tree", branches: this.many(() => [this.value(), this.tree()] as const) })

  /** A graph has a separate layout for its elements: their property lists have no type code and no flag. */
  graph = (): Value => {
    const vertices = this.many((): VertexValue => {
      const id = this.value()
      const label = this.text()
      const properties = this.many((): VertexPropertyValue => {
        const property = { kind: "vertexProperty", id: this.value(), label: this.text(), value: this.value() } as const
        this.value()
        this.many(this.value)
        return property
      })
      return { kind: "vertex", id, label, properties }
    })
    const labels = (id: Value): string => vertices.find((vertex) => sameId(vertex.id, id))?.label ?? ""
    const edges = this.many((): EdgeValue => {
      const id = this.value()
      const label = this.text()
      const into = this.value()
      this.value()
      const out = this.value()
      this.value()
      this.value()
      const properties = this.many(this.value).filter((item) => item.kind === "property")
      return {
        kind: "edge",
        id,
        label,
        out: { id: out, label: labels(out) },
        in: { id: into, label: labels(into) },
        properties
      }
    })
    return { kind: "graph", vertices, edges }
  }
  dateTime = (): Value => {
    const [year, month, day] = [this.int(), this.byte(), this.byte()]
    const start = new Date(0)
    start.setUTCFullYear(year, month - 1, day)
    return {
      kind: "dateTime",
      epochDay: Math.round(start.getTime() / 86_400_000),
      nanoOfDay: this.long(),
      offset: this.int()
    }
  }

  /** A fully qualified value: type code, value flag, value. */
  value = (): Value => {
    const code = this.byte()
    if (code === 0x00) return this.fail(`a custom type ${this.text()}`)
    return this.nullable(() => this.body(code)) ?? nullValue
  }

  body(code: number): Value {
    switch (code) {
      case 0x01:
        return { kind: "int", value: BigInt(this.int()) }
      case 0x02:
        return { kind: "long", value: this.long() }
      case 0x03:
        return { kind: "string", value: this.text() }
      case 0x06:
        return { kind: "other", type: "Class", text: this.text() }
      case 0x07:
        return { kind: "double", value: this.take(8).readDoubleBE() }
      case 0x08:
        return { kind: "float", value: this.take(4).readFloatBE() }
      case 0x09:
        return { kind: "list", items: this.many(this.value) }
      case 0x0a:
        return { kind: "map", entries: this.map() }
      case 0x0b:
        return { kind: "set", items: this.many(this.value) }
      case 0x0c:
        return { kind: "uuid", value: this.uuid() }
      case 0x0d:
        return this.edge()
      case 0x0e: {
        const [labels, objects] = [this.value(), this.value()]
        if (labels.kind !== "list" || objects.kind !== "list")
          return this.fail("labels and objects of a path are lists")
        return { kind: "path", labels: labels.items, objects: objects.items }
      }
      case 0x0f:
        return this.property()
      case 0x10:
        return this.graph()
      case 0x11:
        return this.vertex()
      case 0x12:
        return this.vertexProperty()
      case 0x21:
        return { kind: "traverser", bulk: this.long(), value: this.value() }
      case 0x22:
        return { kind: "bigDecimal", scale: this.int(), unscaled: this.bigInteger() }
      case 0x23:
        return { kind: "bigInteger", value: this.bigInteger() }
      case 0x24:
        return { kind: "byte", value: BigInt(this.take(1).readInt8()) }
      case 0x26:
        return { kind: "short", value: BigInt(this.take(2).readInt16BE()) }
      case 0x27:
        return { kind: "boolean", value: this.byte() === 1 }
      case 0x2a:
        return { kind: "bulkSet", items: this.many(() => this.bulked()).flat() }
      case 0x2b:
        return this.tree()
      case 0x80:
        return { kind: "char", value: this.character() }
      case 0x81:
        return { kind: "duration", seconds: this.long(), nanos: this.int() }
      case 0x88:
        return this.dateTime()
    }
    const enumType = enumCodes[code]
    if (enumType === undefined) return this.fail(`type code 0x${code.toString(16)} is not expected in an answer`)
    const name = this.value()
    return name.kind === "string" ? enumValue(enumType, name.value) : this.fail("the name of an enum value is a string")
  }
  bulked(): ReadonlyArray<Value> {
    const item = this.value()
    return Array.from({ length: Number(this.long()) }, () => item)
  }
}

const sameId = (left: Value, right: Value): boolean =>
  left.kind === right.kind && "value" in left && "value" in right && left.value === right.value

/** Decodes a response message in GraphBinary 1.0; remaining bytes are an error. */
export const decodeAnswer = (bytes: Buffer): Answer => {
  const reader = new Reader(bytes)
  if (reader.byte() !== 0x81) reader.fail("version 0x81 is expected")
  const requestId = reader.nullable(reader.uuid)
  const code = reader.int()
  const message = reader.nullable(reader.text) ?? ""
  reader.map()
  reader.map()
  const data = reader.value()
  if (reader.position < bytes.length) reader.fail("bytes are left over")
  return { requestId, code, message, data }
}
