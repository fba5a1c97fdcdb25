import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { keyOf } from "../../../structure/collections/Equivalence.ts"
import { BigMap } from "../../../structure/containers/BigMap.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { exactBulk } from "../../../structure/numbers/Bulks.ts"
import type { JavaRandom } from "../../../structure/numbers/JavaRandom.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { integerArgument, isEnum } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { randomOf } from "../../machine/Randomness.ts"
import { assembleTask, RowList } from "../../machine/RowList.ts"
import { flushTask, runTask } from "../../machine/StepTasks.ts"
import { SumTree } from "../../machine/SumTree.ts"
import { draw } from "../../machine/WeightedDraw.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step } from "../../plan/Step.ts"
import { acting, holding } from "../../plan/StepTraits.ts"
import { itemsTask, listed } from "../../scalars/Items.ts"
import { mapOf } from "../../scalars/Lists.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"

/** The candidates of one origin: rows, their bulks and their weights. */
interface Candidates {
  readonly list: RowList
  readonly bulks: Array<number>
  readonly weights: Array<number>
  /** Positions of equal objects in the list. Null if rows also carry paths, sacks or other data that distinguishes them. */
  readonly places: BigMap<unknown, number> | null
}

const traits = holding({
  work: "acts",
  scout: "stops",
  gathers: "all",
  limits: "stay",
  rank: 0,
  merging: "before",
  children: "asked"
})

/** sample(n): draws n traversers at random, weighted by by(); keeps all traversers if there are at most n. */
export class SampleGlobalStep extends ModulatedStep {
  readonly operator = "sample"
  readonly name = "SampleGlobalStep"
  readonly traits = traits
  readonly #amount: number

  constructor(amount: number) {
    super()
    this.#amount = amount
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "by" && this.modulators.length > 0) {
      throw new TraversalInvalid("Sample step can only have one by modulator")
    }
    super.modulate(operator, args, compiler)
  }
  override run(batch: Batch, activation: Activation): undefined {
    const [by] = this.modulators
    if (by === undefined) this.#take(batch, null, null, activation)
    else {
      by.evaluate(batch, activation, ({ values, found }) => this.#take(batch, values, found, activation))
    }
  }

  #take(batch: Batch, weights: ReadonlyArray<unknown> | null, found: Uint8Array | null, activation: Activation): void {
    const cells = activation.group(this, batch.loops).cells as Array<Candidates | undefined>
    const merges = activation.plan.path === 0 && batch.sack === null
    for (let row = 0; row < batch.length; row++) {
      if (found !== null && found[row] === 0) continue
      const weight = weights === null ? 1 : weights[row]
      if (!isNumber(weight)) {
        throw new TraversalError(`sample() needs a number from its by(), but was given ${String(weight)}`)
      }
      const cell = (cells[batch.originOf(row)] ??= {
        list: new RowList(),
        bulks: [],
        weights: [],
        places: merges ? new BigMap() : null
      })
      this.#add(cell, batch, row, toDouble(weight), activation)
    }
    activation.run.hold(batch.length * 64)
  }

  #add(cell: Candidates, batch: Batch, row: number, weight: number, activation: Activation): void {
    const { list, bulks, weights, places } = cell
    if (places !== null) {
      const key = batch.kind === VALUE ? keyOf(batch.data[row]) : keyOf(batch.value(row, activation.transaction))
      const place = places.get(key)
      if (place !== undefined) {
        bulks[place] = exactBulk(bulks[place]! + batch.bulkOf(row))
        return
      }
      places.set(key, list.length)
    }
    list.add(batch, row)
    bulks.push(exactBulk(batch.bulkOf(row)))
    weights.push(weight)
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => this.#drawn(group, activation))
  }

  *#drawn(group: BarrierGroup, activation: Activation): Task {
    const random = randomOf(activation.run, this)
    const lists: Array<RowList> = []
    const counts: Array<number> = []
    for (const cell of group.cells as Array<Candidates | undefined>) {
      if (cell === undefined) continue
      const drawn = yield* draw(activation.slice, cell, this.#amount, random, activation.run.seed !== null)
      const list = new RowList()
      for (const place of drawn.places) {
        list.add(cell.list.batches[place]!, cell.list.rows[place]!)
        counts.push(drawn.counts.get(place)!)
        if (counts.length % CHUNK_ITEMS === 0) yield
      }
      lists.push(list)
    }
    const out = yield* assembleTask(lists, activation)
    if (out === null) return
    out.bulk = counts.every((count) => count === 1) ? null : Float64Array.from(counts)
    activation.emitRows(this, out, null, out.length)
  }

  override describe(): string {
    return String(this.#amount)
  }
}

const local = acting({
  scout: "stops",
  limits: "pass",
  keepsObject: false,
  merging: "none",
  children: "none",
  access: "reads"
})

/** sample(local): draws n items of a collection or n entries of a map at random. */
class SampleLocalStep extends Step {
  readonly operator = "sample"
  readonly name = "SampleLocalStep"
  readonly traits = local
  readonly #amount: number
  constructor(amount: number) {
    super()
    this.#amount = amount
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#sampled(batch, activation))
  }

  *#sampled(batch: Batch, activation: Activation): Task {
    const random = randomOf(activation.run, this)
    const values = new Array<unknown>(batch.length)
    for (let row = 0; row < values.length; row++) {
      values[row] = yield* this.#sample(activation.slice, batch.value(row, activation.transaction), random)
    }
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }

  *#sample(slice: TimeSlice, value: unknown, random: JavaRandom): Task<unknown> {
    if (value instanceof GremlinMap) {
      if (value.size <= this.#amount) return value
      return yield* mapOf(slice, yield* this.#pick(yield* listed(slice, value), random))
    }
    if (value instanceof GremlinSet || value instanceof BulkSet) {
      if (value.size <= this.#amount) return value
      return yield* this.#pick((yield* itemsTask(slice, value))!, random)
    }
    if (!Array.isArray(value) || value.length <= this.#amount) return value
    return yield* this.#pick(value, random)
  }

  /** Draws items without replacement, each by its position among the remaining items. */
  *#pick<A>(items: ReadonlyArray<A>, random: JavaRandom): Task<Array<A>> {
    const left = new SumTree(items.length)
    yield* left.fill(() => 1)
    const picked: Array<A> = []
    while (picked.length < this.#amount) {
      const place = left.positionOf(random.nextInt(items.length - picked.length))
      left.add(place, -1)
      picked.push(items[place]!)
      if (picked.length % CHUNK_ITEMS === 0) yield
    }
    return picked
  }

  override describe(): string {
    return String(this.#amount)
  }
}

/** The operator sample(). */
export const sampleSteps: Operators = {
  sample: stepOperator(noParameters, (args) => {
    const scope = isEnum(args[0], "Scope") ? args[0].name : null
    const amount = integerArgument("sample", scope === null ? args[0] : args[1], "number")
    return scope === "local" ? new SampleLocalStep(amount) : new SampleGlobalStep(amount)
  })
}
