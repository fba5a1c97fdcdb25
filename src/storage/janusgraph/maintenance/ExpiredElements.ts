import { Pending } from "../../../scheduling/Pending.ts"
import { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import { StorageFailure, TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { CellGraph } from "../CellGraph.ts"
import type { VertexId } from "../format/Ids.ts"
import { vertexPages } from "../management/IndexBuild.ts"
import { CellTransaction } from "../transaction/CellTransaction.ts"
import { type ExpiredCounts, REMOVED_PER_COMMIT } from "../transaction/writing/ExpiredWrites.ts"

/** Attempts to commit the removals at one vertex while clients change it. */
const MAX_ATTEMPTS = 10
/** Vertices of one commit. */
const VERTICES_PER_COMMIT = 64
/** How long the removal keeps the event loop, in milliseconds. */
const SLICE_MS = 2

/** What the removal calls. */
interface RemovalCalls {
  /** Lets others run, and throws to end the work. Gets the number of vertices that were looked at. */
  readonly pause: (vertices: number) => Promise<void>
  /** Notes a vertex from which not everything was removed, as text for messages. */
  readonly refuse: (where: string) => void
}

/**
 * Removes what has expired, in commits of some vertices, and returns what was removed. Only for graphs that store times of expiry:
 * elsewhere the store removes expired cells. Skips a vertex whose cells are damaged or which clients change again and again. Throws
 * StorageFailure and ReadOnlyTransaction.
 */
export const removeExpired = async (graph: CellGraph, calls: RemovalCalls): Promise<ExpiredCounts> => {
  const removal = new Removal(graph, calls)
  const { core } = graph
  core.assertWritable()
  if (core.cells.answersLater || core.newestSchema().expires === undefined) return removal.removed
  for await (const page of vertexPages(core)) {
    removal.newTurn()
    for (let at = 0; at < page.length; at += VERTICES_PER_COMMIT) {
      await removal.at(page.slice(at, at + VERTICES_PER_COMMIT))
    }
  }
  return removal.removed
}

/** What a transaction has done. */
interface Attempt {
  /** Vertices from which everything was removed. */
  readonly complete: number
  /** Where the next transaction continues in the row of the next vertex. */
  readonly next: Uint8Array | undefined
}

/** The removal from all vertices, some of them after the others. */
class Removal {
  readonly removed: ExpiredCounts = { vertices: 0, edges: 0, values: 0 }
  readonly #graph: CellGraph
  readonly #calls: RemovalCalls
  readonly #slice = new TimeSlice()
  #seen = 0
  /** True after {@link RemovalCalls.pause} has thrown, whose errors are not those of a vertex. */
  #isStopped = false

  constructor(graph: CellGraph, calls: RemovalCalls) {
    this.#graph = graph
    this.#calls = calls
  }

  /** Called in a new turn of the event loop. */
  newTurn(): void {
    this.#slice.restart(performance.now() + SLICE_MS)
  }

  /** Removes what has expired at some vertices. */
  async at(vertices: ReadonlyArray<VertexId>): Promise<void> {
    let most = vertices.length
    let from: Uint8Array | undefined
    let attempts = MAX_ATTEMPTS
    for (let at = 0; at < vertices.length; ) {
      try {
        const { complete, next } = await this.#attempt(vertices.slice(at, at + most), from)
        at += complete
        this.#seen += complete
        from = next
        attempts = MAX_ATTEMPTS
      } catch (error) {
        if (this.#isStopped || error instanceof StorageFailure) throw error
        if (most > 1) {
          // Alone, a vertex that cannot be changed does not keep the others.
          most = 1
        } else if (!(error instanceof TransactionConflict) || --attempts === 0) {
          this.#calls.refuse(`vertex ${vertices[at]}: ${refusalOf(error)}`)
          at++
          this.#seen++
          from = undefined
          attempts = MAX_ATTEMPTS
        }
      }
    }
  }

  /** Removes what has expired at the first of some vertices, in one transaction. Begins at the column `from` of the first one. */
  async #attempt(vertices: ReadonlyArray<VertexId>, from: Uint8Array | undefined): Promise<Attempt> {
    const counts = { vertices: 0, edges: 0, values: 0 }
    const transaction = new CellTransaction(this.#graph, this.#graph.core, {})
    let complete = 0
    let next = from
    try {
      while (complete < vertices.length && counts.edges + counts.values < REMOVED_PER_COMMIT) {
        const work = transaction.removeExpired(vertices[complete]!, counts, next)
        let step = work.next()
        for (; step.done !== true; step = work.next()) await this.#rest()
        next = step.value
        if (next !== undefined) break
        complete++
        await this.#rest()
      }
      await Pending.toPromise(transaction.commit())
    } catch (error) {
      transaction.rollback()
      throw error
    }
    for (const kind of ["vertices", "edges", "values"] as const) this.removed[kind] += counts[kind]
    return { complete, next }
  }

  /** Lets others run when the slice is over. */
  async #rest(): Promise<void> {
    if (!this.#slice.isOverNow()) return
    try {
      await this.#calls.pause(this.#seen)
    } catch (error) {
      this.#isStopped = true
      throw error
    }
    this.newTurn()
  }
}

const refusalOf = (error: unknown): string => {
  if (error instanceof TransactionConflict) return error.what
  return reasonOf(error)
}
