import { StorageFull, TaggedError } from "../../structure/StoreErrors.ts"
import { atOnce, inPieces } from "../shared/Work.ts"
import { Application, type Changes } from "./Application.ts"
import type { LinedCommit } from "./CommitLine.ts"
import { conflictChecks } from "./Conflicts.ts"
import type { GraphData } from "./GraphData.ts"
import type { OwnElements } from "./Overlay.ts"
import { CommitRecord } from "./Snapshots.ts"
import { takingBack } from "./TakingBack.ts"

/** A commit of more changes than this is made in pieces: a few milliseconds' worth. */
const LONG = 4096
/** Changes of a commit in pieces that one part of the undo log is about. */
const PART = 256

/**
 * What a transaction changed, to be applied: at once, or in pieces while readers go on seeing the state before it. It is
 * applied whole or not at all: either way throws TransactionConflict where a check of {@link conflictChecks} finds one, and
 * takes back what it has applied when anything fails later. The transaction's own snapshot must have been given back:
 * states it alone would need are not kept.
 */
export class Commit implements LinedCommit {
  readonly #data: GraphData
  readonly #changes: Changes
  readonly #begin: () => void
  readonly #end: () => void

  /** `begin` is called when its turn has come, and may throw; `end` when it was made, or failed. */
  constructor(data: GraphData, changes: Changes, begin: () => void, end: () => void) {
    this.#data = data
    this.#changes = changes
    this.#begin = begin
    this.#end = end
  }

  get isLong(): boolean {
    const [vertices, edges] = [this.#changes.vertices.own, this.#changes.edges.own]
    return changesOf(vertices) + changesOf(edges) > LONG || this.#data.growsMuch(added(vertices), added(edges))
  }

  run(): void {
    const data = this.#data
    const { adjacency, edges, vertices } = this.#changes
    try {
      this.#begin()
      atOnce(conflictChecks(data, vertices, edges, adjacency))
      data.reserve(added(vertices.own), added(edges.own))
      const version = data.clock.version + 1
      // Slots must be released in the order they died: while the log is not empty, the log does it.
      const record = data.snapshots.any || data.snapshots.logged > 0 ? new CommitRecord(version) : undefined
      this.#apply(new Application(data, version, record, this.#changes))
    } catch (cause) {
      throw failureOf(data, cause)
    } finally {
      this.#end()
    }
  }

  #apply(application: Application): void {
    const data = this.#data
    try {
      atOnce(application.works())
    } catch (cause) {
      this.#closeOnFailure(cause, () => atOnce(takingBack(application)))
      application.nextRecord()
      data.setVersion(application.version)
      throw cause
    }
    application.nextRecord()
    data.setVersion(application.version)
    application.release()
  }

  *pieces(): Generator<void, void> {
    const data = this.#data
    const { adjacency, edges, vertices } = this.#changes
    data.pin()
    try {
      this.#begin()
      yield* inPieces(conflictChecks(data, vertices, edges, adjacency))
      yield* inPieces(data.growth(added(vertices.own), added(edges.own)))
      data.assertOpen()
      yield* this.#applyInPieces()
    } catch (cause) {
      throw failureOf(data, cause)
    } finally {
      data.unpin()
      this.#end()
    }
  }

  *#applyInPieces(): Generator<void, void> {
    const data = this.#data
    const version = data.beginPieces()
    const application = new Application(data, version, new CommitRecord(version), this.#changes)
    try {
      let pieces = 0
      for (const _ of inPieces(application.works())) {
        // The log is in parts, too, so that it can be cut part by part.
        if (++pieces % (PART >> 7) === 0) application.nextRecord()
        yield
        data.assertOpen()
      }
    } catch (cause) {
      yield* this.#takeBackInPieces(application, cause)
      throw cause
    }
    application.nextRecord()
    data.endPieces()
  }

  *#takeBackInPieces(application: Application, cause: unknown): Generator<void, void> {
    const data = this.#data
    data.assertOpen()
    const pieces = inPieces(takingBack(application))
    for (let done = false; !done; ) {
      this.#closeOnFailure(cause, () => {
        done = pieces.next().done === true
      })
      if (done) break
      yield
      data.assertOpen()
    }
    application.nextRecord()
    data.endPieces()
  }

  /** Half of the commit is in the graph when it cannot be taken back. */
  #closeOnFailure(cause: unknown, takeBack: () => void): void {
    try {
      takeBack()
    } catch (second) {
      this.#data.fail(`a commit failed (${String(cause)}) and could not be taken back (${String(second)})`)
      throw cause
    }
  }
}

/** The words of V8 when the operating system gives it no memory for a typed array. */
const NO_MEMORY = /allocation failed|invalid typed array length/i

/** The error of a commit that was not made: the cause itself where it says what to do. */
const failureOf = ({ options: { name } }: GraphData, cause: unknown): Error => {
  if (cause instanceof TaggedError) return cause
  if (cause instanceof RangeError && NO_MEMORY.test(cause.message)) {
    return new StorageFull(
      `The graph ${name} cannot grow: the system has no more memory for it (${cause.message}); nothing was written. Remove ` +
        "data, or give the server more memory.",
      { cause }
    )
  }
  return new Error(`The commit to the graph ${name} failed, and nothing of it was written: ${String(cause)}`, { cause })
}

const added = (own: OwnElements | null): number => own?.labels.length ?? 0

const changesOf = (own: OwnElements | null): number =>
  own === null ? 0 : own.labels.length + own.removed.size + own.changedRefs.length
