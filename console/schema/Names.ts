import { signal } from "@preact/signals"

/** Names of the graph that the editor completes. */
interface Names {
  readonly vertexLabels: ReadonlyArray<string>
  readonly edgeLabels: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
  readonly indexed: ReadonlySet<string>
}

/** The names of no graph. */
export const noNames: Names = { vertexLabels: [], edgeLabels: [], keys: [], indexed: new Set() }

/** The names of the chosen graph, for the completion of queries. */
export const names = signal<Names>(noNames)
