import type { Page, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor, CellPacker, type Cells } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { attributeByName, attributeByNumber } from "../format/Attributes.ts"
import { ByteReader } from "../format/ByteReader.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import type { CardinalityName, Multiplicity, SchemaStatus } from "../format/EnumAttributes.ts"
import { JavaClass, type JavaEnum, type StoredArray } from "../format/JavaValues.ts"
import { type RelationType, schemaCategory } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import {
  constant,
  documentsOf,
  engineStatusOf,
  isEngineField,
  mappingOf,
  POSITION,
  parameter
} from "./DocumentFields.ts"
import {
  type Connection,
  cardinalityOf,
  type EdgeLabel,
  type FieldForm,
  type GraphIndex,
  type Modifiers,
  type PropertyKey,
  type RelationIndex,
  Schema,
  type VertexLabel
} from "./Schema.ts"
import { categoryAttribute, listedCategories, readSchemaVertex, type SchemaVertex } from "./SchemaVertex.ts"

/** The `BACKING_INDEX` of an ordered index. JanusGraph does not have such indexes. */
export const ORDERED_BACKING = "engine-range"

/** The prefix of the `BACKING_INDEX` of a mixed index in this store. The user's name of the backend follows. */
export const MIXED_BACKING = "engine-mixed:"

/** The key of the row of the system index that lists the schema vertices of a category. */
export const categoryRow = (category: JavaEnum): Uint8Array => {
  const writer = new ByteWriter()
  writer.varint(schemaCategory.id)
  categoryAttribute.write(writer, category)
  return writer.copy()
}

/** Reads all cells of a slice. */
type ReadWhole = (query: SliceQuery) => Cells

/** Returns a function that reads all cells of a slice, page by page, from a snapshot or batch that answers at once. */
export const readWhole =
  (slice: (query: SliceQuery) => Page): ReadWhole =>
  (query) => {
    let page = slice(query)
    if (!page.more) return page.cells
    const packer = new CellPacker()
    for (;;) {
      const { cells } = page
      packer.addPacked(cells.bytes, cells.start, cells.end)
      if (!page.more) return packer.take()
      page = slice({ ...query, start: after(lastColumn(cells)) })
    }
  }

/** The smallest column that sorts after this one. */
export const after = (column: Uint8Array): Uint8Array => {
  const next = new Uint8Array(column.length + 1)
  next.set(column)
  return next
}

/** The column of the last cell. The cells must not be empty. */
export const lastColumn = (cells: Cells): Uint8Array => {
  const cursor = new CellCursor().over(cells)
  while (cursor.next()) {
    // Advance to the last cell.
  }
  return cursor.column()
}

/** The slices that list all schema vertices. */
export const listQueries: ReadonlyArray<SliceQuery> = listedCategories.map(([, category]) =>
  sliceOf("graphindex", categoryRow(category))
)

/** The ids of the schema vertices in the answers to {@link listQueries}. */
export const listedIds = (lists: ReadonlyArray<Cells>): ReadonlyArray<number> => {
  const ids: Array<number> = []
  const cursor = new CellCursor()
  for (const list of lists) {
    cursor.over(list)
    while (cursor.next()) ids.push(Number(new ByteReader(cursor.bytes, cursor.columnEnd, cursor.valueEnd).vertexId()))
  }
  return ids
}

/** Reads the row of a schema vertex. */
export const schemaRowQuery = (id: number): SliceQuery => sliceOf("edgestore", rowKey(id, 0))

/** Reads the schema. */
export const readSchema = (version: number, read: ReadWhole): Schema => {
  const ids = listedIds(listQueries.map(read))
  return buildSchema(
    version,
    ids.map((id) => readSchemaVertex(id, read(schemaRowQuery(id))))
  )
}

/** Builds the schema from its vertices. Undefined ones, which were removed or are incomplete, are ignored. */
export const buildSchema = (version: number, vertices: ReadonlyArray<SchemaVertex | undefined>): Schema => {
  const found = new Map<number, SchemaVertex>()
  for (const vertex of vertices) if (vertex !== undefined) found.set(vertex.id, vertex)
  const builder = new Builder(found)
  const keys: Array<PropertyKey> = []
  const labels: Array<EdgeLabel> = []
  const vertexLabels: Array<VertexLabel> = []
  const indexes: Array<GraphIndex> = []
  const relationIndexes: Array<RelationIndex> = []
  for (const vertex of found.values()) {
    switch (vertex.category) {
      case "PROPERTYKEY":
      case "EDGELABEL": {
        const base = vertex.edges.find(({ category, isIn }) => isIn && category === "RELATIONTYPE_INDEX")
        if (base !== undefined) relationIndexes.push(relationIndex(builder.type(vertex.id)!, base.other, vertex))
        else if (vertex.category === "PROPERTYKEY") keys.push(builder.type(vertex.id) as PropertyKey)
        else labels.push(builder.type(vertex.id) as EdgeLabel)
        break
      }
      case "VERTEXLABEL":
        vertexLabels.push({
          id: vertex.id,
          name: vertex.name ?? "",
          partitioned: vertex.definitions.get("PARTITIONED") === true,
          static: vertex.definitions.get("STATIC") === true
        })
        break
      case "GRAPHINDEX":
        indexes.push(graphIndex(vertex, builder))
        break
      case "TYPE_MODIFIER":
        break
    }
  }
  return new Schema(version, { keys, labels, vertexLabels, indexes, relationIndexes }, modifiersOf(found))
}

const modifiersOf = (vertices: ReadonlyMap<number, SchemaVertex>): Modifiers => {
  const timesToLive = new Map<number, number>()
  const expiring = new Set<number>()
  const consistencies = new Map<number, string>()
  const properties = new Map<number, Set<number>>()
  const connections: Array<Connection> = []
  for (const { id, edges } of vertices.values()) {
    for (const { category, isIn, modifier, other } of edges) {
      if (isIn) continue
      if (category === "TYPE_MODIFIER") {
        const definitions = vertices.get(other)?.definitions
        const seconds = definitions?.get("TTL")
        if (typeof seconds === "number") expiring.add(id)
        if (typeof seconds === "number" && seconds > 0) timesToLive.set(id, seconds)
        const consistency = definitions?.get("CONSISTENCY_LEVEL")
        if (consistency !== undefined) consistencies.set(id, constant(consistency, "DEFAULT"))
      } else if (category === "PROPERTY_KEY_EDGE") {
        const keys = properties.get(id)
        if (keys === undefined) properties.set(id, new Set([other]))
        else keys.add(other)
      } else if (category === "CONNECTION_EDGE") connections.push({ edge: String(modifier), out: id, into: other })
    }
  }
  return { timesToLive, expiring, consistencies, properties, connections }
}

/** Builds relation types. The types in a sort key or signature are built before the type that refers to them. */
class Builder {
  readonly #vertices: ReadonlyMap<number, SchemaVertex>
  readonly #made = new Map<number, RelationType>()

  constructor(vertices: ReadonlyMap<number, SchemaVertex>) {
    this.#vertices = vertices
  }

  type(id: number): RelationType | undefined {
    const made = this.#made.get(id)
    if (made !== undefined) return made
    const vertex = this.#vertices.get(id)
    if (vertex === undefined || (vertex.category !== "PROPERTYKEY" && vertex.category !== "EDGELABEL")) return undefined
    const { definitions } = vertex
    const multiplicity = constant(definitions.get("MULTIPLICITY"), "MULTI") as Multiplicity
    const type = {
      id,
      name: vertex.name ?? "",
      multiplicity,
      sortKey: this.#keys(definitions.get("SORT_KEY")),
      descending: constant(definitions.get("SORT_ORDER"), "ASC") === "DESC",
      signature: this.#keys(definitions.get("SIGNATURE"))
    }
    const relationType =
      vertex.category === "PROPERTYKEY"
        ? ({
            ...type,
            isKey: true,
            dataType: dataType(definitions.get("DATATYPE")),
            cardinality: cardinalityOf(multiplicity)
          } satisfies PropertyKey)
        : ({
            ...type,
            isKey: false,
            dataType: attributeByName("Object")!,
            unidirected: constant(definitions.get("UNIDIRECTIONAL"), "BOTH") !== "BOTH"
          } satisfies EdgeLabel)
    this.#made.set(id, relationType)
    return relationType
  }

  #keys(ids: unknown): ReadonlyArray<RelationType> {
    return [...((ids as StoredArray | undefined) ?? [])].flatMap((id) => this.type(Number(id)) ?? [])
  }
}

const dataType = (value: unknown) => {
  if (!(value instanceof JavaClass)) return attributeByName("Object")!
  return attributeByName(value.attribute) ?? attributeByNumber(Number(value.attribute.replace("type number ", "")))
}

const relationIndex = (type: RelationType, base: number, { definitions }: SchemaVertex): RelationIndex => ({
  type,
  base,
  direction: type.isKey ? "OUT" : (constant(definitions.get("UNIDIRECTIONAL"), "BOTH") as RelationIndex["direction"]),
  status: constant(definitions.get("STATUS"), "ENABLED") as SchemaStatus
})

const elements: Readonly<Record<string, GraphIndex["element"]>> = {
  VERTEX: "vertex",
  EDGE: "edge",
  PROPERTY: "property"
}

const graphIndex = ({ id, name, definitions, edges }: SchemaVertex, builder: Builder): GraphIndex => {
  const fields = edges
    .filter(({ category, isIn }) => category === "INDEX_FIELD" && !isIn)
    .map(({ other, modifier }) => ({ key: builder.type(other) as PropertyKey | undefined, modifier }))
    .sort((a, b) => position(a.modifier) - position(b.modifier))
    .flatMap(({ key, modifier }) => (key === undefined ? [] : [{ key, modifier }]))
  const cardinality = constant(definitions.get("INDEX_CARDINALITY"), "LIST") as CardinalityName
  const internal = definitions.get("INTERNAL_INDEX") === true
  const backing = String(definitions.get("BACKING_INDEX"))
  const isOrdered = backing === ORDERED_BACKING
  const isMixed = backing.startsWith(MIXED_BACKING)
  const isInEngine = !(internal || isOrdered || isMixed)
  const engineKeys = isInEngine
    ? fields.filter(({ modifier }) => isEngineField(modifier)).map(({ key }) => key.name)
    : []
  const element = elements[constant(definitions.get("ELEMENT_CATEGORY"), "VERTEX")] ?? "vertex"
  const store = String(definitions.get("INDEXSTORE_NAME") ?? name)
  return {
    ...(engineKeys.length === 0
      ? {}
      : { engineKeys, documents: element === "property" ? undefined : documentsOf(store, fields) }),
    ...(isInEngine ? { engineStatus: engineStatusOf(fields.map(({ modifier }) => modifier)) } : {}),
    id,
    name: name ?? "",
    element,
    kind: isOrdered ? "ordered" : isMixed ? "mixed" : "equality",
    fields: fields.map(({ key }) => key),
    forms: isMixed ? fields.map(({ key, modifier }) => formsOf(key, mappingOf(modifier))) : [],
    store,
    backing: isMixed ? backing.slice(MIXED_BACKING.length) : backing,
    cardinality,
    unique: internal && !isOrdered && cardinality === "SINGLE",
    // It has a status of its own, and is never searched as an index of this store.
    status: isInEngine ? "DISABLED" : (constant(definitions.get("STATUS"), "ENABLED") as SchemaStatus),
    onlyLabel: edges.find(({ category, isIn }) => category === "INDEX_SCHEMA_CONSTRAINT" && !isIn)?.other,
    inlineKeys: edges
      .filter(({ category, isIn }) => category === "INDEX_INLINE_KEY" && !isIn)
      .flatMap(({ other }) => (builder.type(other) as PropertyKey | undefined) ?? [])
  }
}

const position = (modifier: unknown): number => Number(parameter(modifier, POSITION) ?? 0)

/** The forms of a key for a Mapping of JanusGraph: by default a text is indexed by its words. */
export const formsOf = ({ dataType }: PropertyKey, mapping: string): ReadonlyArray<FieldForm> => {
  if (dataType.name === "Geoshape") return ["geo"]
  if (dataType.name !== "String" || mapping === "STRING") return ["ordered"]
  return mapping === "TEXTSTRING" ? ["text", "ordered"] : ["text"]
}
