import { GremlinMap } from "../../structure/collections/Collections.ts"
import type { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import { DataType } from "./DataType.ts"
import { writeNamedValues } from "./ElementWriters.ts"
import type { ValueWriter } from "./ValueWriter.ts"

// The results of profile() and explain().

/** Writes the measurements of a traversal. */
export const writeTraversalMetrics = (writer: ValueWriter, { duration, metrics }: TraversalMetrics): void => {
  writer.output.type(DataType.TraversalMetrics)
  writer.output.long(duration)
  writeMetricsList(writer, metrics)
}

const writeMetricsList = (writer: ValueWriter, list: readonly Metrics[]): void => {
  writer.output.int(list.length)
  for (const metrics of list) writer.value(metrics)
}

/** Writes the measurements of one step. */
export const writeMetrics = (writer: ValueWriter, metrics: Metrics): void => {
  const { output } = writer
  output.type(DataType.Metrics)
  output.string(metrics.id)
  output.string(metrics.name)
  output.long(metrics.duration)
  writeNamedValues(writer, metrics.counts)
  writeNamedValues(writer, metrics.annotations)
  writeMetricsList(writer, metrics.nested)
}

/** Writes an explanation. GraphBinary has no type for it, so it becomes a map with the names that GraphSON has. */
export const writeExplanation = (writer: ValueWriter, explanation: TraversalExplanation): void => {
  const intermediate = explanation.intermediate.map(
    ({ category, steps, strategy }) =>
      new GremlinMap([
        ["strategy", strategy],
        ["category", category],
        ["traversal", steps]
      ])
  )
  writer.value(
    new GremlinMap([
      ["original", explanation.original],
      ["intermediate", intermediate],
      ["final", explanation.final]
    ])
  )
}
