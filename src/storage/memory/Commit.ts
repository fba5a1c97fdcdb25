import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { StorageFull } from "../../structure/errors/StoreErrors.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import { Application, type TransactionViews } from "./Application.ts"
import type { LinedCommit } from "./CommitLine.ts"
import { conflictTask, removedChecks } from "./Conflicts.ts"
import type { GraphData } from "./GraphData.ts"
import type { OwnElements } from "./Overlay.ts"
import { rollbackTask } from "./Rollback.ts"
import { CommitRecord } from "./Snapshots.ts"

/** A commit with more changes than this is applied in slices. This number of changes takes a few milliseconds. */
const LONG_COMMIT_CHANGES = 4096
/** A commit that looks up more former properties of the elements that it removes is applied in slices. */
const LONG_COMMIT_CHECKS = 65_536

/**
 * Applies what a transaction changed: at once, or as a task during which readers see the state before it. The commit is
 * applied whole or not at all: it throws TransactionConflict if {@link conflictTask} finds a conflict, and is rolled back
 * if anything fails later. The transaction's own snapshot must have been released: states that only it needs are not kept.
 */
export class Commit implements LinedCommit {
  readonly #data: GraphData
  readonly #changes: TransactionViews
  readonly #begin: () => void
  readonly #end: () => void

  /** `begin` is called before the first check, and may throw; `end` after the commit or its failure. */
  constructor(data: GraphData, changes: TransactionViews, begin: () => void, end: () => void) {
    this.#data = data
    this.#changes = changes
    this.#begin = begin
    this.#end = end
  }

  get isLong(): boolean {
    const [vertices, edges] = [this.#changes.vertices.own, this.#changes.edges.own]
    return (
      changesOf(vertices) + changesOf(edges) > LONG_COMMIT_CHANGES ||
      removedChecks(this.#changes.vertices) + removedChecks(this.#changes.edges) > LONG_COMMIT_CHECKS ||
      this.#data.growsMuch(added(vertices), added(edges))
    )
  }

  run(): void {
    const data = this.#data
    const { edges, vertices } = this.#changes
    const slice = new TimeSlice()
    try {
      this.#begin()
      runWhole(conflictTask(data, this.#changes, slice))
      data.reserve(added(vertices.own), added(edges.own))
      const version = data.clock.version + 1
      // Slots must be released in the order in which their elements were removed: while the log is not empty, it releases them.
      const record = data.snapshots.any || data.snapshots.logged > 0 ? new CommitRecord(version) : undefined
      this.#apply(new Application(data, version, this.#changes, record, false), slice)
    } catch (cause) {
      throw failureOf(data, cause)
    } finally {
      this.#end()
    }
  }

  #apply(application: Application, slice: TimeSlice): void {
    const data = this.#data
    try {
      runWhole(application.task(slice))
    } catch (cause) {
      runWhole(this.#rollback(application, cause, slice))
      application.nextRecord()
      data.setVersion(application.version)
      throw cause
    }
    application.nextRecord()
    data.setVersion(application.version)
    application.release()
  }

  *task(slice: TimeSlice): Task {
    const data = this.#data
    data.pin()
    try {
      this.#begin()
      yield* this.#whileOpen(this.#checkAndApply(slice))
    } catch (cause) {
      throw failureOf(data, cause)
    } finally {
      data.unpin()
      this.#end()
    }
  }

  /** Runs a task as long as the graph is open. */
  *#whileOpen(task: Task): Task {
    while (task.next().done !== true) {
      yield
      this.#data.assertOpen()
    }
  }

  *#checkAndApply(slice: TimeSlice): Task {
    const data = this.#data
    const { edges, vertices } = this.#changes
    yield* conflictTask(data, this.#changes, slice)
    yield* data.growTask(added(vertices.own), added(edges.own), slice)
    const version = data.beginLongCommit()
    const application = new Application(data, version, this.#changes, new CommitRecord(version), true)
    try {
      yield* application.task(slice)
    } catch (cause) {
      yield* this.#rollback(application, cause, slice)
      application.nextRecord()
      data.endLongCommit()
      throw cause
    }
    application.nextRecord()
    data.endLongCommit()
  }

  /** If the rollback fails too, the graph contains a part of the commit: the graph closes, and `cause` is thrown. */
  *#rollback(application: Application, cause: unknown, slice: TimeSlice): Task {
    try {
      yield* rollbackTask(application, slice)
    } catch (second) {
      this.#data.fail(`a commit failed (${String(cause)}) and could not be rolled back (${String(second)})`)
      throw cause
    }
  }
}

/** What V8 says when the operating system gives it no memory for a typed array. */
const NO_MEMORY = /allocation failed|invalid typed array length/i

/** The error of a commit that was not made: the cause itself if it says what to do. */
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
