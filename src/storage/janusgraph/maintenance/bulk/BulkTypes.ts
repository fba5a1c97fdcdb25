import { Cardinality } from "../../../../structure/scalars/Enums.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import { CommitTypes } from "../../commit/SchemaCommit.ts"
import type { Id } from "../../format/Ids.ts"
import type { GraphCore } from "../../GraphCore.ts"
import type { EdgeLabel, PropertyKey, Schema } from "../../schema/Schema.ts"
import { readSchema, readWhole } from "../../schema/SchemaRead.ts"
import { Typing } from "../../schema/TypeInference.ts"
import { Overlay } from "../../transaction/Overlay.ts"
import type { LoadTypes } from "./BulkEncoder.ts"

/** Relation ids that are reserved for a new type, which needs fewer. */
const RESERVED_RELATIONS = 64

/** The types of a bulk load. A missing type is created immediately, in a separate commit. */
export class BulkTypes implements LoadTypes {
  readonly #core: GraphCore
  readonly #typing: Typing
  #schema: Schema
  #own = new Overlay()
  /**
   * True when other clients have changed the schema since {@link refresh}: elements may lack entries of a new index.
   */
  moved = false

  constructor(core: GraphCore) {
    this.#core = core
    this.#schema = core.schema
    const self = this
    const reading = {
      get schema() {
        return self.#schema
      }
    }
    this.#typing = new Typing(reading, () => reading.schema, core.options, core.ids)
  }

  get schema(): Schema {
    return this.#schema
  }

  /** Reads the newest schema. */
  refresh(): void {
    this.moved = false
    this.#readNewer(this.#schema.version)
  }

  /** Reads a schema that is newer than a version, without a commit: that would wait for other processes. False if there is none. */
  #readNewer(version: number): boolean {
    const newest = this.#core.newestSchema()
    if (newest.version <= version) return false
    this.#schema = newest
    return true
  }

  /** Reads the schema after a change of this load. */
  #read(changed: number): void {
    if (this.#readNewer(changed)) return
    // The change is a part of a long commit, which only a commit sees.
    this.#core.cells.commitNow((batch) => {
      this.#schema = readSchema(
        batch.schemaVersion,
        readWhole((query) => batch.slice(query))
      )
    })
    this.#core.setSchema(this.#schema)
  }

  /** The key of a property; undefined when the setting `ignore-prop` ignores the property. Throws UnsupportedValue. */
  key(name: string, value: unknown, cardinality: "single" | "set" | "list" | undefined): PropertyKey | undefined {
    const known = this.#schema.keys.get(name)
    if (known !== undefined) return known
    const given = cardinality === undefined ? null : Cardinality[cardinality]
    if (this.#typing.key(name, value, given, this.#own) === undefined) return undefined
    this.#make()
    return this.#schema.keys.get(name)
  }

  /** The label of an edge. Throws UnsupportedValue. */
  label(name: string): EdgeLabel {
    const known = this.#schema.labels.get(name)
    if (known !== undefined) return known
    this.#typing.label(name, this.#own)
    this.#make()
    return this.#schema.labels.get(name)!
  }

  /** The id of a vertex label; 0 for the default label, which is not stored. */
  vertexLabel(name: string): number {
    const known = this.#schema.vertexLabels.get(name)
    if (known === undefined || known.partitioned || known.static) {
      this.#typing.vertexLabel(name, this.#own)
      if (this.#own.newVertexLabels.size > 0) this.#make()
    }
    return this.#schema.vertexLabels.get(name)?.id ?? 0
  }

  #make(): void {
    const { cells, ids } = this.#core
    const own = this.#own
    this.#own = new Overlay()
    const relations: ReadonlyArray<Id> = Array.from({ length: RESERVED_RELATIONS }, () => ids.relation())
    let version = 0
    cells.commitNow((batch) => {
      this.#core.assertWritable()
      version = batch.schemaVersion
      const schema = readSchema(
        batch.schemaVersion,
        readWhole((query) => batch.slice(query))
      )
      const changes = new RowChanges()
      let next = 0
      new CommitTypes(batch, { schema, seen: this.#schema, own }, changes, () => relations[next++]!)
      changes.apply(batch)
    })
    if (version !== this.#schema.version) this.moved = true
    this.#read(version)
    if (this.#schema.version > version + 1) this.moved = true
  }
}
