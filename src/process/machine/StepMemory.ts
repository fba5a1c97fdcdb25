import type { Cursor } from "../../structure/graph/GraphReads.ts"
import type { LoopFrame } from "../plan/Batch.ts"
import { ByRound } from "../plan/ByRound.ts"
import type { StepPosition } from "../plan/Run.ts"

/** The memory of the steps of one plan in one activation: their states, and their positions in their current batches. */
export abstract class StepMemory {
  readonly #states: Array<unknown>
  readonly #cursors: Array<Cursor | undefined>

  /** @param steps Number of steps in the plan. */
  constructor(steps: number) {
    this.#states = new Array(steps)
    this.#cursors = new Array(steps)
  }

  /** What `step` remembers in this activation; made on first use. */
  state<S>(step: StepPosition, make: () => S): S {
    let state = this.#states[step.index] as S | undefined
    if (state === undefined) {
      state = make()
      this.#states[step.index] = state
    }
    return state
  }

  /** What `step` remembers for one origin in one round of its loops; made on first use. */
  originState<S>(step: StepPosition, origin: number, loops: LoopFrame | null, make: () => S): S {
    if (loops === null) {
      const cells = this.state<Array<S | undefined>>(step, () => [])
      return (cells[origin] ??= make())
    }
    const byRound = this.state<ByRound<Array<S | undefined>>>(step, () => new ByRound())
    let cells = byRound.get(loops)
    if (cells === undefined) byRound.set(loops, (cells = []))
    return (cells[origin] ??= make())
  }

  /** The position of the step in its current batch. It starts at row 0, offset 0. */
  cursor(step: StepPosition): Cursor {
    let cursor = this.#cursors[step.index]
    if (cursor === undefined) {
      cursor = { row: 0, offset: 0 }
      this.#cursors[step.index] = cursor
    }
    return cursor
  }

  /** The row at which a step continues its current batch; 0 if it has not begun the batch. */
  begunRow(step: StepPosition): number {
    return this.#cursors[step.index]?.row ?? 0
  }

  /** Whether a step has begun its current batch. */
  isBegun(step: StepPosition): boolean {
    const cursor = this.#cursors[step.index]
    return cursor !== undefined && (cursor.row > 0 || cursor.offset > 0)
  }

  /** Moves the cursor of the step with this index back to the start: its batch is done. */
  protected resetCursor(index: number): void {
    const cursor = this.#cursors[index]
    if (cursor !== undefined) {
      cursor.row = 0
      cursor.offset = 0
    }
  }
}
