import type { GremlinMap } from "../../structure/Collections.ts"
import { Merge } from "../../structure/Enums.ts"
import type { Activation } from "../Activation.ts"
import { Batch, carry, concat, select, slice, VALUE } from "../Batch.ts"
import { planOf } from "../Plan.ts"
import { passOn } from "../Scout.ts"
import type { StepArgument } from "../StepArgument.ts"
import type { MergeStep } from "./MergeStep.ts"

/**
 * What a scout does at mergeV() and mergeE(): the searches of all rows together, and the arguments that go with them.
 * Nothing is made; rows that find nothing go on as they came.
 */
export const scoutMerge = (step: MergeStep, batch: Batch, activation: Activation): void => {
  askArguments(step.argumentsOfRows, batch, activation, () => {
    step.askEnds(batch, activation, () => {
      mapsOf(step, batch, activation, (maps) => search(step, batch, maps, activation))
    })
  })
}

const askArguments = (
  args: ReadonlyArray<StepArgument>,
  batch: Batch,
  activation: Activation,
  done: () => void
): void => {
  const next = (at: number): void => {
    if (at === args.length) done()
    else args[at]!.evaluate(batch, activation, () => next(at + 1))
  }
  next(0)
}

/** The criteria of each row. The arguments ran for all rows before: each by itself finds everything there. */
const mapsOf = (
  step: MergeStep,
  batch: Batch,
  activation: Activation,
  done: (maps: ReadonlyArray<GremlinMap>) => void
): void => {
  const maps: Array<GremlinMap> = []
  const next = (): void => {
    if (maps.length === batch.length) {
      done(maps)
      return
    }
    const row = slice(batch, maps.length, maps.length + 1)
    step.resolvedCriteria(row, activation, (map) => {
      maps.push(map)
      next()
    })
  }
  next()
}

const search = (step: MergeStep, batch: Batch, maps: ReadonlyArray<GremlinMap>, activation: Activation): void => {
  const found: Array<Batch> = []
  const open = new Uint8Array(batch.length).fill(1)
  const criteria = carry(batch, null, new Batch(VALUE, maps, batch.length))
  activation.invokeAll(
    planOf(step.search),
    criteria,
    (elements) => {
      const rows = Array.from({ length: elements.length }, (_, i) => elements.originOf(i))
      for (const row of rows) open[row] = 0
      found.push(carry(batch, rows, new Batch(elements.kind, elements.data, elements.length)))
    },
    () => {
      const rest = [...open.keys()].filter((row) => open[row] === 1)
      if (rest.length > 0) passOn(step, select(batch, rest, rest.length), activation)
      if (found.length === 0) return
      const elements = concat(found, activation.transaction)
      const goOn = (): void => activation.emit(step, elements)
      const onMatch = step.argumentOf(Merge.onMatch)
      if (onMatch === undefined) goOn()
      else onMatch.evaluate(elements, activation, goOn)
    }
  )
}
