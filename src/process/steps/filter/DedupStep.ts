import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { entriesOf, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { keyOf } from "../../../structure/collections/Equivalence.ts"
import { BigSet } from "../../../structure/containers/BigMap.ts"
import { Edge, Vertex } from "../../../structure/elements/Element.ts"
import { Path } from "../../../structure/elements/Path.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import { isEnum, stringArguments } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { Batch, carry, EDGE, gather, VALUE, VERTEX } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { RefSet } from "../../plan/RefSet.ts"
import type { PlanBuilder } from "../../plan/Step.ts"
import { holding } from "../../plan/StepTraits.ts"
import { setOf } from "../../scalars/Lists.ts"
import { LocalScalarStep } from "../map/MapSteps.ts"
import type { ByColumn } from "../shared/By.ts"
import { evaluateColumns } from "../shared/Columns.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { scoped } from "../shared/Scoping.ts"

/** The objects that dedup() has seen for one origin. There may be very many, and most have one kind. */
class Seen {
  #vertices: RefSet | null = null
  #edges: RefSet | null = null
  #keys: BigSet<unknown> | null = null

  /** Returns true the first time an object is seen. The object is a ref of a column of this kind, or a value. */
  isNew(kind: number, object: unknown, transaction: GraphTransaction): boolean {
    if (kind === VERTEX) return this.#verticesOf(transaction).add(object as number)
    if (kind === EDGE) return this.#edgesOf(transaction).add(object as number)
    if (object instanceof Vertex) {
      const ref = object.source === transaction ? object.ref : transaction.refOfVertex(object)
      return this.#element(this.#verticesOf(transaction), ref, object)
    }
    if (object instanceof Edge) {
      const ref = object.source === transaction ? object.ref : transaction.refOfEdge(object)
      return this.#element(this.#edgesOf(transaction), ref, object)
    }
    return this.#key(keyOf(object))
  }

  /** An element outside this graph has no ref (-1) and is identified by its key. */
  #element(refs: RefSet, ref: number, element: unknown): boolean {
    return ref === -1 ? this.#key(keyOf(element)) : refs.add(ref)
  }

  #verticesOf(transaction: GraphTransaction): RefSet {
    this.#vertices ??= new RefSet(transaction.newRefs(0))
    return this.#vertices
  }

  #edgesOf(transaction: GraphTransaction): RefSet {
    this.#edges ??= new RefSet(transaction.newRefs(0))
    return this.#edges
  }

  #key(key: unknown): boolean {
    this.#keys ??= new BigSet()
    const { size } = this.#keys
    return this.#keys.add(key).size > size
  }
}

const newSeen = (): Seen => new Seen()

const traits = holding({
  work: "collects",
  scout: "runs",
  gathers: "some",
  limits: "stay",
  rank: 9,
  merging: "drops",
  children: "asked"
})

/**
 * dedup(): keeps the first of equal objects, of equal by() values, or of equal combinations of labelled objects. All
 * rounds of a repeat() share one set of seen objects.
 */
class DedupGlobalStep extends ModulatedStep {
  readonly operator = "dedup"
  readonly name = "DedupGlobalStep"
  readonly traits = traits
  readonly #labels: readonly string[]

  constructor(labels: readonly string[]) {
    super()
    this.#labels = labels
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "by" && this.modulators.length > 0) {
      throw new TraversalInvalid("Dedup step can only have one by modulator")
    }
    super.modulate(operator, args, compiler)
  }
  override require(needs: Needs): void {
    if (this.#labels.length > 0 && needs.path === 0) needs.path = 1
  }
  override labelsRead(): readonly string[] {
    return this.#labels
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    if (this.modulators.length === 0 || this.#labels.length === 0) return super.reads(batch, activation)
    return this.#labels.flatMap((label, k) =>
      this.modulators[k % this.modulators.length]!.reads(scoped(this, batch, label, activation))
    )
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#distinct(batch, activation))
  }

  *#distinct(batch: Batch, activation: Activation): Task {
    const [by] = this.modulators
    if (by === undefined && this.#labels.length === 0) {
      yield* this.#keep(batch, batch.kind, batch.data, null, activation)
      return
    }
    let column: ByColumn | undefined
    const take = (evaluated: ByColumn): void => {
      column = evaluated
    }
    if (this.#labels.length > 0) this.#byLabels(batch, activation, take)
    else by!.evaluate(batch, activation, take)
    // The child runs at this yield.
    if (column === undefined) yield
    yield* this.#keep(batch, VALUE, column!.values, column!.found, activation)
  }

  /** Passes to `done` a list for each row: the objects of the labels. */
  #byLabels(batch: Batch, activation: Activation, done: (lists: ByColumn) => void): void {
    const columns = this.#labels.map((label) => {
      const objects = scoped(this, batch, label, activation)
      return Array.from({ length: objects.length }, (_, row) => objects.value(row, activation.transaction))
    })
    const finish = (results: ReadonlyArray<ByColumn>): void => {
      const found = new Uint8Array(batch.length)
      const lists = new Array<unknown>(batch.length)
      for (let row = 0; row < lists.length; row++) {
        if (!results.every((result) => result.found === null || result.found[row] === 1)) continue
        found[row] = 1
        lists[row] = results.map(({ values }) => values[row])
      }
      done({ values: lists, found })
    }
    if (this.modulators.length === 0) finish(columns.map((values) => ({ values, found: null })))
    else evaluateColumns(this.modulators, columns, activation, finish)
  }

  /** Keeps rows whose object in the given column is new. The bulk of a kept row becomes 1. */
  *#keep(
    batch: Batch,
    kind: number,
    objects: ArrayLike<unknown>,
    found: Uint8Array | null,
    activation: Activation
  ): Task {
    const rows = new Int32Array(batch.length)
    let kept = 0
    for (let row = 0; row < batch.length; row++) {
      if (found !== null && found[row] === 0) continue
      const seen = activation.originState(this, batch.originOf(row), null, newSeen)
      if (seen.isNew(kind, objects[row], activation.transaction)) rows[kept++] = row
      if (activation.slice.isOverAfter(row + 1, objects[row])) yield
    }
    if (kept === 0) return
    const out = carry(batch, rows, new Batch(batch.kind, gather(batch.data, rows, kept), kept))
    out.bulk = null
    activation.run.hold(kept * 48)
    activation.pass(this, out)
  }

  override describe(): string {
    return this.#labels.length === 0 ? "" : `[${this.#labels.join(", ")}]`
  }
}

/** dedup(local): the distinct items of a collection, as a set. */
function* distinct(slice: TimeSlice, value: unknown): Task<GremlinSet> {
  if (value instanceof GremlinSet) return value
  if (value instanceof GremlinMap) return yield* setOf(slice, entriesOf(value))
  if (value instanceof Path) return yield* setOf(slice, value.objects)
  return yield* setOf(
    slice,
    typeof value === "object" && value !== null && Symbol.iterator in value ? (value as Iterable<unknown>) : [value]
  )
}

/** The operator dedup(). */
export const dedupSteps: Operators = {
  dedup: stepOperator(noParameters, (args) => {
    const [first] = args
    if (!isEnum(first, "Scope")) return new DedupGlobalStep(stringArguments("dedup", args, "label"))
    if (first.name === "local") return new LocalScalarStep("dedup", "DedupLocalStep", distinct)
    return new DedupGlobalStep(stringArguments("dedup", args.slice(1), "label"))
  })
}
