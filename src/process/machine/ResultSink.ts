import type { Pending } from "../../scheduling/Pending.ts"

/** Receives the results of a run. */
export interface ResultSink {
  /**
   * Takes `length` values. `bulks` has the number of occurrences of each (null = once). The run does not use the array again.
   * False when the sink is full: then the run stops with "full" until the next advance().
   */
  accept(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean
  /**
   * Takes values, as {@link accept} does, that may contain side effects that still grow, as in TinkerPop. The sink calls `settle` before it
   * serializes or passes on any of the values; after that they do not change. If absent, the run settles such values first.
   */
  acceptGrowing?(
    values: ReadonlyArray<unknown>,
    length: number,
    bulks: Float64Array | null,
    settle: () => void
  ): boolean
}

/** Why advance() returned: the run is done, its time slice is over, the sink is full, or the store must be awaited. */
export type Progress = "done" | "slice" | "full" | Pending
