import {
  bigDecimalText,
  type EdgeValue,
  type TreeValue,
  type Value,
  type VertexPropertyValue
} from "../conformance/Value.ts"
import { FIRST_GENERATED_ID } from "./graphs/Graphs.ts"

/** The differences that a comparison of values ignores. */
export interface Leniency {
  /**
   * "any": collections are compared as if their members had no order. "ranked": the same, and values are equal that have the same place in
   * an order, such as numbers of different types and dates with different offsets.
   */
  readonly order: "kept" | "any" | "ranked"
  /** Whether generated ids are compared only by their order, because graphs generate different ids. */
  readonly givenIds: boolean
}

/** Numbers above these are computed values, not ids. */
const MAX_GENERATED_ID = 100_000_000n
/** Compared significant digits of a floating point number. Sums and functions differ in the last digits. */
const COMPARED_DIGITS = 12

const NANOS_OF_SECOND = 1_000_000_000n
const NANOS_OF_DAY = 86_400n * NANOS_OF_SECOND

const closings: Readonly<Record<string, string>> = { "{": "}", "[": "]" }

/**
 * The text of a value with the members of its collections, which are in brackets, in the order of their texts. A text whose brackets do
 * not match stays as it is.
 */
export const withSortedMembers = (text: string): string => {
  /** The collections around the current place: the bracket, and the members that are complete. */
  const around: Array<{ readonly opening: string; readonly members: Array<string>; readonly before: string }> = []
  let current = ""
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const inside = around.at(-1)
    if (character in closings) {
      around.push({ opening: character, members: [], before: current })
      current = ""
    } else if (character === "}" || character === "]") {
      if (inside === undefined || closings[inside.opening] !== character) return text
      around.pop()
      const members = [...inside.members, current].sort()
      current = `${inside.before}${inside.opening}${members.join(", ")}${character}`
    } else if (inside !== undefined && text.startsWith(", ", at)) {
      inside.members.push(current)
      current = ""
      at++
    } else current += character
  }
  return around.length === 0 ? current : text
}

/** The generated ids among the numbers of a value. */
const givenIds = (value: Value, found: Set<bigint>): void => {
  const all = (values: Iterable<Value>): void => {
    for (const one of values) givenIds(one, found)
  }
  switch (value.kind) {
    case "int":
    case "long":
      if (value.value >= FIRST_GENERATED_ID && value.value < MAX_GENERATED_ID) found.add(value.value)
      return
    case "list":
    case "set":
    case "bulkSet":
      return all(value.items)
    case "map":
      return all(value.entries.flat())
    case "vertex":
      all([value.id])
      return all(value.properties ?? [])
    case "vertexProperty":
      return all([value.id, value.value, ...(value.properties ?? []).map((meta) => meta.value)])
    case "edge":
      return all([value.id, value.out.id, value.in.id, ...(value.properties ?? []).map((property) => property.value)])
    case "property":
      return all([value.value])
    case "path":
      return all(value.objects)
    case "tree":
      return all(value.branches.flat())
    case "graph":
      all(value.vertices)
      return all(value.edges)
    default:
      return
  }
}

/** Converts values to texts. Equal values have equal texts. */
class Writer {
  readonly #lenient: Leniency
  readonly #ranks: ReadonlyMap<bigint, number>

  constructor(lenient: Leniency, values: ReadonlyArray<Value>) {
    this.#lenient = lenient
    const found = new Set<bigint>()
    if (lenient.givenIds) for (const value of values) givenIds(value, found)
    this.#ranks = new Map([...found].sort((a, b) => (a < b ? -1 : 1)).map((id, rank) => [id, rank]))
  }

  #members(values: ReadonlyArray<Value>, sorted: boolean): string {
    const texts = values.map((value) => this.text(value))
    return (sorted ? texts.sort() : texts).join(",")
  }

  #properties(properties: ReadonlyArray<{ readonly key: string; readonly value: Value }> | undefined): string {
    return (properties ?? [])
      .map(({ key, value }) => `${key}=${this.text(value)}`)
      .sort()
      .join(",")
  }

  #vertexProperty({ label, id, value, properties }: VertexPropertyValue): string {
    const identified = this.#lenient.givenIds ? "" : this.text(id)
    return `vp[${identified} ${label}=${this.text(value)} ${this.#properties(properties)}]`
  }

  #edge({ id, label, out, in: into, properties }: EdgeValue): string {
    const ends = `${this.text(out.id)} ${out.label}->${this.text(into.id)} ${into.label}`
    return `e[${this.text(id)} ${label} ${ends} ${this.#properties(properties)}]`
  }

  #floating(value: number): string {
    if (Object.is(value, -0)) return "-0"
    return Number.isFinite(value) && value !== 0 ? value.toPrecision(COMPARED_DIGITS) : String(value)
  }

  get #isRanked(): boolean {
    return this.#lenient.order === "ranked"
  }

  #number(kind: Value["kind"], value: number | bigint): string {
    if (this.#isRanked) return `number:${this.#floating(Number(value))}`
    return `${kind}:${kind === "double" ? this.#floating(Number(value)) : value}`
  }

  #tree({ branches }: TreeValue): string {
    return `{${branches
      .map(([key, below]) => `${this.text(key)}:${this.#tree(below)}`)
      .sort()
      .join(",")}}`
  }

  text(value: Value): string {
    switch (value.kind) {
      case "null":
        return "null"
      case "boolean":
        return String(value.value)
      case "string": {
        const text = this.#lenient.givenIds ? value.value.replaceAll(/\d{6,8}/g, "#") : value.value
        return JSON.stringify(this.#lenient.order !== "kept" ? withSortedMembers(text) : text)
      }
      case "int":
      case "long": {
        const rank = this.#ranks.get(value.value)
        return rank === undefined ? this.#number(value.kind, value.value) : `given#${rank}`
      }
      case "float":
        return this.#number("float", value.value)
      case "double":
        return this.#number("double", value.value)
      case "byte":
      case "short":
      case "bigInteger":
        return this.#number(value.kind, value.value)
      case "bigDecimal": {
        const digits = bigDecimalText(value.unscaled, value.scale)
        return this.#isRanked ? this.#number("bigDecimal", Number(digits)) : `bigDecimal:${digits}e${value.scale}`
      }
      case "dateTime":
        return this.#isRanked
          ? `date:${BigInt(value.epochDay) * NANOS_OF_DAY + value.nanoOfDay - BigInt(value.offset) * NANOS_OF_SECOND}`
          : `date:${value.epochDay}+${value.nanoOfDay}@${value.offset}`
      case "duration":
        return `duration:${value.seconds}.${value.nanos}`
      case "list":
        return `[${this.#members(value.items, this.#lenient.order !== "kept")}]`
      case "set":
      case "bulkSet":
        return `${value.kind}[${this.#members(value.items, true)}]`
      case "map":
        return `{${value.entries
          .map(([key, item]) => `${this.text(key)}:${this.text(item)}`)
          .sort()
          .join(",")}}`
      case "vertex": {
        const properties = (value.properties ?? []).map((property) => this.#vertexProperty(property)).sort()
        return `v[${this.text(value.id)} ${value.label} ${properties.join(",")}]`
      }
      case "edge":
        return this.#edge(value)
      case "vertexProperty":
        return this.#vertexProperty(value)
      case "property":
        return `p[${value.key}=${this.text(value.value)}]`
      case "path":
        return `path[${value.objects.map((one, index) => `${this.#labels(value.labels[index])}${this.text(one)}`).join(";")}]`
      case "tree":
        return `tree${this.#tree(value)}`
      case "graph":
        return `graph[${this.#members(value.vertices, true)}|${this.#members(value.edges, true)}]`
      case "enum":
        return `${value.type}.${value.name}`
      case "traverser":
        return `${value.bulk}x${this.text(value.value)}`
      case "other":
        return `${value.type}:${value.text}`
      default:
        return `${value.kind}:${value.value}`
    }
  }

  /** The labels of one object of a path, which are a set. */
  #labels(labels: Value | undefined): string {
    return labels?.kind === "set" && labels.items.length > 0 ? `${this.#members(labels.items, true)}@` : ""
  }
}

/** The texts of values. Two lists of values are equal under a leniency if the lists of their texts are equal. */
export const canonical = (values: ReadonlyArray<Value>, lenient: Leniency): ReadonlyArray<string> => {
  const writer = new Writer(lenient, values)
  return values.map((value) => writer.text(value))
}
