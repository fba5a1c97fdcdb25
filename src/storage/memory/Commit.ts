import { atOnce, inPieces } from "../shared/Work.ts"
import type { AdjacencyView } from "./AdjacencyView.ts"
import { Application } from "./Application.ts"
import type { LinedCommit } from "./CommitLine.ts"
import { conflictChecks } from "./Conflicts.ts"
import type { GraphData } from "./GraphData.ts"
import type { OwnElements } from "./Overlay.ts"
import { CommitRecord } from "./Snapshots.ts"
import type { TableView } from "./TableView.ts"

/** A commit of more changes than this is made in pieces: a few milliseconds' worth. */
const LONG = 4096
/** Changes of a commit in pieces that one part of the undo log is about. */
const PART = 256

/**
 * What a transaction changed, to be applied: at once, or in pieces while readers go on seeing the state before it. Either
 * throws TransactionConflict, with nothing written, where a check of {@link conflictChecks} finds one. The transaction's
 * own snapshot must have been given back: states it alone would need are not kept.
 */
export class Commit implements LinedCommit {
  readonly #data: GraphData
  readonly #vertices: TableView
  readonly #edges: TableView
  readonly #adjacency: AdjacencyView
  readonly #begin: () => void
  readonly #end: () => void

  /** `begin` is called when its turn has come, and may throw; `end` when it was made, or failed. */
  constructor(
    data: GraphData,
    vertices: TableView,
    edges: TableView,
    adjacency: AdjacencyView,
    begin: () => void,
    end: () => void
  ) {
    this.#data = data
    this.#vertices = vertices
    this.#edges = edges
    this.#adjacency = adjacency
    this.#begin = begin
    this.#end = end
  }

  get isLong(): boolean {
    const [vertices, edges] = [this.#vertices.own, this.#edges.own]
    return changesOf(vertices) + changesOf(edges) > LONG || this.#data.growsMuch(added(vertices), added(edges))
  }

  run(): void {
    const data = this.#data
    try {
      this.#begin()
      atOnce(conflictChecks(data, this.#vertices, this.#edges, this.#adjacency))
      data.reserve(added(this.#vertices.own), added(this.#edges.own))
      const version = data.clock.version + 1
      // Slots must be released in the order they died: while the log is not empty, the log does it.
      const record = data.snapshots.any || data.snapshots.logged > 0 ? new CommitRecord(version) : undefined
      const application = new Application(data, version, record)
      atOnce(application.works(this.#vertices, this.#edges, this.#adjacency))
      data.clock.version = version
      data.clock.complete = version
      if (record !== undefined) data.snapshots.record(record)
    } finally {
      this.#end()
    }
  }

  *pieces(): Generator<void, void> {
    const data = this.#data
    data.pin()
    try {
      this.#begin()
      yield* inPieces(conflictChecks(data, this.#vertices, this.#edges, this.#adjacency))
      yield* inPieces(data.growth(added(this.#vertices.own), added(this.#edges.own)))
      data.assertOpen()
      yield* this.#apply()
    } finally {
      data.unpin()
      this.#end()
    }
  }

  /** Only a defect makes it throw: then half of a commit is there, and the graph must not be used any more. */
  *#apply(): Generator<void, void> {
    const data = this.#data
    const application = new Application(data, data.beginPieces(), new CommitRecord(data.clock.version))
    try {
      let pieces = 0
      for (const _ of inPieces(application.works(this.#vertices, this.#edges, this.#adjacency))) {
        // The log is in parts, too, so that it can be cut part by part.
        if (++pieces % (PART >> 7) === 0) application.nextRecord()
        yield
        data.assertOpen()
      }
      application.nextRecord()
    } catch (error) {
      data.close()
      throw error
    }
    data.endPieces()
  }
}

const added = (own: OwnElements | null): number => own?.labels.length ?? 0

const changesOf = (own: OwnElements | null): number =>
  own === null ? 0 : own.labels.length + own.removed.size + own.changedRefs.length
