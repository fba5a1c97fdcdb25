import { bigDecimalText, type Value } from "../Value.ts"

const raw = (type: string, value: unknown): unknown => ({ "@type": type, "@value": value })

/** A number that JSON.stringify would round. It is written as a marked string, whose quotes are removed at the end. */
const exact = (digits: string): string => `\u0001${digits}\u0001`

const integerTypes = {
  byte: "gx:Byte",
  short: "gx:Int16",
  int: "g:Int32",
  long: "g:Int64",
  bigInteger: "gx:BigInteger"
}

const plain = (value: Value): unknown => {
  switch (value.kind) {
    case "null":
      return null
    case "boolean":
    case "string":
      return value.value
    case "byte":
    case "short":
    case "int":
    case "long":
    case "bigInteger":
      return raw(integerTypes[value.kind], exact(String(value.value)))
    case "float":
    case "double":
      return raw(
        value.kind === "float" ? "g:Float" : "g:Double",
        Number.isFinite(value.value) ? value.value : String(value.value)
      )
    case "bigDecimal":
      return raw("gx:BigDecimal", exact(bigDecimalText(value.unscaled, value.scale)))
    case "uuid":
      return raw("g:UUID", value.value)
    case "list":
    case "set":
      return raw(value.kind === "list" ? "g:List" : "g:Set", value.items.map(plain))
    case "map":
      return raw(
        "g:Map",
        value.entries.flatMap(([key, item]) => [plain(key), plain(item)])
      )
    case "enum":
      return raw(`g:${value.type}`, value.name)
    case "vertex":
      return raw("g:Vertex", { id: plain(value.id), label: value.label })
    case "edge":
      return raw("g:Edge", {
        id: plain(value.id),
        label: value.label,
        inV: plain(value.in.id),
        inVLabel: value.in.label,
        outV: plain(value.out.id),
        outVLabel: value.out.label
      })
    default:
      throw new Error(`no parameter of the suite is a ${value.kind}`)
  }
}

/** Encodes a parameter of a scenario in GraphSON 3. */
export const encode = (value: Value): string =>
  JSON.stringify(plain(value)).replaceAll(/"\\u0001([^"\\]*)\\u0001"/g, "$1")
