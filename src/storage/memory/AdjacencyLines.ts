import type { Ref } from "../../structure/Element.ts"
import { Cardinality } from "../../structure/Enums.ts"
import type { GraphStore, GraphTransaction } from "../../structure/GraphStore.ts"
import { UnsupportedValue } from "../../structure/StoreErrors.ts"

/** Turns a GraphSON value (`{"@type": ..., "@value": ...}`, a string, ...) as JSON.parse gives it into a value. */
export type DecodeValue = (json: unknown) => unknown

/** An edge waiting for its vertex: id, ends and properties still as they were read. */
interface PendingEdge {
  readonly line: number
  readonly out: Ref
  readonly label: string
  readonly json: Json
}

type Json = { readonly [key: string]: unknown }

/**
 * Adds a graph from GraphSON's adjacency lists (the form of Gremlin's io() and of TinkerPop's data sets: one vertex a
 * line with its out-edges) in one transaction. `lines` are the lines after JSON.parse, `decode` reads typed values.
 * Throws UnsupportedValue, naming the line, where the form is another; nothing is added then.
 */
export const loadAdjacencyLines = (store: GraphStore, lines: Iterable<unknown>, decode: DecodeValue): void => {
  const transaction = store.begin()
  try {
    readLines(transaction, lines, decode)
    transaction.commit()
  } catch (error) {
    transaction.rollback()
    throw error
  }
}

const readLines = (transaction: GraphTransaction, lines: Iterable<unknown>, decode: DecodeValue): void => {
  const pending: Array<PendingEdge> = []
  let line = 0
  for (const json of lines) {
    line++
    const vertex = object(json, line, "a vertex")
    const ref = transaction.addVertex(text(vertex.label ?? "vertex", line), decode(vertex.id))
    for (const [key, properties] of Object.entries(object(vertex.properties ?? {}, line, "properties"))) {
      for (const property of list(properties, line)) {
        addProperty(transaction, ref, key, object(property, line, "a property"), line, decode)
      }
    }
    for (const [label, edges] of Object.entries(object(vertex.outE ?? {}, line, "outE"))) {
      for (const edge of list(edges, line)) pending.push({ line, out: ref, label, json: object(edge, line, "an edge") })
    }
  }
  for (const edge of pending) addEdge(transaction, edge, decode)
}

const addProperty = (
  transaction: GraphTransaction,
  vertex: Ref,
  key: string,
  json: Json,
  line: number,
  decode: DecodeValue
): void => {
  const meta = new Map<string, unknown>()
  for (const [name, value] of Object.entries(object(json.properties ?? {}, line, "meta-properties"))) {
    meta.set(name, decode(value))
  }
  const id = json.id === undefined ? undefined : decode(json.id)
  transaction.setVertexProperty(vertex, Cardinality.list, key, decode(json.value), id, meta.size === 0 ? null : meta)
}

const addEdge = (transaction: GraphTransaction, { line, out, label, json }: PendingEdge, decode: DecodeValue): void => {
  const into = transaction.vertexRef(decode(json.inV))
  if (into === -1) throw new UnsupportedValue(`Line ${line}: an edge ${label} leads to a vertex that no line describes`)
  const edge = transaction.addEdge(out, label, into, json.id === undefined ? undefined : decode(json.id))
  for (const [key, value] of Object.entries(object(json.properties ?? {}, line, "edge properties"))) {
    transaction.setEdgeProperty(edge, key, decode(value))
  }
}

const object = (json: unknown, line: number, what: string): Json => {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Json
  throw new UnsupportedValue(`Line ${line}: ${what} must be a JSON object`)
}

const list = (json: unknown, line: number): readonly unknown[] => {
  if (Array.isArray(json)) return json
  throw new UnsupportedValue(`Line ${line}: properties and edges must be lists`)
}

const text = (json: unknown, line: number): string => {
  if (typeof json === "string") return json
  throw new UnsupportedValue(`Line ${line}: a label must be a string`)
}
