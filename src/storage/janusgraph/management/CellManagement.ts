import type { GraphManagement, IndexCallOptions, NewIndexOptions } from "../../../structure/GraphStore.ts"
import { UnsupportedValue } from "../../../structure/StoreErrors.ts"
import { checkKey } from "../../shared/PropertyWrites.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import { objectType } from "../format/Attributes.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { GraphCore } from "../GraphCore.ts"
import { isWritten, type Schema } from "../schema/Schema.ts"
import { readWhole } from "../schema/SchemaRead.ts"
import { buildIndex, buildRelationIndex, type Progress } from "./IndexBuild.ts"
import { removeIndexEntries } from "./IndexRemoval.ts"
import { fieldCountOf, indexOf, isGone, nameOf, statusOf } from "./IndexStatus.ts"
import { applyStatus, changeSchema, commitEdits, refreshSchema } from "./SchemaChange.ts"
import { SchemaEditor } from "./SchemaEditor.ts"
import { removeSchemaVertex, type SchemaEdit } from "./SchemaEdits.ts"

/** What is to be told about an index that is being built. */
export interface IndexEvents {
  readonly begun?: (index: string, again: boolean) => void
  readonly failed?: (index: string, error: unknown) => void
  readonly building: (index: string, vertices: number) => void
  readonly enabled: (index: string) => void
}

export const noEvents: IndexEvents = { building: () => undefined, enabled: () => undefined }

/** Schema ids that an editor can give out, at least: a block of them. */
const SCHEMA_IDS = 50

/** The schema of a graph over cells: its types and indexes are made, changed and dropped here. */
export class CellManagement implements GraphManagement {
  readonly #core: GraphCore
  readonly #events: IndexEvents
  /** Indexes that this process builds, by their ids. */
  readonly #building = new Map<number, { readonly done: Promise<void>; vertices: number; readonly name: string }>()

  /** What the last building of an index failed with, by its id and by its name. */
  readonly #failures = new Map<number | string, unknown>()
  /** Indexes that are being taken away, by their ids. */
  readonly #removing = new Map<number, Promise<void>>()

  #last: Promise<void> = Promise.resolve()

  constructor(core: GraphCore, events: IndexEvents = noEvents) {
    this.#core = core
    this.#events = events
  }

  /** Begins a change of the newest schema; {@link commit} makes it. */
  async edit(): Promise<SchemaEditor> {
    this.#core.assertWritable()
    await refreshSchema(this.#core)
    await this.#core.ids.ensure("schema", SCHEMA_IDS)
    return new SchemaEditor(this.#core.schema, this.#core.ids)
  }

  /** The newest schema. */
  async schema(): Promise<Schema> {
    this.#core.assertOpen()
    await refreshSchema(this.#core)
    return this.#core.schema
  }

  /**
   * Makes all edits in one commit. Indexes of types that the same edits make can be used at once, others are built in
   * the background. Fails with UnsupportedValue when another edit was faster with the same name.
   */
  async commit(editor: SchemaEditor): Promise<void> {
    const { edits } = editor
    await commitEdits(this.#core, edits)
    for (const edit of edits) {
      if (edit.kind === "index" || edit.kind === "relationIndex") this.#buildRegistered(idOf(edit))
      if (edit.kind === "indexKey") this.#buildRegistered(edit.index.id)
    }
  }

  #buildRegistered(id: number): void {
    if (statusOf(this.#core.schema, id) === "REGISTERED") this.#build(id)
  }

  /**
   * An index on one key, by equality; a key that is not there is made for values of any type. One that is there and
   * cannot be asked, because it was disabled or its building failed, is built.
   */
  async createIndex(key: string, element: "vertex" | "edge", options: NewIndexOptions = {}): Promise<void> {
    checkKey(key)
    const name = indexName(key, element)
    await refreshSchema(this.#core)
    const there = this.#core.schema.indexes.find((index) => index.name === name)
    // What makes an index of one that is there takes several commits, and is not ended between them.
    if (there !== undefined) options.goesOn?.()
    if (there?.status === "DISCARDED") await this.#remove(there.id)
    else if (there !== undefined) {
      await this.enable(there.id)
      return
    }
    const editor = await this.edit()
    const keys = [editor.key(key) ?? editor.makeKey(key, objectType, "SINGLE")]
    editor.makeIndex({ name, element, kind: "equality", unique: options.unique ?? false, keys })
    await this.commit(editor)
    if (there === undefined) options.goesOn?.()
    await this.built(name)
  }

  /** Waits until an index of this name, if there is one, is built. Fails with what the building failed with. */
  async built(name: string): Promise<void> {
    for (const building of this.#building.values()) if (building.name === name) await building.done
  }

  /** Indexes that this process is building, with the vertices that were looked at. */
  get building(): ReadonlyArray<{ readonly name: string; readonly vertices: number }> {
    return [...this.#building.values()]
  }

  /** What the last building of an index failed with, by its id or its name; undefined when it did not. */
  failure(index: number | string): unknown {
    return this.#failures.get(index)
  }

  /**
   * Builds an index, then lets it be asked. A new one that cannot hold what is there is taken away again; after any
   * other failure an index stays as it is, and one that was not complete is built when the graph is opened again.
   */
  #build(id: number, again = false): void {
    if (this.#building.has(id)) return
    const name = nameOf(this.#core.schema, id)
    if (name === undefined) return
    this.#events.begun?.(name, again)
    for (const each of [id, name]) this.#failures.delete(each)
    const building = { name, vertices: 0, done: Promise.resolve() }
    const progress: Progress = (vertices) => {
      building.vertices = vertices
      this.#events.building(name, vertices)
    }
    // One at a time: several would only hold up requests longer.
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
        if (error instanceof UnsupportedValue) await this.#remove(id, "REGISTERED")
        throw error
      }
      const status = await this.#finish(id, fields)
      if (status === "ENABLED") this.#events.enabled(name)
      if (status !== "REGISTERED") return
    }
  }

  /**
   * Lets an index be asked that was built with so many fields. One that was disabled or dropped meanwhile is left so;
   * one that got a key meanwhile stays REGISTERED. Returns its status; throws UnsupportedValue when it is gone.
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

  /** Changes what an index is used for. Throws UnsupportedValue when it is gone. */
  async setStatus(id: number, status: SchemaStatus): Promise<void> {
    const relation = this.#core.ids.relation()
    await changeSchema(this.#core, (batch, schema) => {
      if (isGone(statusOf(schema, id))) throw wasDropped()
      applyStatus(batch, id, status, relation)
    })
  }

  /** The end of the building of an index by this process; undefined when it builds none. */
  done(id: number): Promise<void> | undefined {
    return this.#building.get(id)?.done
  }

  /** Builds an index again, from the begin; it is ENABLED then. Throws UnsupportedValue when it is gone. */
  async rebuild(id: number): Promise<void> {
    if (isGone(statusOf(this.#core.schema, id))) throw wasDropped()
    if (!this.#isWritten(id)) {
      // What it was disabled in the midst of has missed changes.
      await this.done(id)?.catch(() => undefined)
    }
    if (!this.#isWritten(id)) {
      // What changed while the index was not written left entries behind.
      await removeIndexEntries(this.#core, id)
      await this.setStatus(id, "REGISTERED")
    }
    this.#build(id)
    await this.done(id)
  }

  #isWritten(id: number): boolean {
    const status = statusOf(this.#core.schema, id)
    return status !== undefined && isWritten(status)
  }

  /**
   * Lets an index be asked: one that is being built when it is complete, one that was not written after building it.
   */
  async enable(id: number): Promise<void> {
    if (statusOf(this.#core.schema, id) !== "ENABLED") await this.rebuild(id)
  }

  /**
   * Goes on with indexes whose building ended with the process, from the begin, and with those that were being taken
   * away. Where others write the same rows, what they registered or discarded is their own: somebody builds it there
   * (SchemaAction.REINDEX).
   */
  resume(): void {
    const { keepsCounts, options, schema } = this.#core
    if (options.readOnly) return
    const relationIndexes = schema.relationIndexes.map(({ status, type }) => ({ id: type.id, status }))
    for (const { id, status } of [...schema.indexes, ...relationIndexes]) {
      if (!keepsCounts) continue
      if (status === "REGISTERED") this.#build(id, true)
      if (status === "DISCARDED") this.#remove(id).catch(() => undefined)
    }
  }

  async dropIndex(key: string, element: "vertex" | "edge", options: IndexCallOptions = {}): Promise<void> {
    await refreshSchema(this.#core)
    const name = indexName(key, element)
    const index = this.#core.schema.indexes.find((each) => each.name === name)
    if (index === undefined) return
    options.goesOn?.()
    await this.#remove(index.id)
  }

  /** Takes an index and its entries away. */
  async drop(id: number): Promise<void> {
    await this.#remove(id)
  }

  /** `only` = leave it when it has another status. */
  #remove(id: number, only?: SchemaStatus): Promise<void> {
    const known = this.#removing.get(id)
    if (known !== undefined) return known
    const done = this.#removeNow(id, only).finally(() => this.#removing.delete(id))
    this.#removing.set(id, done)
    return done
  }

  /**
   * Out of use first, then its entries, then its definition: what a killed process leaves is taken away at the next
   * start.
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

  /** Keys whose index is there and can be asked. */
  indexedKeys(element: "vertex" | "edge"): readonly string[] {
    return this.#core.schema.indexes
      .filter((index) => index.element === element && index.status === "ENABLED" && index.fields.length === 1)
      .map(({ fields }) => fields[0]!.name)
  }
}

/** The name of an index that was made for a key without giving it one. */
const indexName = (key: string, element: "vertex" | "edge"): string => `${element}:${key}`

const idOf = (edit: Extract<SchemaEdit, { kind: "index" | "relationIndex" }>): number =>
  edit.kind === "index" ? edit.id : edit.index.type.id

const wasDropped = (): UnsupportedValue => new UnsupportedValue("The index was dropped meanwhile.")
