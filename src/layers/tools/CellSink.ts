import { existsSync, rmSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"
import { getHeapStatistics } from "node:v8"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { VertexId } from "../../storage/janusgraph/format/Ids.ts"
import { BulkLoader } from "../../storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import type { GraphTransaction } from "../../structure/GraphStore.ts"
import type { StreamedEdge, StreamedVertex } from "../../structure/GraphStream.ts"
import { UnsupportedValue } from "../../structure/StoreErrors.ts"
import { text } from "../../structure/Text.ts"
import { EdgeEnds } from "./EdgeEnds.ts"
import { BEGIN, DEFAULT_EDGE_LABEL, type GraphSink, type ImportPosition } from "./GraphSink.ts"
import { IdFile, type IdMap, IdsInMemory } from "./IdFile.ts"
import { idName } from "./ImportItems.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import { type ImportCommits, type ImportRecord, RECORDS_ROW, recordCell } from "./ImportRecords.ts"
import type { ToolContext } from "./Report.ts"

/** Bytes of a commit while other requests share the event loop. */
const SHARED_BYTES = 256 * 1024

const MEBIBYTE = 1024 * 1024

/** Bytes of a commit otherwise: in larger commits each row is written fewer times. */
const aloneBytes = (): number => Math.min(256 * MEBIBYTE, Math.max(32 * MEBIBYTE, freemem() / 16))

/** A commit may use this fraction of the heap. */
const HEAP_DIVISOR = 6

/** Imports into a graph over cells without its transactions. A journal in the graph lets an interrupted import resume. */
export class CellSink implements GraphSink {
  readonly begun: ImportPosition
  readonly fixesCardinality = true
  readonly #graph: CellGraph
  readonly #plan: ImportPlan
  readonly #loader: BulkLoader
  readonly #ids: IdMap
  readonly #ends: EdgeEnds
  readonly #limit: number
  /** Bytes of a commit that may be on the heap. */
  readonly #heapLimit = getHeapStatistics().heap_size_limit / HEAP_DIVISOR
  readonly #lost: Array<number>
  readonly #began: string
  #commit: number
  #position: ImportPosition
  /** Reads vertices of the graph; ended by each commit. */
  #reading: GraphTransaction | undefined

  constructor(graph: CellGraph, plan: ImportPlan, shared: boolean) {
    const { directory } = plan
    this.#graph = graph
    this.#plan = plan
    this.#limit = shared ? SHARED_BYTES : aloneBytes()
    const file = directory === undefined ? undefined : join(directory, `import-${plan.job}.mdb`)
    const { begun } = plan
    if (begun !== undefined && (file === undefined || !existsSync(file))) {
      throw new UnsupportedValue(
        `An import of these files was interrupted, and its file ${file} is missing: remove the imported elements, or restore a backup, and give --again.`
      )
    }
    this.begun = begun?.position ?? BEGIN
    this.#began = begun?.began ?? new Date().toISOString()
    this.#position = this.begun
    this.#commit = begun?.resume?.commit ?? 0
    this.#lost = [...(begun?.resume?.lost ?? [])]
    this.#ends = new EdgeEnds(graph, plan)
    this.#ids = file === undefined ? new IdsInMemory() : this.#idFile(file, begun?.resume)
    this.#loader = new BulkLoader(graph.core, shared || begun !== undefined)
    this.#isFirst = !shared && begun === undefined && plan.wasEmpty
  }

  /** True for an import into an empty graph that no other client uses. */
  readonly #isFirst: boolean

  /** Opens the id file. Ids of commits that were not applied are ignored, also after several interruptions. */
  #idFile(path: string, begun: ImportCommits | undefined): IdFile {
    // A file of this name without a journal entry belongs to no import.
    if (begun === undefined) for (const end of ["", "-lock"]) rmSync(`${path}${end}`, { force: true })
    const committed = begun?.commit ?? 0
    const lost = new Set(this.#lost)
    const ids = new IdFile(path, (commit) => commit <= committed && !lost.has(commit))
    while (this.#commit < ids.last) this.#lost.push(++this.#commit)
    return ids
  }

  get takesDefaultEdgeLabel(): boolean {
    return this.#graph.core.schema.labels.has(DEFAULT_EDGE_LABEL)
  }

  get full(): boolean {
    const { bytes, heapBytes } = this.#loader
    return bytes + heapBytes >= this.#limit || heapBytes >= this.#heapLimit
  }

  vertex(vertex: StreamedVertex, origin: number): void {
    const name = idName(vertex.id)
    if (this.#ids.get(name) !== undefined) {
      throw new UnsupportedValue(`the vertex ${text(vertex.id)} occurs twice in the files`)
    }
    this.#ids.set(name, this.#loader.vertex(vertex, origin))
  }

  prepareEdges(context: ToolContext): Promise<void> {
    return this.#ends.prepare(context)
  }

  edge(edge: StreamedEdge, origin: number): void {
    this.#loader.edge(edge, this.#end(edge.out), this.#end(edge.in), origin)
  }

  #end(id: unknown): VertexId {
    const name = idName(id)
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    this.#reading ??= this.#graph.begin({ readOnly: true })
    const there = this.#ends.find(this.#reading, id)
    if (there === undefined) throw this.#ends.notFound(id)
    const found = typeof there === "bigint" ? Number(there) : (there as VertexId)
    this.#ids.set(name, found)
    return found
  }

  async commit(position: ImportPosition): Promise<void> {
    this.#endReading()
    const commit = this.#commit + 1
    this.#ids.keep(commit)
    this.#position = position
    await this.#write("begun", commit)
    this.#commit = commit
  }

  #endReading(): void {
    this.#reading?.rollback()
    this.#reading = undefined
  }

  /** Commits what was loaded since the last commit, with the position of the import. */
  #write(state: ImportRecord["state"], commit: number): Promise<void> {
    const record: ImportRecord = {
      state,
      files: this.#plan.files,
      began: this.#began,
      position: this.#position,
      ...(state === "begun" ? { resume: { commit, lost: this.#lost } } : { ended: new Date().toISOString() })
    }
    return this.#loader.commit({ row: RECORDS_ROW, ...recordCell(this.#plan.job, record) })
  }

  async finish(): Promise<void> {
    await this.#write("finished", this.#commit)
    // Several commits have rewritten rows: compact the files when they are closed.
    if (this.#isFirst && this.#commit > 1) this.#graph.core.cells.rewriteWhenClosed?.()
    await this.#ids.close()
    this.#ids.remove()
  }

  async close(): Promise<void> {
    this.#endReading()
    await this.#ids.close()
  }
}
