import type { Task } from "../../../scheduling/Task.ts"
import type { GremlinMap } from "../../../structure/collections/Collections.ts"
import { type EnumValue, Merge } from "../../../structure/scalars/Enums.ts"
import { passOn } from "../../machine/Scout.ts"
import { answered } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, carry, concat, select, slice, VALUE } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { ArgumentColumn, StepArgument } from "../shared/StepArgument.ts"

/** The parts of mergeV() and mergeE() that a scout uses. */
interface ScoutedMerge extends Step {
  /** The arguments that are evaluated for each row: all except onMatch. */
  readonly argumentsOfRows: ReadonlyArray<StepArgument>
  /** Finds the elements that meet maps of criteria. */
  readonly search: Traversal
  argumentOf(option: EnumValue): StepArgument | undefined
  /** Reads the end vertices of edges that the criteria of the rows name. */
  askEnds(batch: Batch, activation: Activation): Task
  /** The criteria of one row. */
  resolvedCriteria(row: Batch, activation: Activation): Task<GremlinMap>
}

/**
 * Runs a scout at mergeV() and mergeE(): evaluates the arguments and searches for all rows together. It creates
 * nothing. Rows without a match pass unchanged.
 */
export function* scoutMerge(step: ScoutedMerge, batch: Batch, activation: Activation): Task {
  for (const argument of step.argumentsOfRows) yield* evaluated(argument, batch, activation)
  yield* step.askEnds(batch, activation)
  // The criteria of each row. The arguments were evaluated for all rows before, so their data is fetched.
  const maps: Array<GremlinMap> = []
  for (let row = 0; row < batch.length; row++) {
    maps.push(yield* step.resolvedCriteria(slice(batch, row, row + 1), activation))
    if (activation.slice.isOverAfter(row + 1)) yield
  }
  yield* search(step, batch, maps, activation)
}

const evaluated = (argument: StepArgument, batch: Batch, activation: Activation): Task<ArgumentColumn> =>
  answered((done) => argument.evaluate(batch, activation, done))

function* search(step: ScoutedMerge, batch: Batch, maps: ReadonlyArray<GremlinMap>, activation: Activation): Task {
  const found: Array<Batch> = []
  const open = new Uint8Array(batch.length).fill(1)
  const criteria = carry(batch, null, new Batch(VALUE, maps, batch.length))
  yield* answered<undefined>((done) =>
    activation.invokeAll(
      planOf(step.search),
      criteria,
      (elements) => {
        const rows = Array.from({ length: elements.length }, (_, i) => elements.originOf(i))
        for (const row of rows) open[row] = 0
        found.push(carry(batch, rows, new Batch(elements.kind, elements.data, elements.length)))
      },
      () => done(undefined)
    )
  )
  const rest = [...open.keys()].filter((row) => open[row] === 1)
  if (rest.length > 0) passOn(step, select(batch, rest, rest.length), activation)
  if (found.length === 0) return
  const elements = concat(found, activation.transaction)
  const onMatch = step.argumentOf(Merge.onMatch)
  if (onMatch !== undefined) yield* evaluated(onMatch, elements, activation)
  activation.emit(step, elements)
}
