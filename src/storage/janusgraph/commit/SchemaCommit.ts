import { TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import { longArray } from "../format/ArrayAttributes.ts"
import type { Attribute } from "../format/Attribute.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import { type DefinitionCategory, javaEnum } from "../format/EnumAttributes.ts"
import type { Id } from "../format/Ids.ts"
import { JavaClass } from "../format/JavaValues.ts"
import { encodeRelation, type Relation } from "../format/Relations.ts"
import { schemaName } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import { stringType } from "../format/ScalarAttributes.ts"
import {
  DEFAULT_VERTEX_LABEL,
  type EdgeLabel,
  type PropertyKey,
  type Schema,
  type VertexLabel
} from "../schema/Schema.ts"
import { categoryRow } from "../schema/SchemaRead.ts"
import {
  fullName,
  listedCategories,
  type SchemaVertex,
  schemaEdgeCell,
  schemaVertexCells
} from "../schema/SchemaVertex.ts"
import type { NewConstraint, Overlay } from "../transaction/Overlay.ts"
import type { RowChanges } from "./RowChanges.ts"

/** The maximum number of relation ids that a new type needs. */
export const RELATIONS_OF_TYPE = 14

const writer = new ByteWriter()

type NewVertex = Pick<SchemaVertex, "id" | "category" | "name" | "definitions">

/** Adds the row of a schema vertex and its entries in the system indexes. */
export const putSchemaVertex = (changes: RowChanges, vertex: NewVertex, nextRelation: () => Id): void => {
  const key = rowKey(vertex.id, 0)
  const microseconds = BigInt(Date.now()) * 1000n
  for (const cell of schemaVertexCells(vertex, microseconds, nextRelation)) putCell(changes, key, cell)
  const category = listedCategories.find(([name]) => name === vertex.category)![1]
  writer.reset().byte(0)
  writer.varint(vertex.id)
  writer.varint(nextRelation())
  const column = writer.copy()
  writer.reset().varint(vertex.id)
  const value = writer.copy()
  changes.put("graphindex", categoryRow(category), column, value)
  if (vertex.name !== undefined) changes.put("graphindex", nameRow(vertex.category, vertex.name), ONLY, value)
}

/** Adds a cell of a schema vertex. */
export const putCell = (changes: RowChanges, key: Uint8Array, cell: Relation): void => {
  const columnEnd = encodeRelation(writer.reset(), cell)
  changes.put("edgestore", key, writer.copy(0, columnEnd), writer.copy(columnEnd))
}

/** An edge between two schema vertices, by their ids. */
interface Connection {
  readonly from: number
  readonly to: number
  readonly category: DefinitionCategory
  /** What the category stores with the edge, such as the parameters of a field of an index. */
  readonly modifier?: unknown
}

/** Adds the cells of a connection at both of its ends. `relation` is a new relation id. */
export const connect = (changes: RowChanges, connection: Connection, relation: Id): void => {
  connectOneWay(changes, connection, relation)
  const { from, to, category, modifier = null } = connection
  putCell(changes, rowKey(to, 0), schemaEdgeCell({ isIn: true, other: from, category, modifier }, relation))
}

/** Adds the cell of a connection at its first end, and removes that at its other end. `relation` is a new relation id or its own. */
export const connectOneWay = (changes: RowChanges, connection: Connection, relation: Id): void => {
  const { from, to, category, modifier = null } = connection
  putCell(changes, rowKey(from, 0), schemaEdgeCell({ isIn: false, other: to, category, modifier }, relation))
  const end = encodeRelation(writer.reset(), schemaEdgeCell({ isIn: true, other: from, category, modifier }, relation))
  changes.remove("edgestore", rowKey(to, 0), writer.copy(0, end))
}

/** The column of the only entry of a row of a unique system index. */
export const ONLY = Buffer.from([0])

/** The key of the row of a name in the system index of names. */
export const nameRow = (category: SchemaVertex["category"], name: string): Buffer => {
  writer.reset().varint(schemaName.id)
  stringType.write(writer, fullName(category, name))
  return writer.copy()
}

const common = (multiplicity: Parameters<typeof javaEnum<"Multiplicity">>[1]) =>
  [
    ["INVISIBLE", false],
    ["SORT_KEY", longArray([])],
    ["SORT_ORDER", javaEnum("Order", "ASC")],
    ["SIGNATURE", longArray([])],
    ["MULTIPLICITY", javaEnum("Multiplicity", multiplicity)]
  ] as const

const className = (type: Attribute): JavaClass => new JavaClass(type.name)

/** The definitions of a property key. */
export const keyDefinitions = (key: Pick<PropertyKey, "multiplicity" | "dataType">): SchemaVertex["definitions"] =>
  new Map<DefinitionCategory, unknown>([
    ...common(key.multiplicity),
    ["DATATYPE", className(key.dataType)],
    ["STATUS", javaEnum("SchemaStatus", "ENABLED")]
  ])

/** The definitions of an edge label. */
export const labelDefinitions = (label: EdgeLabel): SchemaVertex["definitions"] => {
  const definitions = new Map<DefinitionCategory, unknown>(common(label.multiplicity))
  definitions.set("SORT_KEY", longArray(label.sortKey.map(({ id }) => id)))
  definitions.set("SORT_ORDER", javaEnum("Order", label.descending ? "DESC" : "ASC"))
  definitions.set("SIGNATURE", longArray(label.signature.map(({ id }) => id)))
  definitions.set("UNIDIRECTIONAL", javaEnum("Direction", label.unidirected ? "OUT" : "BOTH"))
  definitions.set("STATUS", javaEnum("SchemaStatus", "ENABLED"))
  return definitions
}

/** True when the definitions of two edge labels mean the same. A label that a transaction creates has no sort key. */
const isSameLabel = (one: EdgeLabel, other: EdgeLabel): boolean =>
  one.multiplicity === other.multiplicity &&
  one.unidirected === other.unidirected &&
  one.sortKey.length === 0 &&
  other.sortKey.length === 0

/** The definitions of a vertex label. */
export const vertexLabelDefinitions = (label: Pick<VertexLabel, "partitioned" | "static">) =>
  new Map<DefinitionCategory, unknown>([
    ["PARTITIONED", label.partitioned],
    ["STATIC", label.static]
  ])

/** The types of a transaction. */
interface GivenTypes {
  /** The newest schema. */
  readonly schema: Schema
  /** The schema of the transaction. */
  readonly seen: Schema
  readonly own: Overlay
}

/**
 * The types with which a commit writes: those of the newest schema, and the new types of the transaction, which the
 * constructor adds to the schema. Names are those of the transaction. A property key or an edge label whose name means
 * another one by now is a conflict: the values were written for the type that the transaction has seen.
 */
export class CommitTypes {
  readonly schema: Schema
  readonly #seen: Schema
  readonly #own: Overlay
  readonly #changes: RowChanges
  readonly #nextRelation: () => Id
  #made = false

  /** Throws TransactionConflict when others have defined a new type of the transaction differently. */
  constructor(batch: CellBatch, { own, schema, seen }: GivenTypes, changes: RowChanges, nextRelation: () => Id) {
    this.schema = schema
    this.#seen = seen
    this.#own = own
    this.#changes = changes
    this.#nextRelation = nextRelation
    for (const [name, key] of own.newKeys) {
      const newest = schema.keys.get(name)
      if (newest === undefined && !schema.labels.has(name)) {
        this.#make({ id: key.id, category: "PROPERTYKEY", name, definitions: keyDefinitions(key) })
      } else if (
        newest?.id !== key.id &&
        (newest?.cardinality !== key.cardinality ||
          newest.dataType !== key.dataType ||
          schema.timeToLive(newest.id) > 0)
      ) {
        throw wasDefined(name)
      }
    }
    for (const [name, label] of own.newLabels) {
      const newest = schema.labels.get(name)
      if (newest === undefined && !schema.keys.has(name)) {
        this.#make({ id: label.id, category: "EDGELABEL", name, definitions: labelDefinitions(label) })
      } else if (
        newest?.id !== label.id &&
        (newest === undefined || !isSameLabel(newest, label) || schema.timeToLive(newest.id) > 0)
      ) {
        throw wasDefined(name)
      }
    }
    for (const [name, id] of own.newVertexLabels) {
      const newest = schema.vertexLabels.get(name)
      if (newest === undefined) {
        const definitions = vertexLabelDefinitions({ partitioned: false, static: false })
        this.#make({ id, category: "VERTEXLABEL", name, definitions })
        continue
      }
      const isPlain = !newest.static && !newest.partitioned && schema.timeToLive(newest.id) === 0
      if (newest.id !== id && !isPlain) throw wasDefined(name)
    }
    for (const constraint of own.newConstraints.values()) this.#constrain(constraint)
    if (this.#made) batch.advanceSchema()
  }

  /** Adds a new type. Throws TransactionConflict for a type that others have made, and renamed since. */
  #make(vertex: NewVertex & { readonly name: string }): void {
    const isStored = this.schema.type(vertex.id) !== undefined || this.schema.vertexLabel(vertex.id) !== undefined
    if (isStored) throw wasRenamed(`type ${vertex.name}`)
    putSchemaVertex(this.#changes, vertex, this.#nextRelation)
    this.#made = true
  }

  /** Adds a constraint, unless the newest schema has it already. */
  #constrain(constraint: NewConstraint): void {
    const { modifiers } = this.schema
    if (constraint.kind === "property") {
      const { label, of } = constraint
      const from = of === "vertex" ? this.vertexLabel(label) : this.label(label).id
      const to = this.key(constraint.key).id
      if (modifiers.properties.get(from)?.has(to) === true) return
      connect(this.#changes, { from, to, category: "PROPERTY_KEY_EDGE" }, this.#nextRelation())
    } else {
      const modifier = this.label(constraint.edge).name
      const [from, to] = [this.vertexLabel(constraint.out), this.vertexLabel(constraint.into)]
      if (this.schema.connects(modifier, from, to)) return
      connect(this.#changes, { from, to, category: "CONNECTION_EDGE", modifier }, this.#nextRelation())
    }
    this.#made = true
  }

  /** True when the commit changes the schema. */
  get made(): boolean {
    return this.#made
  }

  /** The property key with this name. Throws TransactionConflict when others have renamed or removed it. */
  key(name: string): PropertyKey {
    const found = this.schema.keys.get(name) ?? this.#own.newKeys.get(name)
    const seen = this.#seen.keys.get(name)
    if (found === undefined || (seen !== undefined && seen.id !== found.id)) throw wasRenamed(`property key ${name}`)
    return found
  }

  /** The edge label with this name. Throws TransactionConflict when others have renamed or removed it. */
  label(name: string): EdgeLabel {
    const found = this.schema.labels.get(name) ?? this.#own.newLabels.get(name)
    const seen = this.#seen.labels.get(name)
    if (found === undefined || (seen !== undefined && seen.id !== found.id)) throw wasRenamed(`edge label ${name}`)
    return found
  }

  /** The id of a vertex label, which others may have renamed; 0 for the default label, which is not stored. */
  vertexLabel(name: string): number {
    if (name === DEFAULT_VERTEX_LABEL) return 0
    const seen = this.#seen.vertexLabels.get(name)?.id
    if (seen !== undefined && this.schema.vertexLabel(seen) !== undefined) return seen
    const found = this.schema.vertexLabels.get(name)?.id ?? this.#own.newVertexLabels.get(name)
    if (found === undefined || seen !== undefined) throw new TransactionConflict(`the vertex label ${name} was removed`)
    return found
  }

  /** The lookup of types for existing cells. */
  readonly stored = (id: number) => this.schema.type(id)
}

const wasDefined = (name: string): TransactionConflict => new TransactionConflict(`the type ${name} was defined`)

const wasRenamed = (what: string): TransactionConflict => new TransactionConflict(`the ${what} was renamed or removed`)
