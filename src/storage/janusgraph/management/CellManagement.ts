import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { GraphManagement, IndexCallOptions, NewIndexOptions } from "../../../structure/graph/GraphStore.ts"
import { checkKey } from "../../shared/PropertyWrites.ts"
import { objectType } from "../format/Attributes.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { GraphCore } from "../GraphCore.ts"
import type { Schema } from "../schema/Schema.ts"
import { isLost } from "./DocumentBuild.ts"
import { addedDocuments } from "./IndexDefinition.ts"
import { type IndexEvents, IndexJobs, noEvents } from "./IndexJobs.ts"
import { statusOf } from "./IndexStatus.ts"
import { commitEdits, refreshSchema } from "./SchemaChange.ts"
import { SchemaEditor } from "./SchemaEditor.ts"
import type { SchemaEdit } from "./SchemaEdits.ts"
import { setStatus } from "./StatusChange.ts"
import { unusedParameters } from "./UnusedParameters.ts"

/** The number of schema ids that are available to a new editor: one block. {@link SchemaEditor.withIds} waits for more. */
const EDITOR_IDS = 50

/** Creates, changes and drops the types and indexes of a graph over cells. */
export class CellManagement implements GraphManagement {
  readonly #core: GraphCore
  readonly #jobs: IndexJobs
  readonly #events: IndexEvents

  constructor(core: GraphCore, events: IndexEvents = noEvents) {
    this.#core = core
    this.#events = events
    this.#jobs = new IndexJobs(core, events)
    core.onRepetition = events.repeating
    // Later: a change of this process begins its builds first.
    core.onNewSchema = () => void setImmediate(() => this.#jobs.follow())
  }

  /** Returns an editor of the newest schema; {@link commit} applies its edits. */
  async edit(): Promise<SchemaEditor> {
    this.#core.assertWritable()
    await refreshSchema(this.#core)
    await this.#core.ids.ensure("schema", EDITOR_IDS)
    const { cells, documents, ids, schema } = this.#core
    return new SchemaEditor(schema, ids, cells.cellsExpire, (backing) => documents?.hasEngine(backing) ?? false)
  }

  /** The newest schema. */
  async schema(): Promise<Schema> {
    this.#core.assertOpen()
    await refreshSchema(this.#core)
    return this.#core.schema
  }

  /**
   * Applies all edits in one commit. Indexes of types that the same edits create can be queried at once; others are
   * built in the background. Fails with UnsupportedValue when another edit has used the same name since, and with
   * EngineUnavailable when a search engine does not take a new index.
   */
  async commit(editor: SchemaEditor): Promise<void> {
    const { edits } = editor
    for (const edit of edits) await registerInEngine(this.#core, edit)
    await commitEdits(this.#core, edits)
    for (const edit of edits) {
      if (edit.kind === "index" || edit.kind === "relationIndex") this.#jobs.buildRegistered(idOf(edit))
      if (edit.kind === "indexKey") this.#jobs.buildRegistered(edit.index.id)
      for (const { index, key, parameters } of unusedParameters(edit)) this.#events.ignored?.(index, key, parameters)
    }
  }

  /**
   * Creates a composite index on one key and waits until it is built. A missing key is created for values of any type.
   * An existing index that cannot be queried, because it was disabled or its build failed, is built again.
   */
  async createIndex(key: string, element: "vertex" | "edge", options: NewIndexOptions = {}): Promise<void> {
    checkKey(key)
    const name = indexName(key, element)
    await refreshSchema(this.#core)
    const there = this.#core.schema.indexTable.named(name)
    // Rebuilding an existing index takes several commits, which must not be interrupted.
    if (there !== undefined) options.goesOn?.()
    if (there?.status === "DISCARDED") await this.#jobs.remove(there.id)
    else if (there !== undefined) {
      await this.enable(there.id)
      return
    }
    try {
      const editor = await this.edit()
      const keys = [editor.key(key) ?? editor.makeKey(key, objectType, "SINGLE")]
      editor.makeIndex({ name, element, kind: "equality", unique: options.unique ?? false, keys })
      await this.commit(editor)
    } catch (error) {
      await refreshSchema(this.#core)
      // Another process may have created the index since.
      const made = this.#core.schema.indexTable.named(name)
      if (!(error instanceof UnsupportedValue) || made === undefined || made.id === there?.id) throw error
      options.goesOn?.()
      await this.enable(made.id)
      return
    }
    if (there === undefined) options.goesOn?.()
    await this.built(name)
  }

  /** Waits until the index of this name is built, if a build is in progress. Fails with the error of the build. */
  built(name: string): Promise<void> {
    return this.#jobs.built(name)
  }

  /** The builds of this process, with the number of vertices that were processed so far. */
  get building(): ReadonlyArray<{ readonly name: string; readonly vertices: number }> {
    return this.#jobs.building
  }

  /** The error of the last build of an index, by its id or its name; undefined when it did not fail. */
  failure(index: number | string): unknown {
    return this.#jobs.failure(index)
  }

  /** The end of the build of an index by this process; undefined when there is none. */
  done(id: number): Promise<void> | undefined {
    return this.#jobs.done(id)
  }

  /** Changes the status of an index. Throws UnsupportedValue when it was dropped. */
  setStatus(id: number, status: SchemaStatus): Promise<void> {
    return setStatus(this.#core, id, status)
  }

  /** Builds an index again from the start, and enables it; see {@link IndexJobs.rebuild}. */
  rebuild(id: number): Promise<number> {
    return this.#jobs.rebuild(id)
  }

  /** Restarts the builds and removals that a previous process did not finish. */
  resume(): void {
    this.#jobs.resume()
  }

  /** Enables an index. It is built first, unless it is ENABLED. */
  async enable(id: number): Promise<void> {
    if (statusOf(this.#core.schema, id) !== "ENABLED") await this.rebuild(id)
  }

  async dropIndex(key: string, element: "vertex" | "edge", options: IndexCallOptions = {}): Promise<void> {
    await refreshSchema(this.#core)
    const name = indexName(key, element)
    const index = this.#core.schema.indexTable.named(name)
    if (index === undefined) return
    options.goesOn?.()
    await this.#jobs.remove(index.id)
  }

  /** Removes the entries of an index, whose definition stays. Fails with FailedAfterCommit while other instances may use them. */
  discard(id: number): Promise<void> {
    return this.#jobs.discard(id)
  }

  /** Removes an index and its entries. */
  async drop(id: number): Promise<void> {
    await this.#jobs.remove(id)
  }

  /** The names of the keys with an index of their own that can be queried. */
  indexedKeys(element: "vertex" | "edge"): readonly string[] {
    return this.#core
      .newestSchema()
      .indexes.filter((index) => index.element === element && index.status === "ENABLED" && index.fields.length === 1)
      .map(({ fields }) => fields[0]!.name)
  }
}

/** Prepares a search engine for the documents that a commit of the edit needs. As in JanusGraph, this precedes the commit. */
const registerInEngine = async (core: GraphCore, edit: SchemaEdit): Promise<void> => {
  const { documents } = core
  if (edit.kind === "index" && edit.index.documents !== undefined) {
    await documents!.register(edit.index.backing!, edit.index.documents)
  }
  if (edit.kind === "indexKey" && edit.index.engineStatus !== undefined) {
    const { backing, id, name, store } = edit.index
    if (await isLost(core, id)) {
      throw new UnsupportedValue(
        `The search engine has lost the index ${name}, without which it gets no key. Build the index again by REINDEX first.`
      )
    }
    await documents!.register(backing, addedDocuments(store, edit))
  }
}

/** The name of an index that {@link CellManagement.createIndex} creates. */
const indexName = (key: string, element: "vertex" | "edge"): string => `${element}:${key}`

const idOf = (edit: Extract<SchemaEdit, { kind: "index" | "relationIndex" }>): number =>
  edit.kind === "index" ? edit.id : edit.index.type.id
