import { Metrics, TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import { checkParts, nameText } from "../ValueParts.ts"
import type { ValueReader } from "./ValueReader.ts"

// The results of profile(), without their type codes.

/** Reads the measurements of a traversal. */
export const readTraversalMetrics = (reader: ValueReader): TraversalMetrics =>
  new TraversalMetrics(reader.input.long(), readMetricsList(reader))

/** Reads the measurements of one step. */
export const readMetrics = (reader: ValueReader): Metrics => {
  const { input } = reader
  const id = input.string()
  const name = input.string()
  const duration = input.long()
  const counts = readNamedValues(reader, (count) => (typeof count === "bigint" ? count : 0n))
  const annotations = readNamedValues(reader, (value) => value)
  return new Metrics({ id, name, duration, counts, annotations, nested: readMetricsList(reader) })
}

/** Reads a map of names to values. */
const readNamedValues = <A>(reader: ValueReader, convert: (value: unknown) => A): ReadonlyMap<string, A> => {
  const map = reader.map()
  checkParts(map.size, "counts or annotations")
  const found = new Map<string, A>()
  for (const [key, value] of map) found.set(nameText(key), convert(value))
  return found
}

const readMetricsList = (reader: ValueReader): readonly Metrics[] =>
  reader.list().map((item) => (item instanceof Metrics ? item : reader.input.fail("An item of metrics is no Metrics")))
