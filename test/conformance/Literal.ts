import { bigDecimalText, type Value } from "./Value.ts"

const escapes: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const quote = (text: string): string => `"${text.replace(/["\\\n\r\t]/g, (character) => escapes[character]!)}"`

const floating = (value: number, suffix: string): string =>
  Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? `${value}${suffix}` : value > 0 ? "Infinity" : "-Infinity"

const two = (value: number | bigint): string => String(value).padStart(2, "0")

const dateTime = (value: Extract<Value, { kind: "dateTime" }>): string => {
  const day = new Date(value.epochDay * 86_400_000).toISOString().slice(0, 10)
  const seconds = value.nanoOfDay / 1_000_000_000n
  const nanos = String(value.nanoOfDay % 1_000_000_000n).padStart(9, "0")
  const offset = Math.abs(value.offset)
  const zone = `${value.offset < 0 ? "-" : "+"}${two(Math.floor(offset / 3600))}:${two(Math.floor(offset / 60) % 60)}`
  const time = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`
  return `datetime("${day}T${time}${nanos === "000000000" ? "" : `.${nanos}`}${value.offset === 0 ? "Z" : zone}")`
}

/**
 * A value as a literal of the Gremlin language, or undefined when the language has none: elements and paths, and
 * collections of them, can travel only as bindings.
 */
export const literal = (value: Value): string | undefined => {
  switch (value.kind) {
    case "null":
      return "null"
    case "boolean":
      return String(value.value)
    case "string":
      return quote(value.value)
    case "uuid":
      return `UUID("${value.value}")`
    case "byte":
      return `${value.value}b`
    case "short":
      return `${value.value}s`
    case "int":
      return `${value.value}i`
    case "long":
      return `${value.value}l`
    case "bigInteger":
      return `${value.value}n`
    case "float":
      return floating(value.value, "f")
    case "double":
      return floating(value.value, "d")
    case "bigDecimal":
      return `${bigDecimalText(value.unscaled, value.scale)}m`
    case "dateTime":
      return dateTime(value)
    case "enum":
      return `${value.type}.${value.name}`
    case "list":
    case "set": {
      const items = value.items.map(literal)
      if (items.includes(undefined)) return undefined
      return value.kind === "list" ? `[${items.join(",")}]` : `{${items.join(",")}}`
    }
    case "map": {
      if (value.entries.length === 0) return "[:]"
      const entries = value.entries.map(([key, item]) => {
        const [left, right] = [literal(key), literal(item)]
        return left === undefined || right === undefined
          ? undefined
          : `${key.kind === "enum" ? `(${left})` : left}:${right}`
      })
      return entries.includes(undefined) ? undefined : `[${entries.join(",")}]`
    }
    default:
      return undefined
  }
}
