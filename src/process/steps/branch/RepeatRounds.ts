import { type RowBuffer, rowBuffer } from "../../machine/RowBuffer.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { Batch, carry, concat, type LoopFrame, slice } from "../../plan/Batch.ts"
import { Step, type Traversal } from "../../plan/Step.ts"
import { filtering, type StepTraits } from "../../plan/StepTraits.ts"

/** How one repeat() schedules its rows; see {@link RepeatLoop.pace}. */
export interface Pace {
  /** A round starts only after all its rows have arrived. */
  readonly gathers: boolean
  /** Equal elements of a round are merged into one row. */
  readonly merges: boolean
  /** One row enters at a time and completes all its rounds before the next row enters. */
  readonly oneStart: boolean
  /**
   * Unmerged rows complete all their rounds before the rows after them start: a whole round may have far more rows than
   * the query needs.
   */
  readonly depthFirst: boolean
  /** A round takes one row at a time. */
  readonly oneRow: boolean
  /** The number of rows of the current round that still have to enter one by one. */
  left: number
}

/** What the first and the last step of a body ask of their repeat(). */
export interface RepeatLoop extends Step {
  readonly body: Traversal | null
  /** Chooses the schedule. */
  pace(activation: Activation): Pace
  /** Returns true if the rows run before waiting rows of earlier rounds. */
  goesFirst(rows: Batch, activation: Activation): boolean
  /** Runs the tests before a round (`first`) or after it; `go` receives the rows that stay in the loop. */
  test(batch: Batch, activation: Activation, first: boolean, go: (rows: Batch) => void): void
}

const end = filtering({ filter: "no", rank: 0, labels: "none", children: "none" })
const entry: StepTraits = { ...end, role: "loopEntry" }

/** The start of a repeat() body, where each round begins. */
export class RepeatEntryStep extends Step {
  readonly operator = "repeat"
  readonly name = "RepeatEntryStep"
  readonly traits = entry
  readonly #repeat: RepeatLoop
  constructor(repeat: RepeatLoop) {
    super()
    this.#repeat = repeat
  }

  override dropped(rows: number, activation: Activation): void {
    const pace = this.#repeat.pace(activation)
    if (pace.left > 0) pace.left -= rows
  }

  override goesOneByOne(batch: Batch, activation: Activation): boolean {
    return batch.length > 1 && this.#repeat.pace(activation).oneRow
  }

  override childrenRun(): ReadonlyArray<Traversal> {
    return this.#repeat.localChildren()
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    const pace = this.#repeat.pace(activation)
    const goesFirst = this.#repeat.goesFirst(batch, activation)
    if (pace.gathers && !goesFirst) {
      const cells = activation.group(this, batch.loops).cells as Array<RowBuffer | undefined>
      cells[0] ??= rowBuffer(activation, pace.merges ? "refs" : null)
      cells[0].add(batch)
      return true
    }
    if (pace.oneRow && activation.scout === null) return this.#beginRow(batch, pace, activation)
    this.#begin(pace.merges && !goesFirst ? this.#round(batch, activation) : batch, activation)
    return true
  }

  /**
   * Takes all waiting rows of the round and merges them. Rows of earlier rounds are in front in the queue, so none is
   * left when the first row of this round arrives.
   */
  #round(front: Batch, activation: Activation): Batch {
    const rows = rowBuffer(activation, "refs")
    rows.add(front)
    for (const batch of activation.takeRound(this)) rows.add(batch)
    return concat(rows.take(), activation.transaction)
  }

  #beginRow(batch: Batch, pace: Pace, activation: Activation): boolean {
    if (pace.merges && pace.left === 0) {
      const round = this.#round(batch, activation)
      pace.left = round.length
      if (round.length > 1) {
        activation.replaceFront(this, round)
        return false
      }
      batch = round
    }
    pace.left--
    const row = activation.cursor(this).row++
    this.#begin(batch.length === 1 ? batch : slice(batch, row, row + 1), activation)
    return row + 1 >= batch.length
  }

  override flush(group: BarrierGroup, activation: Activation): undefined {
    const batches = (group.cells[0] as RowBuffer).take()
    this.#begin(concat(batches, activation.transaction), activation)
  }

  #begin(batch: Batch, activation: Activation): void {
    this.#repeat.test(batch, activation, true, (rows) => activation.push(this.nextIndex, rows))
  }

  override toString(): string {
    return this.name
  }
}

/** The end of a repeat() body. */
export class RepeatEndStep extends Step {
  readonly operator = "repeat"
  readonly name = "RepeatEndStep"
  readonly traits = end
  readonly #repeat: RepeatLoop
  constructor(repeat: RepeatLoop) {
    super()
    this.#repeat = repeat
  }

  override childrenRun(): ReadonlyArray<Traversal> {
    return this.#repeat.localChildren()
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const next = inFrame(batch, batch.loops!.next())
    const goesFirst = this.#repeat.goesFirst(next, activation)
    this.#repeat.test(next, activation, false, (rows) => {
      activation.enterBranch(this.#repeat, this.#repeat.body!, rows, goesFirst)
    })
  }

  override toString(): string {
    return this.name
  }
}

/** The rows in another loop frame; null is outside of all loops. */
export const inFrame = (batch: Batch, frame: LoopFrame | null): Batch => {
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  out.loops = frame
  return out
}
