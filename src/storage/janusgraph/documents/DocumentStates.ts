import { Pending } from "../../../scheduling/Pending.ts"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import { StorageFailure } from "../../../structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import { visibleId } from "../ids/VertexIds.ts"
import type { GraphIndex, Schema } from "../schema/Schema.ts"
import { vertexOfName } from "./DocumentNames.ts"
import { documentJson } from "./DocumentValues.ts"

/** A document that must match its element. */
export interface WantedDocument {
  readonly index: GraphIndex
  readonly name: string
}

/** The element of a document cannot be read: a cell of it has a form that this server does not know. */
interface Unreadable {
  readonly unreadable: string
}

/**
 * The current documents of elements, as JSON; undefined for an element that does not exist or has no value in the index. `begin`
 * begins a transaction that reads the newest state. Fails if the store does not answer.
 */
export const currentDocuments = async (
  begin: () => GraphTransaction,
  schema: Schema,
  wanted: ReadonlyArray<WantedDocument>
): Promise<ReadonlyArray<string | Unreadable | undefined>> => {
  try {
    return await readDocuments(begin, schema, wanted)
  } catch (cause) {
    if (cause instanceof StorageFailure) throw cause
    if (wanted.length === 1) return [{ unreadable: reasonOf(cause) }]
    // One element that cannot be read does not keep the others from being read.
    const half = wanted.length >> 1
    const first = await currentDocuments(begin, schema, wanted.slice(0, half))
    return [...first, ...(await currentDocuments(begin, schema, wanted.slice(half)))]
  }
}

const readDocuments = async (
  begin: () => GraphTransaction,
  schema: Schema,
  wanted: ReadonlyArray<WantedDocument>
): Promise<ReadonlyArray<string | undefined>> => {
  const transaction = begin()
  try {
    const ids = wanted.flatMap(({ index, name }) => (index.element === "vertex" ? idOf(name) : []))
    const names = wanted.flatMap(({ index, name }) => (index.element === "edge" ? [name] : []))
    const reads = transaction.prefetch?.([
      { kind: "vertexIds", ids },
      { kind: "edgeIds", ids: names }
    ])
    await Pending.toPromise(reads)
    return wanted.map((document) => currentDocument(transaction, schema, document))
  } finally {
    transaction.rollback()
  }
}

const idOf = (name: string): ReadonlyArray<unknown> => {
  const id = vertexOfName(name)
  return id === undefined ? [] : [visibleId(id)]
}

const currentDocument = (
  transaction: GraphTransaction,
  schema: Schema,
  { index, name }: WantedDocument
): string | undefined => {
  const isVertex = index.element === "vertex"
  const [id] = isVertex ? idOf(name) : [name]
  const ref = id === undefined ? -1 : isVertex ? transaction.vertexRef(id) : transaction.edgeRef(id)
  if (ref === -1) return undefined
  if (index.onlyLabel !== undefined) {
    const label = isVertex ? transaction.vertexLabel(ref) : transaction.edgeLabel(ref)
    const only = isVertex ? schema.vertexLabel(index.onlyLabel) : schema.type(index.onlyLabel)
    if (only?.name !== label) return undefined
  }
  return documentJson(index.documents!, (key) => {
    const found = isVertex ? transaction.vertexProperties(ref, [key]) : transaction.edgeProperties(ref, [key])
    return found.map(({ value }) => value)
  })
}
