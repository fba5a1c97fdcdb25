import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { BigSet } from "../../../structure/containers/BigMap.ts"
import type { IndexChoice, IndexQuery, Reads, RefColumn, RefScan } from "../../../structure/graph/GraphReads.ts"
import { joinedBulks } from "../../../structure/numbers/Bulks.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { refuseTraversalValue } from "../../language/TraversalValues.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, carriesNothing, carry, EDGE, VALUE, VERTEX } from "../../plan/Batch.ts"
import { OpenScans, type StepScan } from "../../plan/OpenScans.ts"
import { everyArgument, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import type { Run } from "../../plan/Run.ts"
import { Step } from "../../plan/Step.ts"
import { flattening, type StepTraits } from "../../plan/StepTraits.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { indexQuery } from "../../predicates/IndexQueries.ts"
import { identifiers } from "./Identifiers.ts"
import { emitOne } from "./OneElement.ts"
import { type OrderedScan, RepeatedScans } from "./RepeatedScans.ts"
import { nextPieceOf, SCAN_FIRST_ROWS, type ScannedPiece, type ScanPace } from "./ScannedPieces.ts"
import { hasUnsorted, keepUnsorted } from "./UnsortedElements.ts"

/** Maximum number of elements, found by id, in one batch. */
const IDS_PER_BATCH = 4096

/** The access path in explain() and profile() if no index is used. */
export const FULL_SCAN = "full scan"

/** The access path in explain() and profile() if the store's element counters answer the query. */
const COUNTER_ACCESS = "counters"

const traits: StepTraits = {
  ...flattening({ results: "many", keepsObject: false, children: "none" }),
  role: "startsAnew"
}

/** V() and E(): elements by id, by index or by full scan. In the middle of a traversal, once for each traverser. */
export class GraphStep extends Step {
  readonly operator: string
  readonly name = "GraphStep"
  readonly traits = traits
  readonly element: "vertex" | "edge"
  readonly ids: readonly unknown[]
  /** True emits each element once, even if its id is given several times. */
  readonly distinct: boolean
  /**
   * Conditions of the has() steps after this one. They are only a hint for an index: those steps still test every
   * element.
   */
  conditions: ReadonlyArray<HasContainer> = []
  /** How the next step counts the elements: all, or by label; null if it does not count them. */
  counted: "all" | "labels" | null = null
  /** The sort key of a following order().by() if only the first elements are needed. */
  order: IndexQuery["order"] = undefined

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
    if (state.piece !== null) return null
    state.scan ??= this.#scan(activation)
    // The scan may fetch before its first piece.
    OpenScans.note(activation.run, state)
    return batch.length === 0 ? null : [{ kind: "scan", scan: state.scan, max: state.width }]
  }

  /** True if this run emits the elements in the requested order. */
  isOrdered(activation: Activation): boolean {
    return this.#state(activation).ordered
  }

  override run(batch: Batch, activation: Activation): boolean {
    const state = this.#state(activation)
    if (this.counted !== null && state.scan === undefined && this.#fromCounters(batch, activation)) return true
    const { ids } = state
    if (ids === null) return this.#scanned(batch, activation, state)
    if (ids.length === 1 && batch.length === 1 && carriesNothing(batch)) return emitOne(this, batch, activation, ids[0])
    return runTask(this, batch, activation, () => this.#byId(batch, activation, ids))
  }

  override stopped(activation: Activation): void {
    OpenScans.closeOf(activation.run, this.#state(activation))
  }

  override leave(activation: Activation): void {
    this.stopped(activation)
    Object.assign(this.#state(activation), { isRest: false, piece: null, width: SCAN_FIRST_ROWS })
  }

  /** The ids of the elements that a run looks up; null for all elements. */
  protected idsIn(activation: Activation): readonly unknown[] | null {
    return this.ids.length === 0 ? null : identifiers(this.ids, activation)
  }

  #state(activation: Activation): GraphStepState {
    return activation.state(this, () => ({
      ids: this.idsIn(activation),
      scan: undefined,
      isNoted: false,
      ordered: false,
      isRest: false,
      width: SCAN_FIRST_ROWS,
      piece: null
    }))
  }

  /** Emits the store's counters as rows with the counts as bulks. Returns false if the store has no counters. */
  #fromCounters(batch: Batch, activation: Activation): boolean {
    const { counts } = activation.transaction
    const { labels } = indexQuery(this.element, this.conditions, activation.run)
    const rows = new Map<string | null, number>()
    if (this.counted === "all") {
      const count = this.element === "vertex" ? counts.vertices(labels) : counts.edges(labels)
      if (count === undefined) return false
      if (count > 0) rows.set(null, count)
    } else {
      const byLabel = counts.byLabel?.(this.element)
      if (byLabel === undefined) return false
      for (const [label, count] of byLabel) if (labels === null || labels.includes(label)) rows.set(label, count)
    }
    activation.run.profile?.annotate(this, "index", COUNTER_ACCESS)
    const length = batch.length * rows.size
    if (length === 0) return true
    const from = Int32Array.from({ length }, (_, i) => Math.floor(i / rows.size))
    const found = [...rows]
    const counted = Array.from(from, (_, i) => found[i % rows.size]![0])
    const out = carry(batch, from, new Batch(VALUE, counted, length))
    out.bulk = joinedBulks(Float64Array.from(from, (row, i) => found[i % rows.size]![1] * batch.bulkOf(row)))
    activation.emit(this, out)
    return true
  }

  *#byId(batch: Batch, activation: Activation, ids: readonly unknown[]): Task {
    const { transaction } = activation
    const found = transaction.newRefs(ids.length)
    let count = 0
    const seen = this.distinct ? new BigSet<number>() : null
    for (let i = 0; i < ids.length; i++) {
      if (i % CHUNK_ITEMS === CHUNK_ITEMS - 1) yield
      const ref = this.element === "vertex" ? transaction.vertexRef(ids[i]) : transaction.edgeRef(ids[i])
      if (ref === -1 || seen?.has(ref)) continue
      seen?.add(ref)
      found[count++] = ref
    }
    activation.run.profile?.annotate(this, "index", "ids")
    const kind = this.element === "vertex" ? VERTEX : EDGE
    const all = count * batch.length
    const cursor = activation.cursor(this)
    for (let from = 0; from < all; from += IDS_PER_BATCH) {
      if (from > 0) {
        cursor.row = Math.floor(from / count)
        yield
        // The machine has moved the cursor past rows that are no longer wanted.
        from = Math.max(from, cursor.row * count)
      }
      const length = Math.min(IDS_PER_BATCH, all - from)
      const refs = transaction.newRefs(length)
      const rows = new Int32Array(length)
      for (let i = 0; i < length; i++) {
        refs[i] = found[(from + i) % count]!
        rows[i] = Math.floor((from + i) / count)
      }
      activation.emitData(this, batch, rows, kind, refs, length)
    }
  }

  /** Emits one batch of the scan for the current row. Returns false when the scans of all rows are complete. */
  #scanned(batch: Batch, activation: Activation, state: GraphStepState): boolean {
    const cursor = activation.cursor(this)
    state.scan ??= this.#scan(activation)
    cursor.offset = 1
    const piece = state.piece ?? nextPieceOf(state.scan, state, activation)
    const { more, out } = piece
    if (this.counted === "labels" || state.isRest) {
      const keys = state.isRest ? [this.order!.key] : []
      const reads: Reads = { kind: this.element, refs: out.refs, length: out.length, keys }
      // A store that answers later must fetch the labels or the properties first.
      state.piece = activation.run.fetched([reads]) ? null : piece
      if (state.piece !== null) return false
      if (state.isRest) keepUnsorted(out, this, activation)
    }
    const rows = carriesNothing(batch) ? null : new Int32Array(out.length).fill(cursor.row)
    if (this.counted === "labels") this.#emitLabels(batch, activation, rows, out)
    else activation.emitData(this, batch, rows, this.element === "vertex" ? VERTEX : EDGE, out.refs, out.length)
    if (more) {
      OpenScans.note(activation.run, state)
      return false
    }
    OpenScans.closeOf(activation.run, state)
    state.isRest = state.ordered && !state.isRest && hasUnsorted(this, activation)
    if (state.isRest) return false
    cursor.row++
    return cursor.row >= batch.length
  }

  #emitLabels(
    batch: Batch,
    activation: Activation,
    rows: Int32Array | null,
    { refs, length }: { readonly refs: RefColumn; readonly length: number }
  ): void {
    const { transaction } = activation
    const labels = Array.from({ length }, (_, i) =>
      this.element === "vertex" ? transaction.vertexLabel(refs[i]!) : transaction.edgeLabel(refs[i]!)
    )
    activation.emitData(this, batch, rows, VALUE, labels, length)
  }

  #choose(
    run: Run,
    order: IndexQuery["order"]
  ): { readonly query: IndexQuery; readonly choice: IndexChoice | undefined } {
    // No spread into a new object: it takes longer than the look-up in the index.
    const { conditions, element, labels } = indexQuery(this.element, this.conditions, run)
    const query = { element, labels, conditions, order }
    const asks = query.conditions.length > 0 || query.order !== undefined
    return { query, choice: asks ? run.transaction.chooseIndex(query) : undefined }
  }

  #scan(activation: Activation): RefScan {
    const { parent, plan, run, transaction } = activation
    const state = this.#state(activation)
    if (state.isRest) return this.#opened(run, undefined).scan
    const open = (): OrderedScan => this.#opened(run, this.order)
    const isSource = parent === null && this.index === plan.firstIndex
    // A store that answers later caches scans itself and must receive its own scan objects.
    const { ordered, scan } =
      isSource || transaction.answersLater
        ? open()
        : run.shared(this, () => new RepeatedScans()).next(transaction, this.element, open)
    state.ordered = ordered ?? false
    return scan
  }

  #opened(run: Run, order: IndexQuery["order"]): OrderedScan {
    const { transaction } = run
    const { choice, query } = this.#choose(run, order)
    run.profile?.annotate(this, "index", choice === undefined ? FULL_SCAN : accessOf(choice))
    if (choice !== undefined) return { scan: transaction.searchIndex(query, choice), ordered: choice.ordered }
    const { labels } = query
    const scan = this.element === "vertex" ? transaction.scanVertices(labels) : transaction.scanEdges(labels)
    return { scan, ordered: false }
  }

  /** Records how a run would access the elements, for {@link describe}. Only for the plan of an explanation. */
  override explain(run: Run): void {
    if (this.ids.length > 0) this.#access = "ids"
    else if (this.counted !== null && this.#hasCounters(run)) this.#access = COUNTER_ACCESS
    else {
      const { choice } = this.#choose(run, this.order)
      this.#access = choice === undefined ? FULL_SCAN : `index ${accessOf(choice)}`
    }
  }

  #hasCounters({ transaction: { counts } }: Run): boolean {
    if (this.counted === "labels") return counts.byLabel?.(this.element) !== undefined
    return (this.element === "vertex" ? counts.vertices(null) : counts.edges(null)) !== undefined
  }
  #access: string | null = null

  override describe(): string {
    const access = this.#access === null ? "" : `,${this.#access}`
    return `${this.element},${briefText(this.ids)}${access}`
  }
}

const accessOf = ({ name, ordered }: IndexChoice): string => (ordered ? `${name} in order` : name)

interface GraphStepState extends ScanPace, StepScan {
  readonly ids: readonly unknown[] | null
  ordered: boolean
  /** True after a search in the requested order, while the elements without the sort key follow. */
  isRest: boolean
  /** The scanned batch that waits for its labels. */
  piece: ScannedPiece | null
}

const build =
  (element: "vertex" | "edge"): StepBuilder =>
  (args) => {
    const advice = "To continue at the elements of a traversal, use flatMap() or select()."
    for (const id of args) refuseTraversalValue(`${element === "vertex" ? "V" : "E"}()`, id, advice)
    return new GraphStep(element, args)
  }

/** The operators V() and E(). */
export const graphSteps: Operators = {
  V: stepOperator(everyArgument, build("vertex")),
  E: stepOperator(everyArgument, build("edge"))
}
