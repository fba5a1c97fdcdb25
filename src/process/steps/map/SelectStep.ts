import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap, MapEntry } from "../../../structure/collections/Collections.ts"
import { Path } from "../../../structure/elements/Path.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { type EnumValue, Pop } from "../../../structure/scalars/Enums.ts"
import { isEnum, isTraversal, nameOf, stringArguments } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { selectFromPath, selectFromPathValue } from "../../machine/Paths.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { Batch, select, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { planOf } from "../../plan/Plan.ts"
import type { PlanBuilder, Step, Traversal } from "../../plan/Step.ts"
import { mapping } from "../../plan/StepTraits.ts"
import { setOf } from "../../scalars/Lists.ts"
import { By, type ByColumn, columnOf } from "../shared/By.ts"
import { evaluateColumns, evaluateEach } from "../shared/Columns.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { LocalScalarStep } from "./MapSteps.ts"

const SELECT_TRAITS = mapping({ limits: "stay", labels: "processes", children: "asked" })

/**
 * select(label...): looks up each label in the current map, then in the side effects, then on the path. With one label the
 * result is the object. With several labels it is a map from label to object. The step drops a row if a label has no object or
 * a by() has no result.
 */
class SelectStep extends ModulatedStep {
  readonly operator = "select"
  readonly name: string
  readonly traits = SELECT_TRAITS
  readonly keys: readonly string[]
  readonly pop: EnumValue

  constructor(pop: EnumValue, keys: readonly string[]) {
    super()
    this.name = keys.length === 1 ? "SelectOneStep" : "SelectStep"
    this.keys = keys
    this.pop = pop
  }

  /** With a single label, a later by() replaces the earlier one. */
  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "by" && this.keys.length === 1) this.modulators = []
    super.modulate(operator, args, compiler)
  }

  override require(needs: Needs): void {
    if (needs.path === 0) needs.path = 1
  }

  override labelsRead(): readonly string[] {
    return this.keys
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    if (this.modulators.length === 0) return []
    return this.keys.flatMap((key, k) => {
      const objects = Array.from({ length: batch.length }, (_, row) => this.#object(batch, row, key, activation))
      return this.modulators[k % this.modulators.length]!.reads(new Batch(VALUE, objects, objects.length))
    })
  }

  override run(batch: Batch, activation: Activation): undefined {
    const columns: Array<Array<unknown>> = this.keys.map(() => [])
    const rows: Array<number> = []
    for (let row = 0; row < batch.length; row++) {
      const objects = this.keys.map((key) => this.#object(batch, row, key, activation))
      if (objects.includes(undefined)) continue
      rows.push(row)
      objects.forEach((object, k) => {
        columns[k]!.push(object)
      })
    }
    if (rows.length === 0) return
    const kept = select(batch, rows, rows.length)
    if (this.modulators.length === 0) this.#emit(kept, columns.map(columnWithoutGaps), activation)
    else if (columns.length === 1) {
      applyModulator(this.modulators, columns[0]!, activation, (found) => this.#emit(kept, [found], activation))
    } else {
      evaluateColumns(this.modulators, columns, activation, (found) => this.#emit(kept, found, activation))
    }
  }

  #emit(batch: Batch, columns: ReadonlyArray<ByColumn>, activation: Activation): void {
    const rows: Array<number> = []
    const values: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      if (!columns.every((column) => column.found === null || column.found[row] === 1)) continue
      rows.push(row)
      values.push(
        this.keys.length === 1
          ? columns[0]!.values[row]
          : new GremlinMap(this.keys.map((key, k) => [key, columns[k]!.values[row]]))
      )
    }
    activation.emitData(this, batch, rows, VALUE, values, rows.length)
  }

  #object(batch: Batch, row: number, key: string, activation: Activation): unknown {
    if (batch.kind === VALUE) {
      const value = batch.data[row]
      if (value instanceof GremlinMap && value.has(key)) return value.get(key)
      if (value instanceof Path && batch.path === null) return selectFromPathValue(value, key, this.pop)
      if (value instanceof MapEntry && value.key === key) return value.value
    }
    const { sideEffects } = activation.run
    if (sideEffects.has(key)) return sideEffects.read(key)
    return selectFromPath(batch.path?.[row] ?? null, key, this.pop, activation.transaction)
  }

  override describe(): string {
    return `${this.pop === Pop.last ? "" : `${this.pop.name},`}${this.keys.length === 1 ? this.keys[0] : `[${this.keys.join(", ")}]`}`
  }
}

/** The keys or values of a map, collected in time slices because a map can be long. {@link columnOf} handles other values. */
function* columnTask(slice: TimeSlice, value: unknown, column: EnumValue): Task<unknown> {
  if (!(value instanceof GremlinMap)) return columnOf(value, column)
  if (column.name === "keys") return yield* setOf(slice, value.keys())
  const values: Array<unknown> = []
  for (const member of value.values()) {
    values.push(member)
    if (slice.isOverAfter(values.length)) yield
  }
  return values
}

/**
 * select(traversal): runs the traversal for each object, and looks up its first result as a key like select(label) does. As in
 * TinkerPop, it reads whole paths, and without a Pop all objects of the label.
 */
class SelectTraversalStep extends ModulatedStep {
  readonly operator = "select"
  readonly name = "TraversalSelectStep"
  readonly traits = SELECT_TRAITS
  readonly pop: EnumValue
  #key: Traversal
  constructor(pop: EnumValue, key: unknown, compiler: PlanBuilder) {
    super()
    this.pop = pop
    this.#key = compiler.child(key, this)
  }
  protected override readonly mostModulators = 1
  override localChildren(): ReadonlyArray<Traversal> {
    return [this.#key, ...super.localChildren()]
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    if (from === this.#key) this.#key = to
    else super.replaceChild(from, to)
  }
  override require(needs: Needs): void {
    needs.path = 2
  }
  override run(batch: Batch, activation: Activation): undefined {
    activation.invoke(planOf(this.#key), batch, "first", ({ found, values }) => {
      const rows: Array<number> = []
      const objects: Array<unknown> = []
      for (let row = 0; row < batch.length; row++) {
        if (found[row] === 0) continue
        const object = this.#object(batch, row, values[row], activation)
        if (object === undefined) continue
        rows.push(row)
        objects.push(object)
      }
      if (rows.length === 0) return
      const kept = select(batch, rows, rows.length)
      if (this.modulators.length === 0) activation.emitData(this, kept, null, VALUE, objects, rows.length)
      else {
        applyModulator(this.modulators, objects, activation, (column) => emitFound(this, kept, column, activation))
      }
    })
  }
  #object(batch: Batch, row: number, key: unknown, activation: Activation): unknown {
    const value = batch.value(row, activation.transaction)
    if (value instanceof GremlinMap && value.has(key)) return value.get(key)
    if (typeof key !== "string") return undefined
    if (activation.run.sideEffects.has(key)) return activation.run.sideEffects.read(key)
    return selectFromPath(batch.path?.[row] ?? null, key, this.pop, activation.transaction)
  }
}

/** Applies by() to the objects of one label. Null is not passed to by(): its result is null. */
const applyModulator = (
  modulators: ReadonlyArray<By>,
  objects: ReadonlyArray<unknown>,
  activation: Activation,
  done: (column: ByColumn) => void
): void => {
  const asked = [...objects.keys()].filter((row) => objects[row] !== null)
  if (asked.length === 0) return done(columnWithoutGaps(objects))
  evaluateColumns(modulators, [asked.map((row) => objects[row])], activation, ([column]) => {
    if (asked.length === objects.length) return done(column!)
    const values = new Array<unknown>(objects.length).fill(null)
    const found = new Uint8Array(objects.length).fill(1)
    asked.forEach((row, at) => {
      values[row] = column!.values[at]
      if (column!.found !== null) found[row] = column!.found[at]!
    })
    done({ values, found })
  })
}

/** Emits the rows for which a modulator returned a value. */
const emitFound = (step: Step, batch: Batch, column: ByColumn, activation: Activation): void => {
  if (column.found === null) {
    activation.emitData(step, batch, null, VALUE, column.values, batch.length)
    return
  }
  const rows: Array<number> = []
  const values: Array<unknown> = []
  for (let row = 0; row < batch.length; row++) {
    if (column.found[row] === 0) continue
    rows.push(row)
    values.push(column.values[row])
  }
  activation.emitData(step, batch, rows, VALUE, values, rows.length)
}

/** A column in which every row has a value. */
const columnWithoutGaps = (values: ReadonlyArray<unknown>): ByColumn => ({ values, found: null })

const build: StepBuilder = (args, compiler) => {
  const [first] = args
  if (isEnum(first, "Column")) {
    return new LocalScalarStep(
      "select",
      "TraversalMapStep",
      (slice, value) => columnTask(slice, value, first),
      first.name
    )
  }
  const pop = isEnum(first, "Pop") ? first : null
  const rest = pop === null ? args : args.slice(1)
  if (rest.length === 1 && isTraversal(rest[0])) return new SelectTraversalStep(pop ?? Pop.mixed, rest[0], compiler)
  if (rest.length === 0)
    throw new TraversalInvalid(`select() needs a label, a Column or a traversal, but was given ${nameOf(first)}`)
  return new SelectStep(pop ?? Pop.last, stringArguments("select", rest, "label"))
}

const PROJECT_TRAITS = mapping({ limits: "pass", labels: "none", children: "asked" })

/** project(key...) with one by() for each key: a map of the results. Keys without a result are omitted. */
class ProjectStep extends ModulatedStep {
  readonly operator = "project"
  readonly name = "ProjectStep"
  readonly traits = PROJECT_TRAITS
  readonly keys: readonly string[]
  constructor(keys: readonly string[]) {
    super()
    this.keys = keys
    if (new Set(keys).size < keys.length)
      throw new TraversalInvalid(`keys must be unique in ProjectStep: ${keys.join(", ")}`)
  }
  override run(batch: Batch, activation: Activation): undefined {
    const bys = this.modulators.length === 0 ? [By.identity] : this.modulators
    // With fewer modulators than keys, the modulators repeat in a cycle. A modulator runs once for each of its keys, because its
    // traversal may have side effects.
    const used = this.keys.map((_, k) => bys[k % bys.length]!)
    evaluateEach(used, batch, activation, (columns) => {
      const values = new Array<unknown>(batch.length)
      for (let row = 0; row < values.length; row++) {
        const map = new GremlinMap()
        this.keys.forEach((key, k) => {
          const column = columns[k]!
          if (column.found === null || column.found[row] === 1) map.set(key, column.values[row])
        })
        values[row] = map
      }
      activation.emitData(this, batch, null, VALUE, values, values.length)
    })
  }
  override describe(): string {
    return `[${this.keys.join(", ")}]`
  }
}

/** The operators select() and project(). */
export const selectSteps: Operators = {
  select: stepOperator(noParameters, build),
  project: stepOperator(noParameters, (args) => new ProjectStep(stringArguments("project", args, "key")))
}
