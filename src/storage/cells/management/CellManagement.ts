import type { GraphManagement } from "../../../structure/GraphStore.ts"
import { UnsupportedValue } from "../../../structure/StoreErrors.ts"
import { checkKey } from "../../memory/PropertyWrites.ts"
import { CellCursor } from "../Cells.ts"
import { objectType } from "../codec/Attributes.ts"
import { ByteWriter } from "../codec/ByteWriter.ts"
import type { Id } from "../codec/Ids.ts"
import { decodeRelation } from "../codec/Relations.ts"
import { schemaRelated, systemType } from "../codec/RelationTypes.ts"
import { rowKey } from "../codec/RowKeys.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import { keyDefinitions, nameRow, ONLY, putSchemaVertex } from "../commit/SchemaCommit.ts"
import type { GraphCore } from "../GraphCore.ts"
import type { GraphIndex, PropertyKey } from "../schema/Schema.ts"
import { fetchSchema } from "../schema/SchemaFetching.ts"
import { categoryRow, readSchema, readWhole, schemaRowQuery } from "../schema/SchemaReading.ts"
import { listedCategories, readSchemaVertex } from "../schema/SchemaVertex.ts"
import { newKey } from "../Typing.ts"
import { buildIndex, commitLater, type Progress } from "./IndexBuilding.ts"
import { changeStatus, checkIndex, type NewIndex, putIndex } from "./IndexDefinition.ts"

/** Relations of the rows of an index and of a key, at most. */
const RELATIONS = 64

/** What is to be told about an index that is being built. */
export interface IndexEvents {
  readonly building: (index: string, vertices: number) => void
  readonly enabled: (index: string) => void
}

export const noEvents: IndexEvents = { building: () => undefined, enabled: () => undefined }

/** Creates and drops the indexes of a graph over cells. */
export class CellManagement implements GraphManagement {
  readonly #core: GraphCore
  readonly #events: IndexEvents
  readonly #building = new Map<string, Promise<void>>()

  constructor(core: GraphCore, events: IndexEvents = noEvents) {
    this.#core = core
    this.#events = events
  }

  /** An index on one key, by equality; a key that is not there is made for values of any type. */
  async createIndex(
    key: string,
    element: "vertex" | "edge",
    options: { readonly unique?: boolean } = {}
  ): Promise<void> {
    checkKey(key)
    const name = indexName(key, element)
    const building = this.#building.get(name)
    if (building !== undefined) return building
    const there = this.#core.schema.indexes.find((index) => index.name === name)
    if (there?.status === "ENABLED") return
    await this.#define((schema) => ({
      name,
      element,
      kind: "equality",
      unique: options.unique ?? false,
      keys: [schema.keys.get(key) ?? newKey(this.#core.ids.schema("propertyKey"), key, objectType, "SINGLE")]
    }))
    await this.#build(name)
  }

  /** Defines an index in one commit; keys without rows are made with it. */
  async #define(make: (schema: ReturnType<typeof readSchema>) => NewIndex): Promise<void> {
    const { ids } = this.#core
    const relations: Array<Id> = Array.from({ length: RELATIONS }, () => ids.relation())
    const id = ids.schema("other")
    await commitLater(this.#core, (batch) => {
      this.#core.assertWritable()
      const schema = readSchema(
        batch.schemaVersion,
        readWhole((query) => batch.slice(query))
      )
      const index = make(schema)
      checkIndex(schema, index)
      const changes = new RowChanges()
      let next = 0
      const nextRelation = (): Id => relations[next++]!
      for (const key of index.keys) if (schema.type(key.id) === undefined) putKey(changes, key, nextRelation)
      putIndex(changes, id, index, nextRelation)
      changes.apply(batch)
      batch.advanceSchema()
    })
    await this.#refresh()
  }

  /** Builds an index, then lets it be asked. Takes it away again when that fails. */
  #build(name: string): Promise<void> {
    const building = this.#run(name).finally(() => this.#building.delete(name))
    this.#building.set(name, building)
    return building
  }

  async #run(name: string): Promise<void> {
    const progress: Progress = (vertices) => this.#events.building(name, vertices)
    try {
      await buildIndex(this.#core, name, progress)
    } catch (error) {
      await this.#remove(name)
      throw error
    }
    const relation = this.#core.ids.relation()
    await commitLater(this.#core, (batch) => {
      const changes = new RowChanges()
      const schema = readSchema(
        batch.schemaVersion,
        readWhole((query) => batch.slice(query))
      )
      const index = schema.indexes.find((each) => each.name === name)
      if (index === undefined) throw new UnsupportedValue(`The index ${name} was dropped while it was being built.`)
      changeStatus(batch, changes, index.id, "ENABLED", relation)
      changes.apply(batch)
    })
    await this.#refresh()
    this.#events.enabled(name)
  }

  /** Goes on with indexes whose building ended with the process. */
  resume(): ReadonlyArray<Promise<void>> {
    const stopped = this.#core.schema.indexes.filter(({ status }) => status === "REGISTERED")
    return this.#core.options.readOnly ? [] : stopped.map(({ name }) => this.#build(name))
  }

  async dropIndex(key: string, element: "vertex" | "edge"): Promise<void> {
    await this.#remove(indexName(key, element))
  }

  /** Takes an index out of the schema, then its entries out of the store. */
  async #remove(name: string): Promise<void> {
    let removed: GraphIndex | undefined
    await commitLater(this.#core, (batch) => {
      const read = readWhole((query) => batch.slice(query))
      removed = readSchema(batch.schemaVersion, read).indexes.find((index) => index.name === name)
      if (removed === undefined) return
      const changes = new RowChanges()
      removeSchemaVertex(changes, removed.id, read)
      changes.apply(batch)
      batch.advanceSchema()
    })
    await this.#refresh()
    if (removed !== undefined) await this.#removeEntries(removed)
  }

  async #removeEntries(index: GraphIndex): Promise<void> {
    const prefix = new ByteWriter(8)
    prefix.varint(index.id)
    const begin = prefix.copy()
    const table = index.kind === "range" ? "engine_ranges" : "graphindex"
    const snapshot = this.#core.cells.snapshot()
    try {
      const scan = snapshot.scan(table)
      for (;;) {
        const rows = await new Promise<ReadonlyArray<{ readonly key: Uint8Array }>>((resolve, reject) => {
          if (!this.#core.cells.answersLater) resolve(scan.next(1024))
          else scan.fetch(1024, (error, found) => (error === undefined ? resolve(found) : reject(error)))
        })
        if (rows.length === 0) return
        const mine = rows.filter(({ key }) => begin.equals(key.subarray(0, begin.length)))
        if (mine.length === 0) continue
        await commitLater(this.#core, (batch) => {
          for (const { key } of mine) batch.removeRow(table, key)
        })
      }
    } finally {
      snapshot.close()
    }
  }

  /** Keys whose index is there and can be asked. */
  indexedKeys(element: "vertex" | "edge"): readonly string[] {
    return this.#core.schema.indexes
      .filter((index) => index.element === element && index.status === "ENABLED" && index.fields.length === 1)
      .map(({ fields }) => fields[0]!.name)
  }

  /** Reads the schema again after a change of it. */
  async #refresh(): Promise<void> {
    await refreshSchema(this.#core)
  }
}

/** The name of an index that was made for a key without giving it one. */
const indexName = (key: string, element: "vertex" | "edge"): string => `${element}:${key}`

const putKey = (changes: RowChanges, key: PropertyKey, nextRelation: () => Id): void =>
  putSchemaVertex(
    changes,
    { id: key.id, category: "PROPERTYKEY", name: key.name, definitions: keyDefinitions(key) },
    nextRelation
  )

/** Removes the row of a schema vertex, its connections and its entries in the system's indexes. */
const removeSchemaVertex = (changes: RowChanges, id: number, read: ReturnType<typeof readWhole>): void => {
  const vertex = readSchemaVertex(id, read(schemaRowQuery(id)))
  if (vertex === undefined) return
  changes.removeRow("edgestore", rowKey(id, 0))
  for (const { other } of vertex.edges) removeConnections(changes, other, id, read)
  const row = categoryRow(listedCategories.find(([name]) => name === vertex.category)![1])
  const cursor = new CellCursor().over(read({ table: "graphindex", key: row }))
  const value = new ByteWriter(8)
  value.varint(id)
  while (cursor.next()) {
    if (value.copy().equals(cursor.value())) changes.remove("graphindex", row, Uint8Array.from(cursor.column()))
  }
  if (vertex.name !== undefined) changes.remove("graphindex", nameRow(vertex.category, vertex.name), ONLY)
}

/** Removes the cells by which one schema vertex is connected to another. */
const removeConnections = (changes: RowChanges, from: number, to: number, read: ReturnType<typeof readWhole>): void => {
  const cursor = new CellCursor().over(read(schemaRowQuery(from)))
  while (cursor.next()) {
    const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
    if (cell.type === schemaRelated && cell.other === to) {
      changes.remove("edgestore", rowKey(from, 0), Uint8Array.from(cursor.column()))
    }
  }
}

/** Reads the newest schema for all transactions to come. */
export const refreshSchema = async (core: GraphCore): Promise<void> => {
  const snapshot = core.cells.snapshot()
  try {
    core.setSchema(core.cells.answersLater ? await fetchSchema(snapshot) : core.schemaOf(snapshot))
  } finally {
    snapshot.close()
  }
}
