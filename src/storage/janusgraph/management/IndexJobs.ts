import { UnsupportedValue } from "../../../structure/StoreErrors.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { GraphCore } from "../GraphCore.ts"
import { isWritten } from "../schema/Schema.ts"
import { readWhole } from "../schema/SchemaRead.ts"
import { buildIndex, buildRelationIndex, type Progress } from "./IndexBuild.ts"
import { removeIndexEntries } from "./IndexRemoval.ts"
import { fieldCountOf, indexOf, isGone, nameOf, statusOf } from "./IndexStatus.ts"
import { applyStatus, changeSchema } from "./SchemaChange.ts"
import { removeSchemaVertex } from "./SchemaEdits.ts"

/** Callbacks for the builds of indexes. `index` is the name of the index. */
export interface IndexEvents {
  /** A build begins. `again`: it continues one that a previous process did not finish. */
  readonly begun?: (index: string, again: boolean) => void
  readonly failed?: (index: string, error: unknown) => void
  /** `vertices`: the number of vertices that were processed so far. */
  readonly building: (index: string, vertices: number) => void
  /** The index is complete and can be queried. */
  readonly enabled: (index: string) => void
}

/** Callbacks that do nothing. */
export const noEvents: IndexEvents = { building: () => undefined, enabled: () => undefined }

/** A build in progress. */
interface Building {
  readonly name: string
  done: Promise<void>
  vertices: number
}

/** Builds and removes the indexes of a graph over cells, in many commits, between which other commits run. */
export class IndexJobs {
  readonly #core: GraphCore
  readonly #events: IndexEvents
  /** The builds of this process, by the id of the index. */
  readonly #building = new Map<number, Building>()

  /** The errors of the last builds, by the id and by the name of the index. */
  readonly #failures = new Map<number | string, unknown>()
  /** The removals in progress, by the id of the index. */
  readonly #removing = new Map<number, Promise<void>>()

  /** The end of the last build. */
  #last: Promise<void> = Promise.resolve()

  constructor(core: GraphCore, events: IndexEvents) {
    this.#core = core
    this.#events = events
  }

  /** Builds an index if it is REGISTERED. */
  buildRegistered(id: number): void {
    if (statusOf(this.#core.schema, id) === "REGISTERED") this.#build(id)
  }

  /** Waits until the index of this name is built, if a build is in progress. Fails with the error of the build. */
  async built(name: string): Promise<void> {
    for (const building of this.#building.values()) if (building.name === name) await building.done
  }

  /** The builds of this process, with the number of vertices that were processed so far. */
  get building(): ReadonlyArray<{ readonly name: string; readonly vertices: number }> {
    return [...this.#building.values()]
  }

  /** The error of the last build of an index, by its id or its name; undefined when it did not fail. */
  failure(index: number | string): unknown {
    return this.#failures.get(index)
  }

  /**
   * Builds an index and enables it. An index that cannot contain the stored values is removed. After any other failure
   * the index keeps its status, and an incomplete one is built when the graph is opened again.
   */
  #build(id: number, again = false): void {
    if (this.#building.has(id)) return
    const name = nameOf(this.#core.schema, id)
    if (name === undefined) return
    this.#events.begun?.(name, again)
    for (const each of [id, name]) this.#failures.delete(each)
    const building: Building = { name, vertices: 0, done: Promise.resolve() }
    const progress: Progress = (vertices) => {
      building.vertices = vertices
      this.#events.building(name, vertices)
    }
    // One build at a time: several would only delay requests longer.
    const run = this.#last.then(() => this.#run(id, name, progress))
    building.done = run.finally(() => this.#building.delete(id))
    this.#last = run.catch(() => undefined)
    building.done.catch((error: unknown) => {
      for (const each of [id, name]) this.#failures.set(each, error)
      this.#events.failed?.(name, error)
    })
    this.#building.set(id, building)
  }

  async #run(id: number, name: string, progress: Progress): Promise<void> {
    for (;;) {
      const fields = fieldCountOf(this.#core.schema, id)
      try {
        if (indexOf(this.#core.schema, id) !== undefined) await buildIndex(this.#core, id, progress)
        else await buildRelationIndex(this.#core, id, progress)
      } catch (error) {
        if (error instanceof UnsupportedValue) await this.remove(id, "REGISTERED")
        throw error
      }
      const status = await this.#finish(id, fields)
      if (status === "ENABLED") this.#events.enabled(name)
      if (status !== "REGISTERED") return
    }
  }

  /**
   * Enables an index that was built with `fields` fields. An index that was disabled since keeps its status; one that
   * got another key since stays REGISTERED. Returns the status. Throws UnsupportedValue when the index was dropped.
   */
  async #finish(id: number, fields: number): Promise<SchemaStatus> {
    const relation = this.#core.ids.relation()
    let status: SchemaStatus | undefined
    await changeSchema(this.#core, (batch, schema) => {
      status = statusOf(schema, id)
      if (status !== "REGISTERED" || fieldCountOf(schema, id) !== fields) return
      status = "ENABLED"
      applyStatus(batch, id, status, relation)
    })
    if (isGone(status)) throw wasDropped()
    return status!
  }

  /** Changes the status of an index. Throws UnsupportedValue when it was dropped. */
  async setStatus(id: number, status: SchemaStatus): Promise<void> {
    const relation = this.#core.ids.relation()
    await changeSchema(this.#core, (batch, schema) => {
      if (isGone(statusOf(schema, id))) throw wasDropped()
      applyStatus(batch, id, status, relation)
    })
  }

  /** The end of the build of an index by this process; undefined when there is none. */
  done(id: number): Promise<void> | undefined {
    return this.#building.get(id)?.done
  }

  /** Builds an index again from the start, and enables it. Returns the number of vertices. Throws UnsupportedValue when it was dropped. */
  async rebuild(id: number): Promise<number> {
    if (isGone(statusOf(this.#core.schema, id))) throw wasDropped()
    if (!this.#isWritten(id)) {
      // A build during which the index was disabled has missed changes. Wait for its end.
      await this.done(id)?.catch(() => undefined)
    }
    if (!this.#isWritten(id)) {
      // Changes that were made while the index was not written have left stale entries.
      await removeIndexEntries(this.#core, id)
      await this.setStatus(id, "REGISTERED")
    }
    this.#build(id)
    const building = this.#building.get(id)
    await building?.done
    return building?.vertices ?? 0
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
    const { keepsCounts, options, schema } = this.#core
    if (options.readOnly) return
    const relationIndexes = schema.relationIndexes.map(({ status, type }) => ({ id: type.id, status }))
    for (const { id, status } of [...schema.indexes, ...relationIndexes]) {
      if (!keepsCounts) continue
      if (status === "REGISTERED") this.#build(id, true)
      if (status === "DISCARDED") this.remove(id).catch(() => undefined)
    }
  }

  /** Removes an index and its entries. `only`: the status without which the index stays. */
  remove(id: number, only?: SchemaStatus): Promise<void> {
    const known = this.#removing.get(id)
    if (known !== undefined) return known
    const done = this.#removeNow(id, only).finally(() => this.#removing.delete(id))
    this.#removing.set(id, done)
    return done
  }

  /**
   * Disables the index, then removes its entries, then its definition. The next start completes an interrupted removal.
   */
  async #removeNow(id: number, only: SchemaStatus | undefined): Promise<void> {
    const relation = this.#core.ids.relation()
    let isLeft = true
    await changeSchema(this.#core, (batch, schema) => {
      const status = statusOf(schema, id)
      isLeft = status === undefined || (only !== undefined && status !== only)
      if (isLeft) return
      applyStatus(batch, id, "DISCARDED", relation)
    })
    if (isLeft) return
    await removeIndexEntries(this.#core, id)
    await changeSchema(this.#core, (batch, schema) => {
      if (statusOf(schema, id) !== "DISCARDED") return
      const changes = new RowChanges()
      const read = readWhole((query) => batch.slice(query))
      removeSchemaVertex(changes, id, read)
      changes.apply(batch)
      batch.advanceSchema()
    })
  }
}

const wasDropped = (): UnsupportedValue =>
  new UnsupportedValue("The index was dropped by another management transaction. Open the management again.")
