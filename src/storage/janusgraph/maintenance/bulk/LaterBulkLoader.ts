import { errorOf } from "../../../../scheduling/Pending.ts"
import { CommitOutcomeUnknown, UnsupportedValue } from "../../../../structure/errors/StoreErrors.ts"
import type { StreamedEdge, StreamedVertex } from "../../../../structure/graph/GraphStream.ts"
import type { RowChange } from "../../cells/CellStore.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import type { VertexId } from "../../format/Ids.ts"
import { rowKey } from "../../format/RowKeys.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { commitLater, commitPieces } from "../../management/IndexBuild.ts"
import { DEFAULT_VERTEX_LABEL, type EdgeLabel, isWritten, type PropertyKey, type Schema } from "../../schema/Schema.ts"
import { BulkEncoder, type LoadTypes } from "./BulkEncoder.ts"

/** Elements that only a transaction can add: they need a check of the graph or a new type, or are refused. */
export class NeedsTransaction extends Error {}

/** The types of one schema. */
class KnownTypes implements LoadTypes {
  readonly schema: Schema

  constructor(schema: Schema) {
    this.schema = schema
  }

  key(name: string): PropertyKey {
    return known(this.schema.keys.get(name))
  }

  label(name: string): EdgeLabel {
    return known(this.schema.labels.get(name))
  }

  vertexLabel(name: string): number {
    const label = this.schema.vertexLabels.get(name)
    return label === undefined && name === DEFAULT_VERTEX_LABEL ? 0 : known(label).id
  }
}

const known = <A>(type: A | undefined): A => {
  if (type === undefined) throw new NeedsTransaction()
  return type
}

/** True if the schema has no rules that commits check by reading the graph, and no log has all transactions. */
const isPlain = ({ core }: LaterBulkLoader, schema: Schema): boolean =>
  !schema.hasRules &&
  !core.options.constraints &&
  !core.options.userVertexIds &&
  core.cells.transactionLogs?.hasAll !== true &&
  schema.indexes.every(({ status, unique }) => !unique || !isWritten(status))

/**
 * Loads new elements into a graph whose store answers later, without transactions: it reads nothing and takes no locks, and writes
 * each row of a commit once. The ends of new edges must exist; another client must not remove them meanwhile.
 */
export class LaterBulkLoader {
  readonly core: GraphCore
  #types: KnownTypes
  #vertices: BulkEncoder
  #edges: BulkEncoder

  constructor(core: GraphCore) {
    core.assertWritable()
    this.core = core
    this.#types = new KnownTypes(core.schema)
    this.#vertices = new BulkEncoder(core, this.#types)
    this.#edges = new BulkEncoder(core, this.#types)
  }

  /** Begins a commit. Waits until there are so many ids. Throws NeedsTransaction if the schema has rules that need reads. */
  async begin(vertices: number, relations: number): Promise<void> {
    const { ids } = this.core
    for (;;) {
      // The schema may change during each wait. The one that encodes the elements must be the one that was tested.
      if (!isPlain(this, this.core.schema)) throw new NeedsTransaction()
      const missing = ids.missing("vertex", vertices) ?? ids.missing("relation", relations)
      if (missing === undefined) break
      await missing
    }
    this.#types = new KnownTypes(this.core.schema)
    this.#vertices = new BulkEncoder(this.core, this.#types)
    this.#edges = new BulkEncoder(this.core, this.#types)
  }

  /** Adds a vertex and returns its id. `origin`: see BulkLoader. Throws NeedsTransaction. */
  vertex(vertex: StreamedVertex, origin: number): VertexId {
    const id = this.core.ids.vertex()
    refusing(() => this.#vertices.vertex(vertex, id, origin))
    return id
  }

  /** Adds an edge between vertices that exist or were added. Throws NeedsTransaction. */
  edge(edge: StreamedEdge, out: VertexId, into: VertexId, origin: number): void {
    refusing(() => this.#edges.edge(edge, out, into, origin))
    if (this.#edges.uniqueEdges.length > 0) throw new NeedsTransaction()
  }

  /**
   * Writes the added elements: vertices before their edges, and both before their index entries. Throws NeedsTransaction if the
   * schema has changed since the start of the commit, and CommitOutcomeUnknown if the writing fails.
   */
  async commit(): Promise<void> {
    await commitLater(this.core, (batch) => {
      this.core.assertWritable()
      if (batch.schemaVersion !== this.#types.schema.version) throw new NeedsTransaction()
      for (const encoder of [this.#vertices, this.#edges]) {
        if (encoder.bytes > 0) batch.changeRows("edgestore", () => this.#rows(encoder))
      }
    })
    const entries = new RowChanges()
    for (const { indexes } of [this.#vertices, this.#edges]) indexes.put(entries)
    try {
      await commitPieces(this.core, (batch) => entries.applyTask(batch))
    } catch (error) {
      // The elements are in the graph already.
      if (error instanceof CommitOutcomeUnknown) throw error
      const { message } = errorOf(error)
      throw new CommitOutcomeUnknown(`the elements were written, but not their index entries. ${message}`, {
        cause: error
      })
    }
  }

  *#rows({ arena, refs }: BulkEncoder): Generator<RowChange> {
    const { partitionBits } = this.core.options
    for (const { changes, ref } of arena.rows()) yield { key: rowKey(refs.id(ref), partitionBits), changes }
  }
}

/** A transaction reports a refused value with its element. */
const refusing = (add: () => void): void => {
  try {
    add()
  } catch (error) {
    throw error instanceof UnsupportedValue ? new NeedsTransaction(error.message) : error
  }
}
