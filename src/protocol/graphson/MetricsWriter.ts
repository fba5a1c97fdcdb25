import type { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import { quoted } from "../json/JsonText.ts"

// The results of profile() and explain() in GraphSON 2 and 3.

/** A writer of GraphSON 2 or 3, as these types need it. */
export interface MetricsForms {
  readonly listOpen: string
  readonly listClose: string
  /** The JSON of a scalar with its type. */
  scalar(type: string, json: string): string
  double(value: number): string
  list(values: readonly unknown[]): string
  /** A map of names to values. */
  namedValues(values: ReadonlyMap<string, unknown>): string
  /** A map of names to JSON. */
  namedJson(entries: ReadonlyArray<readonly [name: string, json: string]>): string
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000

const milliseconds = (forms: MetricsForms, nanoseconds: bigint): string =>
  forms.double(Number(nanoseconds) / NANOSECONDS_PER_MILLISECOND)

/** The JSON of the measurements of one step. */
export const metricsJson = (forms: MetricsForms, metrics: Metrics): string => {
  const entries: Array<[string, string]> = [
    ["dur", milliseconds(forms, metrics.duration)],
    ["counts", forms.namedValues(metrics.counts)],
    ["name", quoted(metrics.name)]
  ]
  if (metrics.annotations.size > 0) entries.push(["annotations", forms.namedValues(metrics.annotations)])
  entries.push(["id", quoted(metrics.id)])
  if (metrics.nested.length > 0) entries.push(["metrics", forms.list(metrics.nested)])
  return forms.scalar("g:Metrics", forms.namedJson(entries))
}

/** The JSON of the measurements of a traversal. */
export const traversalMetricsJson = (forms: MetricsForms, { duration, metrics }: TraversalMetrics): string =>
  forms.scalar(
    "g:TraversalMetrics",
    forms.namedJson([
      ["dur", milliseconds(forms, duration)],
      ["metrics", forms.list(metrics)]
    ])
  )

/** The JSON of an explanation. */
export const explanationJson = (forms: MetricsForms, explanation: TraversalExplanation): string => {
  const intermediate = explanation.intermediate.map(({ category, steps, strategy }) =>
    forms.namedJson([
      ["strategy", quoted(strategy)],
      ["category", quoted(category)],
      ["traversal", forms.list(steps)]
    ])
  )
  return forms.scalar(
    "g:TraversalExplanation",
    forms.namedJson([
      ["original", forms.list(explanation.original)],
      ["intermediate", forms.listOpen + intermediate.join(",") + forms.listClose],
      ["final", forms.list(explanation.final)]
    ])
  )
}
