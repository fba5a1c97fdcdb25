import { signal } from "@preact/signals"

/** Names of the graph that the editor completes. */
interface Names {
  readonly vertexLabels: ReadonlyArray<string>
  readonly edgeLabels: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
  readonly indexed: ReadonlySet<string>
}

export const names = signal<Names>({ vertexLabels: [], edgeLabels: [], keys: [], indexed: new Set() })
