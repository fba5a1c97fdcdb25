import { TransactionConflict } from "../../src/structure/errors/StoreErrors.ts"

/** A graph in plain maps: slow and obviously correct. Ids of vertices and edges are numbers that the test chooses. */
export interface ModelVertex {
  readonly label: string
  /** A SINGLE key has one value; the LIST key has any number. */
  readonly properties: Map<string, Array<unknown>>
  /** The number of the write that has set each key. */
  readonly stamps: Map<string, number>
}

export interface ModelEdge {
  readonly label: string
  readonly out: number
  readonly into: number
  readonly properties: Map<string, unknown>
}

export interface ModelState {
  readonly vertices: Map<number, ModelVertex>
  readonly edges: Map<number, ModelEdge>
}

/** The name of the stamp of a vertex itself. */
const BORN = ""

/** The only key with LIST cardinality. */
export const LIST_KEY = "tags"

const copy = (state: ModelState): ModelState => ({
  vertices: new Map(
    [...state.vertices].map(([id, { label, properties, stamps }]) => [
      id,
      {
        label,
        properties: new Map([...properties].map(([key, values]) => [key, [...values]])),
        stamps: new Map(stamps)
      }
    ])
  ),
  edges: new Map([...state.edges].map(([id, edge]) => [id, { ...edge, properties: new Map(edge.properties) }]))
})

/** The changes of a committed transaction that can cause conflicts. */
interface Written {
  readonly version: number
  readonly verticesAdded: ReadonlySet<number>
  readonly verticesRemoved: ReadonlySet<number>
  readonly edgesAdded: ReadonlySet<number>
  readonly edgesRemoved: ReadonlySet<number>
  /** Vertices whose edges changed. */
  readonly touched: ReadonlySet<number>
  /** `vertex/key` and `edge/key`. */
  readonly vertexProperties: ReadonlySet<string>
  readonly edgeProperties: ReadonlySet<string>
}

export class GraphModel {
  committed: ModelState = { vertices: new Map(), edges: new Map() }
  version = 0
  stamp = 0
  readonly log: Array<Written> = []
  /**
   * False: a transaction conflicts with every write of the same element or property since its snapshot. True: it
   * conflicts only if the state of the element or property differs from the snapshot. A vertex whose id was used before is another
   * one. No id of an edge is used twice then.
   */
  readonly byState: boolean

  constructor(byState = false) {
    this.byState = byState
  }

  begin(): ModelTransaction {
    return new ModelTransaction(this)
  }
}

export class ModelTransaction {
  readonly #model: GraphModel
  readonly #base: ModelState
  readonly #since: number
  readonly state: ModelState
  /** The values that were added to the LIST key, by vertex. */
  readonly #appended = new Map<number, Array<unknown>>()
  readonly #vertexWrites = new Set<string>()
  readonly #edgeWrites = new Set<string>()
  /** Removed elements. An id that is added again in the same transaction is a different element. */
  readonly #removed = new Set<string>()
  changed = false

  constructor(model: GraphModel, state: ModelState = model.committed) {
    this.#model = model
    this.#base = copy(model.committed)
    this.#since = model.version
    this.state = copy(state)
  }

  /** A copy of the transaction in its current state, for writes that are rolled back later. */
  apart(): ModelTransaction {
    return new ModelTransaction(this.#model, this.state)
  }

  addVertex(id: number, label: string): void {
    this.changed = true
    this.state.vertices.set(id, { label, properties: new Map(), stamps: new Map([[BORN, ++this.#model.stamp]]) })
  }

  addEdge(id: number, out: number, label: string, into: number): void {
    this.changed = true
    this.state.edges.set(id, { label, out, into, properties: new Map() })
  }

  setSingle(vertex: number, key: string, value: unknown): void {
    this.changed = true
    this.#stamp(vertex, key)
    this.state.vertices.get(vertex)!.properties.set(key, [value])
    this.#vertexWrites.add(`${vertex}/${key}`)
  }

  removeSingle(vertex: number, key: string): void {
    this.changed = true
    const { properties, stamps } = this.state.vertices.get(vertex)!
    stamps.delete(key)
    if (properties.delete(key)) this.#vertexWrites.add(`${vertex}/${key}`)
  }

  #stamp(vertex: number, key: string): void {
    this.state.vertices.get(vertex)!.stamps.set(key, ++this.#model.stamp)
  }

  append(vertex: number, value: unknown): void {
    this.changed = true
    const { properties } = this.state.vertices.get(vertex)!
    this.#stamp(vertex, LIST_KEY)
    properties.set(LIST_KEY, [...(properties.get(LIST_KEY) ?? []), value])
    this.#appended.set(vertex, [...(this.#appended.get(vertex) ?? []), value])
  }

  setEdgeProperty(edge: number, key: string, value: unknown): void {
    this.changed = true
    this.state.edges.get(edge)!.properties.set(key, value)
    this.#edgeWrites.add(`${edge}/${key}`)
  }

  removeEdge(id: number): void {
    this.changed = true
    this.state.edges.delete(id)
    this.#removed.add(`e${id}`)
    for (const write of this.#edgeWrites) if (write.startsWith(`${id}/`)) this.#edgeWrites.delete(write)
  }

  removeVertex(id: number): void {
    this.changed = true
    for (const [edge, { out, into }] of this.state.edges) if (out === id || into === id) this.removeEdge(edge)
    this.state.vertices.delete(id)
    this.#removed.add(`v${id}`)
    this.#appended.delete(id)
    for (const write of this.#vertexWrites) if (write.startsWith(`${id}/`)) this.#vertexWrites.delete(write)
  }

  /** Commits the changes. Throws TransactionConflict when the store must. */
  commit(): void {
    if (!this.changed) return
    const mine = this.#written()
    if (this.#model.byState) this.#checkStates(mine)
    else for (const theirs of this.#model.log) if (theirs.version > this.#since) this.#check(mine, theirs)
    this.#apply(mine)
    this.#model.version++
    this.#model.log.push({ ...mine, version: this.#model.version })
  }

  #isNewVertex(id: number): boolean {
    return !this.#base.vertices.has(id) || this.#removed.has(`v${id}`)
  }

  #isNewEdge(id: number): boolean {
    return !this.#base.edges.has(id) || this.#removed.has(`e${id}`)
  }

  #written(): Written {
    const { vertices, edges } = this.state
    const verticesAdded = new Set([...vertices.keys()].filter((id) => this.#isNewVertex(id)))
    const edgesAdded = new Set([...edges.keys()].filter((id) => this.#isNewEdge(id)))
    const verticesRemoved = new Set([...this.#base.vertices.keys()].filter((id) => this.#removed.has(`v${id}`)))
    const edgesRemoved = new Set([...this.#base.edges.keys()].filter((id) => this.#removed.has(`e${id}`)))
    const touched = new Set<number>()
    for (const id of edgesAdded) touched.add(edges.get(id)!.out).add(edges.get(id)!.into)
    for (const id of edgesRemoved) touched.add(this.#base.edges.get(id)!.out).add(this.#base.edges.get(id)!.into)
    const vertexProperties = new Set<string>()
    for (const write of this.#vertexWrites) {
      const [vertex, key] = write.split("/") as [string, string]
      if (this.#isNewVertex(Number(vertex))) continue
      const has = vertices.get(Number(vertex))?.properties.has(key) ?? false
      if (has || this.#base.vertices.get(Number(vertex))!.properties.has(key)) vertexProperties.add(write)
    }
    for (const vertex of this.#appended.keys()) {
      if (!this.#isNewVertex(vertex)) vertexProperties.add(`${vertex}/${LIST_KEY}`)
    }
    const edgeProperties = new Set(
      [...this.#edgeWrites].filter((write) => !this.#isNewEdge(Number(write.split("/")[0])))
    )
    return {
      version: 0,
      verticesAdded,
      verticesRemoved,
      edgesAdded,
      edgesRemoved,
      touched,
      vertexProperties,
      edgeProperties
    }
  }

  #check(mine: Written, theirs: Written): void {
    const conflict = (condition: boolean, what: string): void => {
      if (condition) throw new TransactionConflict(what)
    }
    for (const id of mine.verticesRemoved) {
      conflict(theirs.verticesRemoved.has(id), "vertex removed twice")
      conflict(theirs.touched.has(id), "vertex removed, edge changed")
      for (const write of theirs.vertexProperties) conflict(write.startsWith(`${id}/`), "vertex removed, property set")
    }
    for (const id of mine.edgesRemoved) {
      conflict(theirs.edgesRemoved.has(id), "edge removed twice")
      for (const write of theirs.edgeProperties) conflict(write.startsWith(`${id}/`), "edge removed, property set")
    }
    for (const id of mine.verticesAdded) {
      conflict(theirs.verticesAdded.has(id) && this.#model.committed.vertices.has(id), "vertex added twice")
    }
    for (const id of mine.edgesAdded) {
      conflict(theirs.edgesAdded.has(id) && this.#model.committed.edges.has(id), "edge added twice")
      const { out, into } = this.state.edges.get(id)!
      for (const end of [out, into]) {
        conflict(!this.#isNewVertex(end) && theirs.verticesRemoved.has(end), "edge added, vertex removed")
      }
    }
    for (const write of mine.vertexProperties) {
      const [vertex, key] = write.split("/") as [string, string]
      conflict(theirs.verticesRemoved.has(Number(vertex)), "property set, vertex removed")
      conflict(key !== LIST_KEY && theirs.vertexProperties.has(write), "property set twice")
    }
    for (const write of mine.edgeProperties) {
      conflict(theirs.edgesRemoved.has(Number(write.split("/")[0])), "property set, edge removed")
      conflict(theirs.edgeProperties.has(write), "edge property set twice")
    }
  }

  /** Checks that everything that the transaction changes still equals the snapshot. */
  #checkStates(mine: Written): void {
    const base = this.#base
    const now = this.#model.committed
    const same = (before: unknown, after: unknown): void => {
      if (before === undefined || after === undefined || JSON.stringify(before) !== JSON.stringify(after)) {
        throw new TransactionConflict("not as it was")
      }
    }
    const around = ({ edges }: ModelState, id: number) =>
      [...edges].filter(([, { out, into }]) => out === id || into === id).sort(([a], [b]) => a - b)
    const edge = ({ edges }: ModelState, id: number) => edges.has(id) && [...edges.get(id)!.properties].sort()
    const born = ({ vertices }: ModelState, id: number) => vertices.get(id)?.stamps.get(BORN)
    for (const id of mine.verticesAdded) if (!mine.verticesRemoved.has(id)) same(false, now.vertices.has(id))
    for (const id of mine.verticesRemoved) {
      same([...(base.vertices.get(id)?.stamps ?? [])].sort(), [...(now.vertices.get(id)?.stamps ?? [-1])].sort())
      same(
        around(base, id).map(([id]) => [id, edge(base, id)]),
        around(now, id).map(([id]) => [id, edge(now, id)])
      )
    }
    for (const id of mine.edgesRemoved) same(edge(base, id), edge(now, id))
    for (const id of mine.edgesAdded) {
      const { out, into } = this.state.edges.get(id)!
      for (const end of [out, into]) if (!this.#isNewVertex(end)) same(born(base, end), born(now, end))
    }
    for (const write of mine.vertexProperties) {
      const [vertex, key] = write.split("/") as [string, string]
      same(born(base, Number(vertex)), born(now, Number(vertex)))
      const stamp = ({ vertices }: ModelState) => vertices.get(Number(vertex))!.stamps.get(key) ?? 0
      if (key !== LIST_KEY) same(stamp(base), stamp(now))
    }
    for (const write of mine.edgeProperties) {
      const [id, key] = write.split("/") as [string, string]
      const value = ({ edges }: ModelState) => edges.get(Number(id))?.properties.get(key) ?? null
      if (value(base) === value(this.state)) continue
      same(true, now.edges.has(Number(id)))
      same([value(base)], [value(now)])
    }
  }

  #apply(mine: Written): void {
    const { vertices, edges } = this.#model.committed
    for (const id of mine.edgesRemoved) edges.delete(id)
    for (const id of mine.verticesRemoved) vertices.delete(id)
    const final = copy(this.state)
    for (const id of mine.verticesAdded) vertices.set(id, final.vertices.get(id)!)
    for (const id of mine.edgesAdded) edges.set(id, final.edges.get(id)!)
    for (const write of mine.vertexProperties) {
      const [vertex, key] = write.split("/") as [string, string]
      const target = vertices.get(Number(vertex))!.properties
      const { stamps } = vertices.get(Number(vertex))!
      const stamp = final.vertices.get(Number(vertex))!.stamps.get(key)
      if (stamp === undefined) stamps.delete(key)
      else stamps.set(key, stamp)
      if (key === LIST_KEY) target.set(key, [...(target.get(key) ?? []), ...this.#appended.get(Number(vertex))!])
      else {
        const values = final.vertices.get(Number(vertex))!.properties.get(key)
        if (values === undefined) target.delete(key)
        else target.set(key, values)
      }
    }
    for (const write of mine.edgeProperties) {
      const [edge, key] = write.split("/") as [string, string]
      // Where states are compared: a property of a removed edge that was set to its original value is not a change.
      if (this.#model.byState && !edges.has(Number(edge))) continue
      if (
        this.#model.byState &&
        this.#base.edges.get(Number(edge))!.properties.get(key) === final.edges.get(Number(edge))!.properties.get(key)
      )
        continue
      edges.get(Number(edge))!.properties.set(key, final.edges.get(Number(edge))!.properties.get(key))
    }
  }
}
