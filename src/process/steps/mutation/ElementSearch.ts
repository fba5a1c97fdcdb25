import type { GremlinMap } from "../../../structure/collections/Collections.ts"
import { equals } from "../../../structure/comparison/Equality.ts"
import { Vertex } from "../../../structure/elements/Element.ts"
import type {
  Cursor,
  IndexCondition,
  IndexQuery,
  LabelSet,
  Reads,
  RefColumn,
  RefScan
} from "../../../structure/graph/GraphReads.ts"
import { Direction, T } from "../../../structure/scalars/Enums.ts"
import { copyRefs } from "../../machine/Expansions.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, EDGE, VERTEX } from "../../plan/Batch.ts"
import { OpenPlaces } from "../../plan/OpenPlaces.ts"
import { OpenScans } from "../../plan/OpenScans.ts"
import { Step, Traversal } from "../../plan/Step.ts"
import { filtering, flattening } from "../../plan/StepTraits.ts"
import { FULL_SCAN } from "../flatmap/GraphStep.ts"
import { readsOf } from "../shared/By.ts"

/** Maximum number of candidates that one call tests. */
const CANDIDATES_PER_CALL = 256

/**
 * The child traversal that mergeV() and mergeE() use to search. Each row is a map of criteria (T.id, T.label, the ends
 * of an edge, properties); the results are the elements that meet all criteria. It finds candidates by id, by the edges
 * of an end, by an index, or by a full scan.
 */
export const searchTraversal = (element: "vertex" | "edge"): Traversal => {
  const candidates = new CandidateStep(element)
  const steps = [candidates, new CriteriaStep(candidates)]
  return new Traversal(element === "edge" ? [new EndsStep(), ...steps] : steps)
}

const passing = filtering({ filter: "no", rank: 0, labels: "none", children: "none" })

/** Asks a store that answers later for the vertices that the maps name as ends. The next steps look them up. */
class EndsStep extends Step {
  readonly operator = "merge"
  readonly name = "MergeEndsStep"
  readonly traits = passing
  override reads(batch: Batch): readonly Reads[] {
    return [{ kind: "vertexIds", ids: (batch.data as ReadonlyArray<GremlinMap>).flatMap(endIds) }]
  }
  override run(batch: Batch, activation: Activation): undefined {
    activation.pass(this, batch)
  }
}

const endIds = (map: GremlinMap): Array<unknown> =>
  [Direction.OUT, Direction.IN].flatMap((end) => (map.has(end) ? [idOf(map.get(end))] : []))

interface CandidateState {
  /** The current criteria, for the step that tests them. */
  maps: ReadonlyArray<GremlinMap>
  /** The open scans, by row. */
  readonly scans: Map<number, RefScan>
  /** Where the read of the edges of the current row's end stopped. The store knows this object, so it stays the same within a row. */
  place: Cursor
}

const finding = flattening({ results: "perRow", keepsObject: false, children: "none" })

/** Emits the elements that may meet a row's criteria. */
class CandidateStep extends Step {
  readonly operator = "merge"
  readonly name = "MergeSearchStep"
  readonly traits = finding
  readonly element: "vertex" | "edge"
  constructor(element: "vertex" | "edge") {
    super()
    this.element = element
  }

  state(activation: Activation): CandidateState {
    return activation.state(this, () => ({ maps: [], scans: new Map(), place: { row: 0, offset: 0 } }))
  }

  /** Reads for all rows first, then for a scan that continues. */
  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    const { row } = activation.cursor(this)
    if (activation.isBegun(this)) return this.#readsOf(row, batch, activation)
    const reads: Array<Reads> = []
    for (let at = 0; at < batch.length; at++) reads.push(...this.#readsOf(at, batch, activation))
    return reads
  }

  #readsOf(row: number, batch: Batch, activation: Activation): readonly Reads[] {
    const map = batch.data[row] as GremlinMap
    const way = accessPathOf(map, this.element)
    if (way.kind === "id") return [{ kind: this.element === "vertex" ? "vertexIds" : "edgeIds", ids: [way.id] }]
    if (way.kind === "scan") return [{ kind: "scan", scan: this.#scan(row, map, activation), max: CANDIDATES_PER_CALL }]
    const { transaction } = activation
    const ref = transaction.vertexRef(way.id)
    if (ref === -1) return []
    return [
      {
        kind: "adjacent",
        refs: one(ref, activation),
        length: 1,
        direction: way.direction,
        labels: labelsOf(map, activation),
        edges: true
      }
    ]
  }

  override run(batch: Batch, activation: Activation): boolean {
    // A scout tests the candidates of all rows together.
    if (activation.scout !== null) while (!this.#give(batch, activation)) {}
    return activation.scout !== null || this.#give(batch, activation)
  }

  #give(batch: Batch, activation: Activation): boolean {
    const cursor = activation.cursor(this)
    const state = this.state(activation)
    state.maps = batch.data as ReadonlyArray<GremlinMap>
    const map = state.maps[cursor.row]!
    const way = accessPathOf(map, this.element)
    const { transaction } = activation
    if (way.kind === "id") {
      const ref = this.element === "vertex" ? transaction.vertexRef(way.id) : transaction.edgeRef(way.id)
      if (ref !== -1) this.#emit(one(ref, activation), 1, cursor.row, batch, activation)
      cursor.row++
    } else if (way.kind === "end") {
      const ref = transaction.vertexRef(way.id)
      const isDone = ref === -1 || this.#incident(ref, way.direction, labelsOf(map, activation), batch, activation)
      if (isDone) {
        cursor.row++
        cursor.offset = 0
      }
    } else this.#scanned(map, cursor, state, batch, activation)
    return cursor.row >= batch.length
  }

  #scanned(
    map: GremlinMap,
    cursor: { row: number; offset: number },
    state: CandidateState,
    batch: Batch,
    activation: Activation
  ): void {
    const scan = this.#scan(cursor.row, map, activation)
    cursor.offset = 1
    const out = { refs: activation.transaction.newRefs(CANDIDATES_PER_CALL), length: 0 }
    const more = scan.next(CANDIDATES_PER_CALL, out)
    this.#emit(out.refs.subarray(0, out.length), out.length, cursor.row, batch, activation)
    if (more) return
    OpenScans.of(activation.run).close(scan)
    state.scans.delete(cursor.row)
    cursor.row++
    cursor.offset = 0
  }

  override stopped(activation: Activation): void {
    const { place, scans } = this.state(activation)
    OpenPlaces.leave(activation.run, activation.transaction, place)
    for (const scan of scans.values()) OpenScans.of(activation.run).close(scan)
    scans.clear()
  }

  /** Emits edges of a vertex from the offset of the cursor on. Returns true at the end. */
  #incident(
    ref: number,
    direction: "OUT" | "IN",
    labels: LabelSet | null,
    batch: Batch,
    activation: Activation
  ): boolean {
    const { transaction } = activation
    const cursor = activation.cursor(this)
    const request = activation.run.scratch.edgeRequest(one(ref, activation), 1, true, direction, labels)
    const state = this.state(activation)
    if (cursor.offset === 0) state.place = { row: 0, offset: 0 }
    request.cursor = state.place
    request.limit = CANDIDATES_PER_CALL
    const isDone = OpenPlaces.expand(activation.run, transaction, request)
    const { out } = request
    cursor.offset = state.place.offset
    this.#emit(copyRefs(out), out.length, cursor.row, batch, activation)
    return isDone
  }

  #emit(refs: RefColumn, length: number, row: number, batch: Batch, activation: Activation): void {
    activation.emitData(
      this,
      batch,
      new Int32Array(length).fill(row),
      this.element === "vertex" ? VERTEX : EDGE,
      refs,
      length
    )
  }

  /** The scan of a row, opened on first use. */
  #scan(row: number, map: GremlinMap, activation: Activation): RefScan {
    const { scans } = this.state(activation)
    let scan = scans.get(row)
    if (scan === undefined) {
      scan = OpenScans.of(activation.run).opened(this.#open(map, activation))
      scans.set(row, scan)
    }
    return scan
  }

  #open(map: GremlinMap, activation: Activation): RefScan {
    const { transaction } = activation
    const label = map.get(T.label)
    const conditions: Array<IndexCondition> = []
    map.forEach((value, key) => {
      if (typeof key === "string" && value !== null) conditions.push({ key, operator: "eq", value })
    })
    const query: IndexQuery = {
      element: this.element,
      labels: typeof label === "string" ? [label] : null,
      conditions
    }
    const choice = query.conditions.length > 0 ? transaction.chooseIndex(query) : undefined
    activation.run.profile?.annotate(this, "index", choice?.name ?? FULL_SCAN)
    if (choice !== undefined) return transaction.searchIndex(query, choice)
    return this.element === "vertex" ? transaction.scanVertices(query.labels) : transaction.scanEdges(query.labels)
  }
}

/** Keeps the candidates that meet their row's criteria. */
class CriteriaStep extends Step {
  readonly operator = "merge"
  readonly name = "MergeCriteriaStep"
  readonly traits = passing
  readonly #candidates: CandidateStep
  constructor(candidates: CandidateStep) {
    super()
    this.#candidates = candidates
  }
  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, null)
  }
  override run(batch: Batch, activation: Activation): undefined {
    const { maps } = this.#candidates.state(activation)
    const rows = activation.run.scratch.rows(batch.length)
    let kept = 0
    for (let i = 0; i < batch.length; i++) if (meets(batch, i, maps[batch.originOf(i)]!, activation)) rows[kept++] = i
    activation.emitRows(this, batch, rows, kept)
  }
}

const meets = (batch: Batch, row: number, map: GremlinMap, activation: Activation): boolean => {
  const { transaction } = activation
  const ref = batch.data[row] as number
  const element = batch.kind === VERTEX ? transaction.vertex(ref) : transaction.edge(ref)
  for (const [key, value] of map) {
    if (key === T.id) {
      if (value !== null && ref !== (batch.kind === VERTEX ? transaction.vertexRef(value) : transaction.edgeRef(value)))
        return false
    } else if (key === T.label) {
      if (element.label !== value) return false
    } else if (key === Direction.OUT) {
      if (transaction.edgeOutRef(ref) !== transaction.vertexRef(idOf(value))) return false
    } else if (key === Direction.IN) {
      if (transaction.edgeInRef(ref) !== transaction.vertexRef(idOf(value))) return false
    } else {
      // As in a write: otherwise a value of another type would add the element that it names again.
      const wanted = transaction.compared === undefined ? value : transaction.compared(key as string, value)
      if (!element.properties([key as string]).some((property) => equals(property.value, wanted))) return false
    }
  }
  return true
}

/** How the candidates of a row are found: by id, among the edges of one end, or by an index or a full scan. */
type AccessPath =
  | { readonly kind: "id"; readonly id: unknown }
  | { readonly kind: "end"; readonly id: unknown; readonly direction: "OUT" | "IN" }
  | { readonly kind: "scan" }

const accessPathOf = (map: GremlinMap, element: "vertex" | "edge"): AccessPath => {
  const id = map.get(T.id)
  if (id !== undefined && id !== null) return { kind: "id", id }
  if (element === "vertex") return { kind: "scan" }
  if (map.has(Direction.OUT)) return { kind: "end", id: idOf(map.get(Direction.OUT)), direction: "OUT" }
  if (map.has(Direction.IN)) return { kind: "end", id: idOf(map.get(Direction.IN)), direction: "IN" }
  return { kind: "scan" }
}

const idOf = (value: unknown): unknown => (value instanceof Vertex ? value.id : value)

const labelsOf = (map: GremlinMap, activation: Activation): LabelSet | null => {
  const label = map.get(T.label)
  return typeof label === "string" ? activation.transaction.edgeLabels([label]) : null
}

const one = (ref: number, activation: Activation): RefColumn => {
  const refs = activation.transaction.newRefs(1)
  refs[0] = ref
  return refs
}
