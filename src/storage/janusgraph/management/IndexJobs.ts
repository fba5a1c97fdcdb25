import { setTimeout as sleep } from "node:timers/promises"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { GraphCore } from "../GraphCore.ts"
import { isWritten } from "../schema/Schema.ts"
import { buildDocuments, isLost } from "./DocumentBuild.ts"
import { buildIndex, buildRelationIndex, type Progress } from "./IndexBuild.ts"
import { removeIndexEntries } from "./IndexRemoval.ts"
import { IndexRemovals } from "./IndexRemovals.ts"
import { fieldCountOf, indexOf, isGone, nameOf, statusOf, wasDropped } from "./IndexStatus.ts"
import { untilDone } from "./PatientWork.ts"
import { applyStatus, changeSchema } from "./SchemaChange.ts"
import { FailedElsewhere, takeWork } from "./SharedWork.ts"
import { moveStatus, wasChanged } from "./StatusChange.ts"

/** Callbacks for the builds of indexes. `index` is the name of the index. */
export interface IndexEvents {
  /** A build begins. `again`: it continues one that a previous process did not finish. */
  readonly begun?: (index: string, again: boolean) => void
  /** `status`: what the index has after the failure; undefined when it was removed. */
  readonly failed?: (index: string, error: unknown, status: SchemaStatus | undefined) => void
  /** A commit or a read of a long job is repeated, because of this error. */
  readonly repeating?: (error: unknown) => void
  /** `vertices`: the number of vertices that were processed so far. */
  readonly building: (index: string, vertices: number) => void
  /** A commit has made a field of an index in the store of the graph with parameters that have no effect there. */
  readonly ignored?: (index: string, key: string, parameters: ReadonlyArray<string>) => void
  /** The index is complete and can be queried. */
  readonly enabled: (index: string) => void
}

/** Callbacks that do nothing. */
export const noEvents: IndexEvents = { building: () => undefined, enabled: () => undefined }

/** A build in progress. */
interface Building {
  readonly name: string
  reason: Reason
  /** True while another process of the server may build the index: this one continues the build if that process ends. */
  follows: boolean
  /** The index was REGISTERED when the build was asked for: another process may build it. */
  wasRegistered: boolean
  done: Promise<void>
  vertices: number
}

/** Why an index is built: it is new, another process did not finish its build, or a client asks to build it again from the start. */
type Reason = "new" | "again" | "rebuild"

/** Time in which the process that has defined an index begins to build it, before others may do so, ms. */
const FIRST_MS = 500

/** Builds and removes the indexes of a graph over cells, in many commits, between which other commits run. */
export class IndexJobs {
  readonly #core: GraphCore
  readonly #events: IndexEvents
  /** The builds of this process, by the id of the index. */
  readonly #building = new Map<number, Building>()
  /** The errors of the last builds, by the id of the index. */
  readonly #failures = new Map<number, unknown>()
  /** The ids of the indexes whose last build failed, by their names: the schema no longer has an index that was removed. */
  readonly #failedIds = new Map<string, number>()
  readonly #removals: IndexRemovals

  /** The end of the last build. */
  #last: Promise<void> = Promise.resolve()

  constructor(core: GraphCore, events: IndexEvents) {
    this.#core = core
    this.#events = events
    this.#removals = new IndexRemovals(core)
  }

  /** Builds an index if it is REGISTERED. */
  buildRegistered(id: number): void {
    if (statusOf(this.#core.schema, id) === "REGISTERED") this.#build(id, "new")
  }

  /** Waits until the index of this name is built, if a build is in progress. Fails with the error of the build. */
  async built(name: string): Promise<void> {
    for (const building of this.#building.values()) if (building.name === name) await building.done
  }

  /** The builds of this process, with the number of vertices that were processed so far. */
  get building(): ReadonlyArray<{ readonly name: string; readonly vertices: number }> {
    return [...this.#building.values()].filter(({ follows }) => !follows)
  }

  /** The error of the last build of an index, by its id or its name; undefined when it did not fail. */
  failure(index: number | string): unknown {
    const id = typeof index === "number" ? index : this.#failedIds.get(index)
    if (id === undefined) return undefined
    const error = this.#failures.get(id)
    // When another process builds the index again, the store no longer has the failure.
    if (!(error instanceof FailedElsewhere) || this.#core.cells.work?.failure(workOf(id)) !== undefined) return error
    this.#failures.delete(id)
    this.follow()
    return undefined
  }

  /**
   * Builds an index and enables it. An index that cannot contain the stored values is removed. After any other failure
   * the index keeps its status, and an incomplete one is built when the graph is opened again.
   */
  #build(id: number, reason: Reason, follows = false): void {
    const begun = this.#building.get(id)
    const wasRegistered = statusOf(this.#core.schema, id) === "REGISTERED"
    if (begun?.follows) Object.assign(begun, { reason, follows, wasRegistered })
    if (begun !== undefined) return
    const name = nameOf(this.#core.schema, id)
    if (name === undefined || this.#isOfProperties(id)) return
    this.#failures.delete(id)
    this.#failedIds.delete(name)
    const building: Building = { name, reason, follows, wasRegistered, vertices: 0, done: Promise.resolve() }
    const progress: Progress = (vertices) => {
      building.vertices = vertices
      this.#events.building(name, vertices)
    }
    // One build at a time: several would only delay requests longer.
    const run = this.#last.then(() => this.#runAlone(id, building, progress))
    building.done = run.finally(() => this.#building.delete(id))
    this.#last = run.catch(() => undefined)
    building.done.catch((error: unknown) => {
      this.#failures.set(id, error)
      this.#failedIds.set(name, id)
      const isEnd = error instanceof FailedElsewhere || this.#core.fault?.isClosed
      if (!isEnd) this.#events.failed?.(name, error, statusOf(this.#core.schema, id))
    })
    this.#building.set(id, building)
  }

  /** Builds an index in one process at a time. When another process has built the index meanwhile, nothing is left to do. */
  async #runAlone(id: number, building: Building, progress: Progress): Promise<void> {
    const { name } = building
    if (building.follows) await sleep(FIRST_MS)
    const taken = await takeWork(this.#core, workOf(id), () => building.follows)
    if (taken === undefined) return
    let failure: string | undefined
    try {
      const { follows, reason } = building
      const status = statusOf(this.#core.schema, id)
      if (follows && status !== "REGISTERED") return
      if (status === undefined || isGone(status)) throw wasDropped()
      // Another process has built it since.
      if (status === "ENABLED" && (taken.hasWaited || building.wasRegistered)) return
      if (reason !== "rebuild" && status !== "REGISTERED") return
      building.follows = false
      this.#events.begun?.(name, reason === "again" || taken.hasWaited)
      // A status is set again before entries are removed or built: other instances may not have acknowledged it yet.
      if (!isWritten(status) && !this.#isInEngine(id)) {
        await this.#move(id, status, status)
        // Changes that were made while the index was not written have left stale entries.
        await removeIndexEntries(this.#core, id)
      }
      // No search may use an index of an engine that is made anew before it has all documents.
      const hasLost = await isLost(this.#core, id)
      const isKnown = status === "ENABLED" || (status === "REGISTERED" && reason !== "rebuild")
      if (!isKnown || hasLost) await this.#move(id, status, "REGISTERED", hasLost ? [status, "ENABLED"] : [status])
      await this.#run(id, name, progress).catch(async (error: unknown) => {
        const isForbidden = error instanceof UnsupportedValue && !this.#isInEngine(id)
        const mayRemove = isForbidden && !isGone(statusOf(this.#core.schema, id))
        if (mayRemove) await this.#giveUp(id, reason === "rebuild" ? status : undefined)
        throw error
      })
    } catch (error) {
      failure = reasonOf(error)
      throw error
    } finally {
      taken.release(failure)
    }
  }

  async #run(id: number, name: string, progress: Progress): Promise<void> {
    for (;;) {
      const fields = fieldCountOf(this.#core.schema, id)
      if (this.#isInEngine(id)) await buildDocuments(this.#core, id, progress)
      else if (indexOf(this.#core.schema, id) !== undefined) await buildIndex(this.#core, id, progress)
      else await buildRelationIndex(this.#core, id, progress)
      const status = await this.#finish(id, fields)
      if (status === "ENABLED") this.#events.enabled(name)
      if (status !== "REGISTERED") return
    }
  }

  /**
   * Ends the build of an index that the values of the graph do not allow: gives it back the status `before`, or removes it when that is
   * undefined.
   */
  async #giveUp(id: number, before: SchemaStatus | undefined): Promise<void> {
    if (before === undefined) await this.remove(id, "REGISTERED")
    // A status that somebody has set since stays.
    else await moveStatus(this.#core, id, "REGISTERED", before)
  }

  /**
   * Enables an index that was built with `fields` fields. An index that was disabled since keeps its status; one that
   * got another key since stays REGISTERED. Returns the status. Throws UnsupportedValue when the index was dropped.
   */
  async #finish(id: number, fields: number): Promise<SchemaStatus> {
    const relation = this.#core.ids.relation()
    let status: SchemaStatus | undefined
    await untilDone(this.#core, (attempt) =>
      changeSchema(this.#core, (batch, schema) => {
        status = statusOf(schema, id)
        // A commit without an answer may have enabled the index, but it has told no other instance.
        const isBuilt = status === "REGISTERED" || (attempt > 0 && status === "ENABLED")
        if (!isBuilt || fieldCountOf(schema, id) !== fields) return
        status = "ENABLED"
        applyStatus(batch, id, status, relation)
      })
    )
    if (isGone(status)) throw wasDropped()
    return status!
  }

  /** Changes the status of an index in a build. Throws UnsupportedValue when it no longer has the status `from`. */
  async #move(id: number, from: SchemaStatus, to: SchemaStatus, fields?: ReadonlyArray<SchemaStatus>): Promise<void> {
    if (!(await moveStatus(this.#core, id, from, to, fields))) throw wasChanged(this.#core, id)
  }

  /** The end of the build of an index by this process; undefined when there is none. */
  done(id: number): Promise<void> | undefined {
    return this.#building.get(id)?.done
  }

  /**
   * Builds an index again from the start, and enables it. Returns the number of vertices. Throws UnsupportedValue when it was dropped, and
   * for an index on vertex properties.
   */
  async rebuild(id: number): Promise<number> {
    if (isGone(statusOf(this.#core.schema, id))) throw wasDropped()
    if (this.#isOfProperties(id)) {
      throw new UnsupportedValue(
        `The index ${nameOf(this.#core.schema, id)} is on vertex properties: only JanusGraph can build it.`
      )
    }
    // A build during which the index was disabled has missed changes. Wait for its end.
    if (!this.#isWritten(id)) await this.done(id)?.catch(() => undefined)
    this.#build(id, "rebuild")
    const building = this.#building.get(id)
    await building?.done
    return building?.vertices ?? 0
  }

  /** True for an index on vertex properties, which only JanusGraph builds. */
  #isOfProperties(id: number): boolean {
    return indexOf(this.#core.schema, id)?.element === "property"
  }

  #isInEngine(id: number): boolean {
    return indexOf(this.#core.schema, id)?.engineStatus !== undefined
  }

  #isWritten(id: number): boolean {
    const status = statusOf(this.#core.schema, id)
    return status !== undefined && isWritten(status)
  }

  /**
   * Restarts builds and removals that a previous process did not finish. Where JanusGraph writes the same tables,
   * indexes that it has registered or discarded are left to it (SchemaAction.REINDEX).
   */
  resume(): void {
    const { resumesJobs, schema } = this.#core
    if (!resumesJobs) return
    for (const id of [
      ...schema.indexes.map((index) => index.id),
      ...schema.relationIndexes.map(({ type }) => type.id)
    ]) {
      const status = statusOf(schema, id)
      if (status === "REGISTERED") this.#build(id, "again")
      if (status === "DISCARDED") this.remove(id).catch(() => undefined)
    }
  }

  /** Another process may have begun to build indexes: this one continues their builds if that process ends. */
  follow(): void {
    const { cells, options, schema } = this.#core
    if (cells.work === undefined || options.readOnly) return
    const ids = [...schema.indexes.map(({ id }) => id), ...schema.relationIndexes.map(({ type }) => type.id)]
    for (const id of ids) {
      if (statusOf(schema, id) === "REGISTERED" && this.failure(id) === undefined) this.#build(id, "again", true)
    }
  }

  /** See {@link IndexRemovals.discard}. */
  discard(id: number): Promise<void> {
    return this.#removals.discard(id)
  }

  /** Removes an index and its entries. `only`: the status without which the index stays. */
  remove(id: number, only?: SchemaStatus): Promise<void> {
    return this.#removals.remove(id, only)
  }
}

/** The name of the build of an index among the work of a server. */
const workOf = (id: number): string => `index-${id}`
