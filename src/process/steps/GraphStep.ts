import { Edge, Vertex } from "../../structure/Element.ts"
import type { IndexQuery, Reads, RefScan } from "../../structure/GraphStore.ts"
import { text } from "../../structure/Text.ts"
import type { Activation } from "../Activation.ts"
import { type Batch, carriesNothing, EDGE, VERTEX } from "../Batch.ts"
import type { StepBuilder } from "../Compiler.ts"
import type { HasContainer } from "../HasContainer.ts"
import { indexQuery } from "../IndexQueries.ts"
import { resolve } from "../Operand.ts"
import { Step } from "../Step.ts"
import type { TraversalRun } from "../TraversalRun.ts"

/** Rows of the first batch of a scan; it doubles up to SCAN_MOST, so that a limit near the source reads little. */
const SCAN_FIRST = 8
const SCAN_MOST = 256

/** What explain() and profile() say where no index answers. */
export const FULL_SCAN = "full scan"

/** V() and E(): elements by id, by index, or all. Also in the middle of a traversal: once for each traverser. */
export class GraphStep extends Step {
  readonly operator: string
  readonly name = "GraphStep"
  readonly element: "vertex" | "edge"
  readonly ids: readonly unknown[]
  /** Each element once, however often its id is given. */
  readonly distinct: boolean
  /** Conditions of the has() steps behind this one. A hint for an index: those steps still test. */
  conditions: ReadonlyArray<HasContainer> = []

  constructor(element: "vertex" | "edge", ids: readonly unknown[], distinct = false) {
    super()
    this.operator = element === "vertex" ? "V" : "E"
    this.element = element
    this.ids = ids
    this.distinct = distinct
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] | null {
    const state = this.#state(activation)
    if (state.ids !== null) return [{ kind: this.element === "vertex" ? "vertexIds" : "edgeIds", ids: state.ids }]
    state.scan ??= this.#scan(activation)
    return batch.length === 0 ? null : [{ kind: "scan", scan: state.scan, max: state.width }]
  }

  override run(batch: Batch, activation: Activation): boolean {
    const state = this.#state(activation)
    return state.ids === null ? this.#scanned(batch, activation, state) : this.#byId(batch, activation, state.ids)
  }

  override stopped(activation: Activation): void {
    const state = this.#state(activation)
    state.scan?.close()
    state.scan = undefined
  }

  #state(activation: Activation): GraphStepState {
    return activation.state(this, () => ({
      ids: this.ids.length === 0 ? null : identifiers(this.ids, activation),
      scan: undefined,
      width: SCAN_FIRST
    }))
  }

  #byId(batch: Batch, activation: Activation, ids: readonly unknown[]): boolean {
    const { transaction } = activation
    const found = transaction.newRefs(ids.length)
    let count = 0
    const seen = this.distinct ? new Set<number>() : null
    for (const id of ids) {
      const ref = this.element === "vertex" ? transaction.vertexRef(id) : transaction.edgeRef(id)
      if (ref === -1 || seen?.has(ref)) continue
      seen?.add(ref)
      found[count++] = ref
    }
    const refs = transaction.newRefs(count * batch.length)
    const rows = new Int32Array(count * batch.length)
    for (let row = 0; row < batch.length; row++) {
      refs.set(found.subarray(0, count), row * count)
      rows.fill(row, row * count, (row + 1) * count)
    }
    activation.run.profile?.annotate(this, "index", "ids")
    activation.emitData(this, batch, rows, this.element === "vertex" ? VERTEX : EDGE, refs, refs.length)
    return true
  }

  /** One piece of the scan for the row at hand; false until every row had its whole scan. */
  #scanned(batch: Batch, activation: Activation, state: GraphStepState): boolean {
    const cursor = activation.cursor(this)
    state.scan ??= this.#scan(activation)
    cursor.offset = 1
    const out = { refs: activation.transaction.newRefs(state.width), length: 0 }
    const more = state.scan.next(state.width, out)
    if (state.width < SCAN_MOST) state.width *= 2
    const rows = carriesNothing(batch) ? null : new Int32Array(out.length).fill(cursor.row)
    activation.emitData(this, batch, rows, this.element === "vertex" ? VERTEX : EDGE, out.refs, out.length)
    if (more) return false
    state.scan.close()
    state.scan = undefined
    cursor.row++
    return cursor.row >= batch.length
  }

  #scan({ run, transaction }: Activation): RefScan {
    const query: IndexQuery = indexQuery(this.element, this.conditions, run)
    const choice = query.conditions.length > 0 ? transaction.chooseIndex(query) : undefined
    run.profile?.annotate(this, "index", choice?.name ?? FULL_SCAN)
    if (choice !== undefined) return transaction.searchIndex(query, choice)
    return this.element === "vertex" ? transaction.scanVertices(query.labels) : transaction.scanEdges(query.labels)
  }

  /** Finds out how a run would find the elements, for {@link describe} to say. Only for the plan of an explanation. */
  explain(run: TraversalRun): void {
    const query = indexQuery(this.element, this.conditions, run)
    const choice = query.conditions.length > 0 ? run.transaction.chooseIndex(query) : undefined
    this.#access = this.ids.length > 0 ? "ids" : choice === undefined ? FULL_SCAN : `index ${choice.name}`
  }
  #access: string | null = null

  override describe(): string {
    const access = this.#access === null ? "" : `,${this.#access}`
    return `${this.element},[${this.ids.map(text).join(", ")}]${access}`
  }
}

interface GraphStepState {
  readonly ids: readonly unknown[] | null
  scan: RefScan | undefined
  width: number
}

/** Ids of V(...) in this run: elements stand for their ids, lists are spread. */
const identifiers = (ids: readonly unknown[], activation: Activation): Array<unknown> => {
  const out: Array<unknown> = []
  const add = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(add)
    else if (value instanceof Vertex || value instanceof Edge) out.push(value.id)
    else if (value !== null && typeof value === "object" && Symbol.iterator in value)
      for (const item of value as Iterable<unknown>) add(item)
    else out.push(value)
  }
  for (const id of ids) add(resolve(id, activation.run))
  return out
}

const build =
  (element: "vertex" | "edge"): StepBuilder =>
  (args) =>
    new GraphStep(element, args)

export const graphSteps: Readonly<Record<string, StepBuilder>> = { V: build("vertex"), E: build("edge") }
