import type { Pending } from "../../scheduling/Pending.ts"

/** Where results go. */
export interface ResultSink {
  /**
   * Takes `length` values; `bulks` tells how often each occurred (null = once). The array is not used again by the run.
   * False when there is no room for more: the run stops with "full" and is resumed by another advance().
   */
  accept(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean
  /**
   * The same for values with side effects among them that may still grow, as a client of TinkerPop sees them: the sink calls
   * `settle` before it writes or hands on any of the values, which do not change any more after that. Absent: such values are
   * settled before they come.
   */
  acceptGrowing?(
    values: ReadonlyArray<unknown>,
    length: number,
    bulks: Float64Array | null,
    settle: () => void
  ): boolean
}

/** Why advance() returned: all done, the time slice is over, the sink is full, or storage must be awaited. */
export type Progress = "done" | "slice" | "full" | Pending
