import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BigMap } from "../../../structure/BigMap.ts"
import { GremlinMap } from "../../../structure/Collections.ts"
import { T } from "../../../structure/Enums.ts"
import { keyOf } from "../../../structure/Equivalence.ts"
import type { Compiler, StepBuilder } from "../../compiler/Compiler.ts"
import { stringArgument } from "../../language/Arguments.ts"
import type { Activation, BarrierGroup, ChildResult } from "../../machine/Activation.ts"
import { type Batch, type LoopFrame, select } from "../../machine/Batch.ts"
import { concatTask, flushTask, inLargerBatches, runTask } from "../../machine/StepTasks.ts"
import { planOf } from "../../plan/Plan.ts"
import { insideLocal, type Needs } from "../../plan/Step.ts"
import { checkRoom } from "../../scalars/Items.ts"
import { type By, type ByColumn, evaluateAll } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { emitReduced } from "./CountStep.ts"

/** groupCount(): how many traversers for each key, as Longs. */
export class GroupCountStep extends ModulatedStep {
  readonly operator = "groupCount"
  readonly name = "GroupCountStep"
  override readonly answersEmpty = true
  protected override readonly mostModulators = 1

  /** True for by(label). */
  get isByLabel(): boolean {
    const { function: by } = this.by(0)
    return by.kind === "token" && by.token === T.label
  }

  /** Labels come in place of elements. */
  countLabels(): void {
    this.modulators = []
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#counted(batch, activation))
  }

  *#counted(batch: Batch, activation: Activation): Task {
    const { found, values } = yield* columnInPieces(this.by(0), batch, activation)
    const cells = activation.group(this, batch.loops).cells as Array<GremlinMap | undefined>
    for (let i = 0; i < batch.length; i++) {
      if (found !== null && found[i] === 0) continue
      countInto((cells[batch.originOf(i)] ??= new GremlinMap()), values[i], batch.bulkOf(i))
      if (activation.slice.isOverAfter(i + 1, values[i])) yield
    }
    activation.run.hold(batch.length * 8)
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, activation, () => this.#given(group, activation))
  }

  *#given(group: BarrierGroup, activation: Activation): Task {
    const values: Array<GremlinMap> = []
    for (let i = 0; i < activation.origins; i++) {
      values.push(yield* asLongs(activation.slice, (group.cells[i] as GremlinMap | undefined) ?? new GremlinMap()))
    }
    emitReduced(this, group, activation, values)
  }
}

/** What a modulator gives for a batch. A child runs at the yield. */
function* columnInPieces(by: By, batch: Batch, activation: Activation): Task<ByColumn> {
  let column: ByColumn | undefined
  by.evaluate(batch, activation, (evaluated) => {
    column = evaluated
  })
  if (column === undefined) yield
  return column!
}

const countInto = (counts: GremlinMap, key: unknown, bulk: number): void => {
  counts.set(key, ((counts.get(key) as number | undefined) ?? 0) + bulk)
}

/** The counts as Longs, in the same map: nobody has seen it yet. */
function* asLongs(slice: TimeSlice, counts: GremlinMap): Task<GremlinMap> {
  let seen = 0
  for (const [key, count] of counts) {
    counts.set(key, BigInt(count as number))
    if (slice.isOverAfter(++seen)) yield
  }
  return counts
}

/** groupCount('key'): counts into a side effect; traversers pass. */
class GroupCountSideEffectStep extends ModulatedStep {
  readonly operator = "groupCount"
  readonly name = "GroupCountSideEffectStep"
  override readonly keepsObject = true
  readonly key: string
  protected override readonly mostModulators = 1
  constructor(key: string, compiler: Compiler) {
    super()
    this.key = key
    compiler.sideEffect(key, () => new GremlinMap())
  }
  override require(needs: Needs): void {
    if (insideLocal(this)) needs.sequential = true
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#counted(batch, activation))
  }

  *#counted(batch: Batch, activation: Activation): Task {
    const { found, values } = yield* columnInPieces(this.by(0), batch, activation)
    const { sideEffects } = activation.run
    const collected = sideEffects.at(this.key)
    for (let i = 0; i < batch.length; i++) {
      if (found !== null && found[i] === 0) continue
      sideEffects.takes(values[i])
      if (!collected.isOwned) yield* collected.own(activation.slice)
      const counts = collected.current as GremlinMap
      counts.set(values[i], ((counts.get(values[i]) as bigint | undefined) ?? 0n) + BigInt(batch.bulkOf(i)))
      if (activation.slice.isOverAfter(i + 1, values[i])) yield
    }
    activation.run.hold(batch.length * 56)
    activation.group(this, batch.loops).cells.push(batch)
  }

  /** Nothing goes on before everything is counted. */
  override flush(group: BarrierGroup, activation: Activation): undefined {
    const batches = group.cells as ReadonlyArray<Batch>
    for (const batch of inLargerBatches(batches, activation)) activation.pass(this, batch)
  }
}

/** Rows collected by group(), with the key of each, and its value where by() gives one without a traversal. */
interface Collected {
  readonly batches: Array<Batch>
  readonly keys: Array<unknown>
  readonly values: Array<unknown> | null
}

/**
 * group(): traversers under the key of the first by(), reduced by the second (a list without it). A value traversal with a
 * barrier (fold(), count(), order()...) runs once over all groups' rows with each group as an origin, so that it reduces
 * per group; one without a barrier gives the result of the group's last traverser.
 */
class GroupStep extends ModulatedStep {
  readonly operator = "group"
  readonly name: string
  override readonly answersEmpty: boolean
  override readonly keepsObject: boolean
  /** Of group('key'): the side effect; null for the reducing form. */
  readonly key: string | null
  protected override readonly mostModulators = 2
  /** Names what the side effect held before this step first wrote to it. */
  readonly #base = {}

  constructor(key: string | null, compiler: Compiler) {
    super()
    this.key = key
    this.name = key === null ? "GroupStep" : "GroupSideEffectStep"
    this.answersEmpty = key === null
    this.keepsObject = key !== null
    if (key !== null) compiler.sideEffect(key, () => new GremlinMap())
  }

  override require(needs: Needs): void {
    if (this.key !== null && insideLocal(this)) needs.sequential = true
  }

  get #value(): By {
    return this.by(1)
  }

  override run(batch: Batch, activation: Activation): undefined {
    const value = this.#value
    const bys = [this.by(0), ...(value.single ? [value] : [])]
    evaluateAll(bys, batch, activation, ([keys, values]) => {
      const rows: Array<number> = []
      for (let i = 0; i < batch.length; i++) if (keys!.found === null || keys!.found[i] === 1) rows.push(i)
      if (rows.length > 0) this.#collect(select(batch, rows, rows.length), rows, keys!, values, activation)
      if (this.key !== null) activation.group(this, batch.loops).cells.push(batch)
    })
  }

  #collect(
    batch: Batch,
    rows: ReadonlyArray<number>,
    keys: ByColumn,
    values: ByColumn | undefined,
    activation: Activation
  ): void {
    const collected = this.#collected(activation, batch.loops)
    collected.batches.push(batch)
    for (const row of rows) {
      collected.keys.push(keys.values[row])
      collected.values?.push(values!.found === null || values!.found[row] === 1 ? values!.values[row] : ABSENT)
    }
    activation.run.hold(rows.length * 48)
  }

  /** The reducing form collects per round of its loops; group('key') over the whole run. */
  #collected(activation: Activation, loops: LoopFrame | null): Collected {
    const make = (): Collected => ({ batches: [], keys: [], values: this.#value.single ? [] : null })
    if (this.key !== null) return activation.run.shared(this, make)
    const { cells } = activation.group(this, loops)
    cells[0] ??= make()
    return cells[0] as Collected
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, activation, () => this.#given(group, activation))
  }

  *#given(group: BarrierGroup, activation: Activation): Task {
    if (this.key === null) {
      const maps = yield* this.#reduced(group.cells[0] as Collected | undefined, activation)
      const all = Array.from({ length: activation.origins }, (_, i) => maps[i] ?? new GremlinMap())
      emitReduced(this, group, activation, all)
      return
    }
    const { run } = activation
    const maps = yield* this.#reduced(
      run.shared<Collected | undefined>(this, () => undefined),
      activation
    )
    const collected = run.sideEffects.at(this.key)
    const before = run.sharedBy<GremlinMap>(this.#base, () => collected.share() as GremlinMap)
    collected.replace(yield* merged(activation.slice, before, maps[0] ?? new GremlinMap()), true)
    for (const batch of group.cells as ReadonlyArray<Batch>) activation.pass(this, batch)
  }

  /** The finished map of each origin. */
  *#reduced(collected: Collected | undefined, activation: Activation): Task<ReadonlyArray<GremlinMap>> {
    if (collected === undefined || collected.batches.length === 0) return []
    const rows = yield* concatTask(collected.batches, activation.transaction, activation.slice)
    const maps: Array<GremlinMap> = []
    const places = yield* placesOf(activation.slice, rows, collected.keys, this.key !== null, maps)
    // With a seed, draws (sample(), coin()) go through the groups in the order of java.util.HashMap, as elsewhere.
    if (activation.run.seed !== null) inHashOrder(places)
    if (collected.values !== null) {
      yield* foldValues(rows, collected.values, places, activation)
      return maps
    }
    const child = this.#value.child!
    const perGroup = child.steps.some((step) => barriers.has(step.operator) && !step.name.includes("Local"))
    let result: ChildResult | undefined
    const take = (given: ChildResult): void => {
      result = given
    }
    if (perGroup) activation.invokeGroups(planOf(child), rows, places.index, places.all.length, take)
    else activation.invoke(planOf(child), rows, "first", take)
    // The child runs before this goes on.
    yield
    const { found, values } = result!
    for (let i = 0; i < values.length; i++) {
      const place = perGroup ? places.all[i]! : places.of(i)
      if (found[i] === 1) place.map.set(place.key, values[i])
      else if (this.#value.orNull) place.map.set(place.key, null)
      if (activation.slice.isOverAfter(i + 1, place.key)) yield
    }
    return maps
  }
}

/** What other steps collected under the same key stays: lists and counts add up, other values give way. */
function* merged(slice: TimeSlice, before: GremlinMap, after: GremlinMap): Task<GremlinMap> {
  if (before.size === 0) return after
  const out = new GremlinMap()
  let seen = 0
  for (const [key, value] of before) {
    out.set(key, value)
    if (slice.isOverAfter(++seen, key)) yield
  }
  for (const [key, value] of after) {
    if (slice.isOverAfter(++seen, key)) yield
    const old = before.get(key)
    if (Array.isArray(old) && Array.isArray(value)) out.set(key, [...old, ...value])
    else if (typeof old === "bigint" && typeof value === "bigint") out.set(key, old + value)
    else out.set(key, value)
  }
  return out
}

/** Marks a row whose value modulator gave nothing. */
const ABSENT = Symbol("absent")

/** Operators that make a value traversal reduce over its whole group. */
const barriers: ReadonlySet<string> = new Set([
  "count",
  "sum",
  "min",
  "max",
  "mean",
  "fold",
  "group",
  "groupCount",
  "order",
  "dedup",
  "limit",
  "range",
  "skip",
  "tail",
  "sample",
  "aggregate",
  "cap",
  "barrier",
  "tree",
  "subgraph"
])

/** One group: the map it goes into and its key there. */
interface Place {
  readonly map: GremlinMap
  readonly key: unknown
  list: Array<unknown> | null
}

interface Places {
  all: ReadonlyArray<Place>
  readonly index: Int32Array
  /** The group of a row. */
  readonly of: (row: number) => Place
}

/** Numbers the groups as java.util.HashMap iterates over them; only where every key is a string. */
const inHashOrder = (places: Places): void => {
  const { all, index } = places
  if (!all.every(({ key }) => typeof key === "string")) return
  let buckets = 16
  while (all.length > buckets * 0.75) buckets *= 2
  const bucket = all.map(({ key }) => hashBucket(key as string, buckets))
  const order = [...all.keys()].sort((a, b) => bucket[a]! - bucket[b]! || a - b)
  const place = new Int32Array(all.length)
  order.forEach((old, at) => {
    place[old] = at
  })
  places.all = order.map((old) => all[old]!)
  for (let i = 0; i < index.length; i++) index[i] = place[index[i]!]!
}

const hashBucket = (key: string, buckets: number): number => {
  let hash = 0
  for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0
  return (hash ^ (hash >>> 16)) & (buckets - 1)
}

/** The group of each row: by origin (all one for a side effect) and key, in the order of their first rows. */
function* placesOf(
  slice: TimeSlice,
  rows: Batch,
  keys: ReadonlyArray<unknown>,
  whole: boolean,
  maps: Array<GremlinMap>
): Task<Places> {
  const all: Array<Place> = []
  const index = new Int32Array(rows.length)
  const known: Array<BigMap<unknown, number>> = []
  for (let i = 0; i < rows.length; i++) {
    const origin = whole ? 0 : rows.originOf(i)
    const key = keyOf(keys[i])
    const byKey = (known[origin] ??= new BigMap())
    let at = byKey.get(key)
    if (at === undefined) {
      at = all.length
      byKey.set(key, at)
      all.push({ map: (maps[origin] ??= new GremlinMap()), key: keys[i], list: null })
    }
    index[i] = at
    if (slice.isOverAfter(i + 1, keys[i])) yield
  }
  return { all, index, of: (row) => all[index[row]!]! }
}

/** by() without a traversal as the value: a list of the values, bulk times each; groups without any are lists, too. */
function* foldValues(rows: Batch, values: ReadonlyArray<unknown>, places: Places, { run, slice }: Activation): Task {
  let added = 0
  for (let i = 0; i < rows.length; i++) {
    const place = places.of(i)
    if (place.list === null) {
      place.list = []
      place.map.set(place.key, place.list)
    }
    for (let times = values[i] === ABSENT ? 0 : rows.bulkOf(i); times > 0; times--) {
      checkRoom(place.list)
      place.list.push(values[i])
      if (++added % CHUNK_ITEMS > 0) continue
      run.hold(CHUNK_ITEMS * 32)
      yield
    }
    if (slice.isOverAfter(i + 1)) yield
  }
}

export const groupSteps: Readonly<Record<string, StepBuilder>> = {
  group: (args, compiler) =>
    new GroupStep(args.length === 0 ? null : stringArgument("group", args[0], "side-effect key"), compiler),
  groupCount: (args, compiler) =>
    args.length === 0
      ? new GroupCountStep()
      : new GroupCountSideEffectStep(stringArgument("groupCount", args[0], "side-effect key"), compiler)
}
