import type { VertexId } from "../../storage/janusgraph/format/Ids.ts"
import type { GraphCore } from "../../storage/janusgraph/GraphCore.ts"
import { vertexIdOf, visibleId } from "../../storage/janusgraph/ids/VertexIds.ts"
import { LaterBulkLoader, NeedsTransaction } from "../../storage/janusgraph/maintenance/bulk/LaterBulkLoader.ts"
import { StorageFailure, TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type { StreamedEdge, StreamedVertex } from "../../structure/graph/GraphStream.ts"
import { text } from "../../structure/texts/Text.ts"

/** An element of the files. `origin`: the caller's number of the element. */
export type Item = { readonly origin: number } & ({ readonly vertex: StreamedVertex } | { readonly edge: StreamedEdge })

/** An element cannot be added; the elements before it can. */
export class ItemRefused extends Error {
  readonly at: number
  constructor(at: number, cause: TaggedError) {
    super(cause.message, { cause })
    this.at = at
  }
}

/** True for an error that concerns one element, not the graph or another client. */
export const isOfOne = (error: unknown): error is TaggedError =>
  error instanceof TaggedError && !(error instanceof TransactionConflict) && !(error instanceof StorageFailure)

/** Length from which V8 makes a substring a slice that keeps the whole source string alive. */
const MIN_SLICE_CHARACTERS = 13

/** The key of an id of a file. Numbers of all types are equal when their values are. */
export const idName = (id: unknown): string => {
  if (typeof id !== "string") return `\u0001${text(id)}`
  // A copy: the name is kept for long, and must not keep a chunk of the file alive.
  return id.length < MIN_SLICE_CHARACTERS ? id : Buffer.from(id, "utf16le").toString("utf16le")
}

/** The vertices among items. */
export const verticesOf = (items: ReadonlyArray<Item>): ReadonlyArray<StreamedVertex> =>
  items.flatMap((item) => ("vertex" in item ? [item.vertex] : []))

/** Relations of an element: a vertex exists, has a label and properties. */
const relationsOf = (item: Item): number => ("vertex" in item ? 2 + item.vertex.properties.length : 1)

/** Estimated heap bytes of a value that is neither a text, bytes nor a collection. */
const VALUE_BYTES = 16
/** Estimated heap bytes of an element without its id, its label and its properties. */
const ELEMENT_BYTES = 100

const valueBytes = (value: unknown): number => {
  if (typeof value === "string") return VALUE_BYTES + 2 * value.length
  if (typeof value !== "object" || value === null) return VALUE_BYTES
  if (ArrayBuffer.isView(value)) return VALUE_BYTES + value.byteLength
  let bytes = VALUE_BYTES
  // The members of a map are its entries. Other objects, such as shapes, are measured by their fields.
  const members = Symbol.iterator in value ? (value as Iterable<unknown>) : Object.values(value)
  for (const member of members) bytes += valueBytes(member)
  return bytes
}

/** Estimated heap bytes of an element. */
export const itemBytes = (item: Item): number => {
  if ("edge" in item) return ELEMENT_BYTES + valueBytes(item.edge.properties)
  let bytes = ELEMENT_BYTES
  for (const { meta, value } of item.vertex.properties) bytes += valueBytes(value) + valueBytes(meta)
  return bytes
}

/** Elements of a commit: the more, the fewer writes of each row. A long commit would stop the other clients of a process. */
const LEAST_ELEMENTS = 2000
const MOST_ELEMENTS = 50_000
/** Growth of the commits after each that succeeds. */
const GROWTH = 4

/** Ids of the graph by ids of the files. */
interface KnownIds {
  get(name: string): unknown
}

/** Adds elements to a graph whose store answers later, without transactions where the elements need no check. */
export class ItemLoader {
  readonly #loader: LaterBulkLoader
  /** Elements of a commit at most. */
  readonly #most: number
  /** Elements of the next commit at most. */
  next = LEAST_ELEMENTS

  /** `shared`: other clients use the process. */
  constructor(core: GraphCore, shared: boolean) {
    this.#loader = new LaterBulkLoader(core)
    this.#most = shared ? LEAST_ELEMENTS : MOST_ELEMENTS
  }

  /**
   * Adds elements in one commit. `ids`: ids of the graph by ids of the files. Returns the ids of the new vertices; undefined if only
   * a transaction can add the elements, and then none is added.
   */
  async add(items: ReadonlyArray<Item>, ids: KnownIds): Promise<ReadonlyMap<string, unknown> | undefined> {
    try {
      const made = await this.#add(items, ids)
      this.next = Math.min(this.#most, this.next * GROWTH)
      return made
    } catch (error) {
      if (!(error instanceof NeedsTransaction)) throw error
      this.next = LEAST_ELEMENTS
      return undefined
    }
  }

  async #add(items: ReadonlyArray<Item>, ids: KnownIds): Promise<ReadonlyMap<string, unknown>> {
    const relations = items.reduce((sum, item) => sum + relationsOf(item), 0)
    await this.#loader.begin(verticesOf(items).length, relations)
    const { textVertexIds } = this.#loader.core.options
    const made = new Map<string, VertexId>()
    const endOf = (id: unknown): VertexId => {
      const name = idName(id)
      const end = made.get(name) ?? vertexIdOf(ids.get(name) ?? undefined, textVertexIds)
      if (end === undefined) throw new NeedsTransaction()
      return end
    }
    for (const item of items) {
      if ("vertex" in item) made.set(idName(item.vertex.id), this.#loader.vertex(item.vertex, item.origin))
      else this.#loader.edge(item.edge, endOf(item.edge.out), endOf(item.edge.in), item.origin)
    }
    await this.#loader.commit()
    return new Map(Array.from(made, ([name, id]) => [name, visibleId(id)]))
  }
}
