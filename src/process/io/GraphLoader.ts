import { keyOf } from "../../structure/collections/Equivalence.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import { enlarged, isFull, type OrderedMap } from "../../structure/containers/OrderedMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { EdgeListing, GraphReceiver, StreamedEdge, StreamedVertex } from "../../structure/graph/GraphStream.ts"
import { toDouble } from "../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../structure/numbers/Numbers.ts"
import { text } from "../../structure/texts/Text.ts"
import { TraversalError } from "../language/Errors.ts"
import { addedWithId } from "./GivenIds.ts"

/** Bytes that a vertex takes in the loader, besides the transaction. */
const VERTEX_BYTES = 96
/** Bytes of an edge that waits for one of its vertices. */
const EDGE_BYTES = 320

interface WaitingEdge {
  readonly edge: StreamedEdge
  readonly listing: EdgeListing
}

/** Ids of different kinds with the same numeric value are equal, because files mix kinds and graphs convert them. */
const idKey = (id: unknown): unknown => {
  if (typeof id === "bigint" || !isNumber(id)) return keyOf(id)
  const value = toDouble(id)
  return Number.isSafeInteger(value) ? BigInt(value) : keyOf(id)
}

/**
 * Adds the elements that a decoder reads to the graph. Elements keep their ids if the graph accepts them, else the graph makes
 * new ones. An edge is added when both its vertices exist; in adjacency lists that is at its second occurrence.
 */
export class GraphLoader implements GraphReceiver {
  readonly #transaction: GraphTransaction
  readonly #hold: (bytes: number) => void
  /** Vertices by the ids of the file. */
  readonly #vertices = new BigMap<unknown, Ref>()
  /** Edges that wait for a vertex, by id. The key of an edge without an id is the edge. */
  #waiting: OrderedMap<unknown, WaitingEdge> = new Map()
  /** The waiting edges that {@link finish} has not added. */
  #rest: Iterator<[unknown, WaitingEdge]> | null = null
  /** Self-loops of the current vertex, which an adjacency list contains twice. */
  #loops = new Set<unknown>()

  /** @param hold Receives the bytes that the loader holds besides the transaction; negative to release. */
  constructor(transaction: GraphTransaction, hold: (bytes: number) => void) {
    this.#transaction = transaction
    this.#hold = hold
  }

  /** Adds a vertex. Throws TraversalError if the file has its id twice. */
  vertex({ id, label, properties }: StreamedVertex): void {
    const key = idKey(id)
    if (this.#vertices.has(key)) throw new TraversalError(`the vertex ${text(id)} is in the file twice`)
    this.#loops.clear()
    const ref = this.#added(id, (given) => this.#transaction.addVertex(label, given), "userSuppliedVertexIds")
    this.#vertices.set(key, ref)
    this.#hold(VERTEX_BYTES)
    for (const { id, key, meta, value } of properties) {
      this.#added(
        id,
        (given) => this.#transaction.setVertexProperty(ref, null, key, value, { id: given, meta }),
        "userSuppliedVertexPropertyIds"
      )
    }
  }

  /** Adds an edge, or lets it wait for its vertices. */
  edge(edge: StreamedEdge, listing: EdgeListing): void {
    // Without ids the two occurrences of an edge cannot be matched, so only that of the out-vertex counts.
    if (edge.id === undefined && listing === "in") return
    const out = this.#vertices.get(idKey(edge.out))
    const into = this.#vertices.get(idKey(edge.in))
    const key = edge.id === undefined ? edge : idKey(edge.id)
    if (out === undefined || into === undefined) {
      this.#waiting.set(key, { edge, listing })
      if (isFull(this.#waiting)) this.#waiting = enlarged(this.#waiting)
      this.#hold(EDGE_BYTES)
      return
    }
    if (out === into && listing !== "alone") {
      if (this.#loops.has(key)) return
      this.#loops.add(key)
    }
    if (this.#waiting.delete(key)) this.#hold(-EDGE_BYTES)
    this.#add(edge, out, into)
  }

  #add({ id, label, properties }: StreamedEdge, out: Ref, into: Ref): void {
    const ref = this.#added(id, (given) => this.#transaction.addEdge(out, label, into, given), "userSuppliedEdgeIds")
    for (const [key, value] of properties) this.#transaction.setEdgeProperty(ref, key, value)
  }

  /** Adds an element or property with the id of the file, or with a new id if the graph does not accept it. */
  #added<A>(
    id: unknown,
    add: (id: unknown) => A,
    feature: "userSuppliedVertexIds" | "userSuppliedEdgeIds" | "userSuppliedVertexPropertyIds"
  ): A {
    return addedWithId(this.#transaction.store.features[feature] ? id : undefined, add)
  }

  /** After the end of the file: adds at most `most` of the waiting edges. False when there are more. */
  finish(most: number): boolean {
    this.#rest ??= this.#waiting[Symbol.iterator]()
    for (let left = most; left > 0; left--) {
      const next = this.#rest.next()
      if (next.done === true) return true
      const [key, { edge, listing }] = next.value
      this.#waiting.delete(key)
      this.#add(edge, this.#end(edge.out, edge, listing), this.#end(edge.in, edge, listing))
    }
    return this.#waiting.size === 0
  }

  /** The vertex at an end of an edge. A list of edges may contain vertices that have no separate entry. */
  #end(id: unknown, edge: StreamedEdge, listing: EdgeListing): Ref {
    const known = this.#vertices.get(idKey(id))
    if (known !== undefined) return known
    if (listing !== "alone") {
      const name = edge.id === undefined ? edge.label : text(edge.id)
      throw new UnsupportedValue(`the edge ${name} leads to a vertex ${text(id)} that is not in the file`)
    }
    this.vertex({ id, label: "vertex", properties: [] })
    return this.#vertices.get(idKey(id))!
  }
}
