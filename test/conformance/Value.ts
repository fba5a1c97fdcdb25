/**
 * The values of the Gremlin type system in the conformance suite. Every value has a type: Int32 1, Int64 1 and Double 1.0 are
 * three different values. This model is independent of the types of the server. The decoders in wire/ and the notation of the
 * feature files create values, and Compare.ts compares them.
 */
export type Value =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "string" | "char" | "uuid"; readonly value: string }
  | { readonly kind: "byte" | "short" | "int" | "long" | "bigInteger"; readonly value: bigint }
  | { readonly kind: "float" | "double"; readonly value: number }
  /** unscaled * 10^-scale, as java.math.BigDecimal: 1.0 and 1.00 are equal in value and different in scale */
  | { readonly kind: "bigDecimal"; readonly unscaled: bigint; readonly scale: number }
  /** Local date and time, with the offset from UTC in seconds. */
  | { readonly kind: "dateTime"; readonly epochDay: number; readonly nanoOfDay: bigint; readonly offset: number }
  /** an amount of time: seconds and nanoseconds, as java.time.Duration; nanos is 0 to 999,999,999 */
  | { readonly kind: "duration"; readonly seconds: bigint; readonly nanos: number }
  | { readonly kind: "list" | "set" | "bulkSet"; readonly items: ReadonlyArray<Value> }
  | { readonly kind: "map"; readonly entries: ReadonlyArray<readonly [Value, Value]> }
  | VertexValue
  | EdgeValue
  | VertexPropertyValue
  | { readonly kind: "property"; readonly key: string; readonly value: Value }
  | { readonly kind: "path"; readonly labels: ReadonlyArray<Value>; readonly objects: ReadonlyArray<Value> }
  | TreeValue
  | { readonly kind: "graph"; readonly vertices: ReadonlyArray<VertexValue>; readonly edges: ReadonlyArray<EdgeValue> }
  | { readonly kind: "enum"; readonly type: string; readonly name: string }
  | { readonly kind: "traverser"; readonly bulk: bigint; readonly value: Value }
  /** A type that no scenario expects. Failures show its text. */
  | { readonly kind: "other"; readonly type: string; readonly text: string }

/** A vertex. `properties` is absent if the answer has only a reference. */
export interface VertexValue {
  readonly kind: "vertex"
  readonly id: Value
  readonly label: string
  readonly properties?: ReadonlyArray<VertexPropertyValue>
}

/** An edge with references to its two vertices. */
export interface EdgeValue {
  readonly kind: "edge"
  readonly id: Value
  readonly label: string
  readonly out: { readonly id: Value; readonly label: string }
  readonly in: { readonly id: Value; readonly label: string }
  readonly properties?: ReadonlyArray<{ readonly key: string; readonly value: Value }>
}

/** A property of a vertex; `properties` are its meta-properties, absent if the answer has none. */
export interface VertexPropertyValue {
  readonly kind: "vertexProperty"
  readonly id: Value
  readonly label: string
  readonly value: Value
  readonly properties?: ReadonlyArray<{ readonly key: string; readonly value: Value }>
}

/** A tree: its branches in order. A branch is a key with a subtree. */
export interface TreeValue {
  readonly kind: "tree"
  readonly branches: ReadonlyArray<readonly [Value, TreeValue]>
}

export const nullValue: Value = { kind: "null" }
export const string = (value: string): Value => ({ kind: "string", value })
export const boolean = (value: boolean): Value => ({ kind: "boolean", value })
export const int = (value: number | bigint): Value => ({ kind: "int", value: BigInt(value) })
export const long = (value: number | bigint): Value => ({ kind: "long", value: BigInt(value) })
export const double = (value: number): Value => ({ kind: "double", value })
export const list = (items: ReadonlyArray<Value>): Value => ({ kind: "list", items })
export const set = (items: ReadonlyArray<Value>): Value => ({ kind: "set", items })
export const map = (entries: ReadonlyArray<readonly [Value, Value]>): Value => ({ kind: "map", entries })
export const enumValue = (type: string, name: string): Value => ({ kind: "enum", type, name })

/** Reads the text of a BigDecimal ("-1.50", "1E+3"); undefined when it is none. */
export const parseBigDecimal = (text: string): Value | undefined => {
  const match = /^([+-]?\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null || !/\d/.test(text)) return undefined
  const fraction = match[2] ?? ""
  const digits = `${match[1] ?? ""}${fraction}`.replace(/^\+/, "")
  return { kind: "bigDecimal", unscaled: BigInt(digits), scale: fraction.length - Number(match[3] ?? 0) }
}

/** Reads an ISO-8601 date and time with offset ("2023-08-08T00:00:00Z", "2023-08-08"); undefined when it is none. */
export const parseDateTime = (text: string): Value | undefined => {
  const match =
    /^([+-]?\d{4,9})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?)?$/.exec(
      text
    )
  if (match === null) return undefined
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match
  const start = new Date(0)
  start.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  return {
    kind: "dateTime",
    epochDay: Math.round(start.getTime() / 86_400_000),
    nanoOfDay: BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0")),
    offset: offsetSeconds(zone)
  }
}

const offsetSeconds = (zone: string): number => {
  if (zone === "Z") return 0
  const digits = zone.slice(1).replaceAll(":", "").padEnd(6, "0")
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4, 6))
  return zone.startsWith("-") ? -seconds : seconds
}

/** The text of a decimal number as in Java: sign, digits and point, without an exponent. */
export const bigDecimalText = (unscaled: bigint, scale: number): string => {
  if (scale <= 0) return `${unscaled}${"0".repeat(-scale)}`
  const negative = unscaled < 0n
  const digits = (negative ? -unscaled : unscaled).toString().padStart(scale + 1, "0")
  return `${negative ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const suffixes = { byte: "b", short: "s", int: "i", long: "l", bigInteger: "n", float: "f", double: "d" } as const

/** The text of a value in failures: the notation of the feature files where it exists. */
export const show = (value: Value): string => {
  switch (value.kind) {
    case "null":
      return "null"
    case "boolean":
      return String(value.value)
    case "string":
      return JSON.stringify(value.value)
    case "char":
    case "uuid":
      return `${value.kind}[${value.value}]`
    case "byte":
    case "short":
    case "int":
    case "long":
    case "bigInteger":
    case "float":
    case "double":
      return `d[${Object.is(value.value, -0) ? "-0" : value.value}].${suffixes[value.kind]}`
    case "bigDecimal":
      return `d[${bigDecimalText(value.unscaled, value.scale)}].m`
    case "dateTime":
      return `dt[day ${value.epochDay} + ${value.nanoOfDay} ns, offset ${value.offset} s]`
    case "duration":
      return `duration[${value.seconds} s + ${value.nanos} ns]`
    case "list":
      return `l[${value.items.map(show).join(",")}]`
    case "set":
      return `s[${value.items.map(show).join(",")}]`
    case "bulkSet":
      return `bulkSet[${value.items.map(show).join(",")}]`
    case "map":
      return `m[${value.entries.map(([key, item]) => `${show(key)}: ${show(item)}`).join(", ")}]`
    case "vertex":
      return `v[${show(value.id)} ${value.label}]`
    case "edge":
      return `e[${show(value.id)} ${show(value.out.id)}-${value.label}->${show(value.in.id)}]`
    case "vertexProperty":
      return `vp[${show(value.id)} ${value.label}->${show(value.value)}]`
    case "property":
      return `property[${value.key}->${show(value.value)}]`
    case "path":
      return `p[${value.objects.map(show).join(",")}]`
    case "tree":
      return `tree[${value.branches.map(([key, below]) => `${show(key)}${show(below).slice(4)}`).join(", ")}]`
    case "graph":
      return `graph[${value.vertices.map(show).join(",")} ${value.edges.map(show).join(",")}]`
    case "enum":
      return `${value.type}.${value.name}`
    case "traverser":
      return `traverser[${show(value.value)} x ${value.bulk}]`
    case "other":
      return `${value.type}[${value.text}]`
  }
}
