import { existsSync, rmSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"
import { getHeapStatistics } from "node:v8"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { normalId, type VertexId } from "../../storage/janusgraph/format/Ids.ts"
import { BulkLoader } from "../../storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { NeedsTransaction } from "../../storage/janusgraph/maintenance/bulk/LaterBulkLoader.ts"
import { CommitSize } from "../../storage/janusgraph/management/CommitSize.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { StreamedEdge, StreamedVertex } from "../../structure/graph/GraphStream.ts"
import { text } from "../../structure/texts/Text.ts"
import { EdgeEnds } from "./EdgeEnds.ts"
import { IdFile, type IdMap, IdsInMemory } from "./IdFile.ts"
import { idName } from "./ImportItems.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import { type ImportCommits, type ImportRecord, RECORDS_ROW, recordCell } from "./ImportRecords.ts"
import { BEGIN, DEFAULT_EDGE_LABEL, type ImportPosition, type ImportTarget, PIECE_BYTES } from "./ImportTarget.ts"
import { defineMixed } from "./KeySurvey.ts"
import type { ToolContext } from "./Report.ts"
import { TransactionTarget } from "./TransactionTarget.ts"

/**
 * Bytes of a commit while other requests share the event loop: at most, and if its commits are often interrupted by them. The second is
 * about 1,000 elements: each commit waits for the disk twice, which costs more than the elements of a smaller one.
 */
const SHARED_BYTES = 256 * 1024
const INTERRUPTED_BYTES = 80 * 1024

const MEBIBYTE = 1024 * 1024

/** Bytes of a commit otherwise: in larger commits each row is written fewer times. */
const aloneBytes = (): number => Math.min(256 * MEBIBYTE, Math.max(32 * MEBIBYTE, freemem() / 16))

/** A commit may use this fraction of the heap. */
const HEAP_DIVISOR = 6

/** The error of an interrupted import whose ids of the files are gone. */
const cannotResume = (file: string | undefined, state: "missing" | "empty"): UnsupportedValue =>
  new UnsupportedValue(
    `An import of these files was interrupted, and its file ${file} is ${state}: remove the imported elements, or restore a backup, and give --again.`
  )

/** True for a graph with rules that only transactions keep: constraints, TTLs, static and partitioned labels. */
export const needsTransactions = ({ core }: CellGraph): boolean => core.schema.hasRules || core.options.constraints

/** Imports into a graph over cells without its transactions. A journal in the graph lets an interrupted import resume. */
export class CellTarget implements ImportTarget {
  readonly begun: ImportPosition
  readonly fixesTypes = true
  readonly #graph: CellGraph
  readonly #plan: ImportPlan
  readonly #loader: BulkLoader
  readonly #ids: IdMap
  readonly #ends: EdgeEnds
  /** Bytes of a commit. In a shared graph they are fewer after a commit that other requests have interrupted for long. */
  readonly #limit: CommitSize
  /** Bytes of a commit that may be on the heap. */
  readonly #heapLimit = getHeapStatistics().heap_size_limit / HEAP_DIVISOR
  readonly #lost: Array<number>
  readonly #began: string
  readonly #context: Pick<ToolContext, "shared" | "signal">
  /** Takes the elements since another client gave the schema rules that only transactions keep. */
  #rest: TransactionTarget | undefined
  #commit: number
  #position: ImportPosition
  /** Reads vertices of the graph; ended by each commit. */
  #reading: GraphTransaction | undefined

  constructor(graph: CellGraph, plan: ImportPlan, context: Pick<ToolContext, "shared" | "signal">) {
    const { directory } = plan
    const { shared } = context
    this.#context = context
    this.#graph = graph
    this.#plan = plan
    const most = shared ? SHARED_BYTES : aloneBytes()
    this.#limit = new CommitSize(shared ? INTERRUPTED_BYTES : most, most)
    const file = directory === undefined ? undefined : join(directory, `import-${plan.job}.mdb`)
    const { begun } = plan
    if (begun !== undefined && (file === undefined || !existsSync(file))) throw cannotResume(file, "missing")
    this.begun = begun?.position ?? BEGIN
    this.#began = begun?.began ?? new Date().toISOString()
    this.#position = this.begun
    this.#commit = begun?.resume?.commit ?? 0
    this.#lost = [...(begun?.resume?.lost ?? [])]
    this.#ends = new EdgeEnds(graph, plan)
    this.#loader = new BulkLoader(graph.core, shared || begun !== undefined)
    this.#isFirst = !shared && begun === undefined && plan.wasEmpty
    this.#ids = file === undefined ? new IdsInMemory() : this.#idFile(file, begun?.resume)
    if (needsTransactions(graph)) this.#goOn()
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
    // The first commit always keeps ids: those of its vertices, or of the ends of its edges.
    if (committed > 0 && ids.last === 0) {
      void ids.close()
      throw cannotResume(path, "empty")
    }
    while (this.#commit < ids.last) this.#lost.push(++this.#commit)
    return ids
  }

  get resumes(): boolean {
    return this.#plan.directory !== undefined && this.#rest === undefined
  }

  get takesDefaultEdgeLabel(): boolean {
    return this.#graph.core.schema.labels.has(DEFAULT_EDGE_LABEL)
  }

  get full(): boolean {
    if (this.#rest !== undefined) return this.#rest.full
    const { bytes, heapBytes } = this.#loader
    return bytes + heapBytes >= this.#limit.value || heapBytes >= this.#heapLimit
  }

  get pieceBytes(): number {
    if (this.#rest !== undefined) return this.#rest.pieceBytes
    return Math.ceil(PIECE_BYTES * Math.min(1, this.#limit.value / SHARED_BYTES))
  }

  async defineMixed(keys: Parameters<ImportTarget["defineMixed"]>[0]): Promise<void> {
    await defineMixed(this.#graph, keys)
    this.#loader.refresh()
  }

  vertex(vertex: StreamedVertex, origin: number): void {
    if (this.#rest !== undefined) {
      this.#rest.vertex(vertex, origin)
      return
    }
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
    if (this.#rest !== undefined) this.#rest.edge(edge, origin)
    else this.#loader.edge(edge, this.#end(edge.out), this.#end(edge.in), origin)
  }

  #end(id: unknown): VertexId {
    const name = idName(id)
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    this.#reading ??= this.#graph.begin({ readOnly: true })
    const there = this.#ends.find(this.#reading, id)
    if (there === undefined) throw this.#ends.notFound(id)
    const found = typeof there === "bigint" ? normalId(there) : (there as VertexId)
    this.#ids.set(name, found)
    return found
  }

  async commit(position: ImportPosition): Promise<void> {
    if (this.#rest === undefined) {
      this.#endReading()
      if (await this.#committed(position)) return
      this.#goOn()
    }
    await this.#rest!.commit(position)
  }

  /** Commits the elements. False, without a change, when another client has given the schema rules. */
  async #committed(position: ImportPosition): Promise<boolean> {
    const before = this.#position
    const commit = this.#commit + 1
    await this.#ids.keep(commit)
    this.#position = position
    try {
      await this.#write("begun", commit)
    } catch (error) {
      this.#position = before
      if (error instanceof NeedsTransaction) return false
      throw error
    }
    this.#commit = commit
    // The time of the commit's own work does not count: it is the same in smaller commits.
    this.#limit.delayed(this.#loader.pausedMs)
    return true
  }

  /** From now on, transactions add the elements. */
  #goOn(): void {
    this.#rest = new TransactionTarget(this.#graph, this.#plan, this.#context, {
      position: this.#position,
      items: this.#loader.items,
      idOf: (name) => this.#ids.get(name),
      ends: this.#ends
    })
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
      edgeLabel: this.#plan.edgeLabel,
      ...(state === "finished" ? { ended: new Date().toISOString() } : this.#resume(commit))
    }
    return this.#loader.commit({ row: RECORDS_ROW, ...recordCell(this.#plan.job, record) })
  }

  /** What a repeated import needs to go on. The ids of a graph that ends with the process are not kept. */
  #resume(commit: number): Pick<ImportRecord, "resume"> {
    return this.#plan.directory === undefined ? {} : { resume: { commit, lost: this.#lost } }
  }

  async finish(): Promise<void> {
    if (this.#rest !== undefined) await this.#rest.finish()
    else await this.#finished()
    await this.#ids.close()
    this.#ids.remove()
  }

  async #finished(): Promise<void> {
    try {
      await this.#write("finished", this.#commit)
    } catch (error) {
      // The schema has got rules since the last commit, which concern no element of this one.
      if (!(error instanceof NeedsTransaction)) throw error
      this.#goOn()
      await this.#rest!.finish()
    }
    // Several commits have rewritten rows: compact the files when they are closed.
    if (this.#isFirst && this.#commit > 1) this.#graph.core.cells.rewriteWhenClosed?.()
  }

  async close(): Promise<void> {
    this.#endReading()
    await this.#rest?.close()
    await this.#ids.close()
  }
}
