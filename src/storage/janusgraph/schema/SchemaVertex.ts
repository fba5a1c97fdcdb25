import { CellCursor, type Cells } from "../cells/Cells.ts"
import { type DefinitionCategory, enumTypes, type SchemaCategory } from "../format/EnumAttributes.ts"
import type { Id } from "../format/Ids.ts"
import { JavaEnum, TypeDescription } from "../format/JavaValues.ts"
import { decodeRelation, edgeCell, propertyCell, type Relation } from "../format/Relations.ts"
import {
  prefixes,
  schemaCategory,
  schemaDefinition,
  schemaDescription,
  schemaName,
  schemaRelated,
  schemaUpdated,
  systemType,
  vertexExists
} from "../format/RelationTypes.ts"

/** A stored type, index or type modifier: a vertex with definitions and edges to other schema vertices. */
export interface SchemaVertex {
  readonly id: number
  readonly category: SchemaCategory
  /** The name without the prefix of its category; undefined for a type modifier. */
  readonly name: string | undefined
  readonly definitions: ReadonlyMap<DefinitionCategory, unknown>
  readonly edges: ReadonlyArray<SchemaEdge>
}

/** An edge of a schema vertex. */
interface SchemaEdge {
  readonly isIn: boolean
  readonly other: number
  readonly category: DefinitionCategory
  readonly modifier: unknown
}

/** Separates the prefix of a name from the name. */
const SEPARATOR = "\u001e"

const namePrefixes: Readonly<Partial<Record<SchemaCategory, string>>> = {
  EDGELABEL: "rt",
  PROPERTYKEY: "rt",
  VERTEXLABEL: "vl",
  GRAPHINDEX: "gi"
}

/** The stored name, which is unique among all schema vertices. Property keys and edge labels share one namespace. */
export const fullName = (category: SchemaCategory, name: string): string =>
  `${namePrefixes[category]}${SEPARATOR}${name}`

/** Decodes the row of a schema vertex; undefined when it does not exist. */
export const readSchemaVertex = (id: number, cells: Cells): SchemaVertex | undefined => {
  const cursor = new CellCursor().over(cells)
  let name: string | undefined
  let category: string | undefined
  let exists = false
  const definitions = new Map<DefinitionCategory, unknown>()
  const edges: Array<SchemaEdge> = []
  while (cursor.next()) {
    const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
    if (cell.type === vertexExists) exists = true
    else if (cell.type === schemaName) name = cell.value as string
    else if (cell.type === schemaCategory) category = (cell.value as JavaEnum).name
    else if (cell.type === schemaDefinition) definitions.set(described(cell).category as DefinitionCategory, cell.value)
    else if (cell.type === schemaRelated) {
      const { category: kind, modifier } = described(cell)
      edges.push({ isIn: cell.isIn, other: Number(cell.other), category: kind as DefinitionCategory, modifier })
    }
  }
  if (!exists || category === undefined) return undefined
  return { id, category: category as SchemaCategory, name: name?.split(SEPARATOR)[1], definitions, edges }
}

const described = (cell: Relation): TypeDescription => cell.properties.get(schemaDescription) as TypeDescription

/**
 * The cells of a new schema vertex, without its edges. `microseconds` is the current time since the epoch;
 * `nextRelation` returns a new relation id for each cell.
 */
export const schemaVertexCells = (
  vertex: Pick<SchemaVertex, "category" | "name" | "definitions">,
  microseconds: bigint,
  nextRelation: () => Id
): ReadonlyArray<Relation> => {
  const cells = [propertyCell(vertexExists, nextRelation(), true)]
  if (vertex.name !== undefined) {
    cells.push(propertyCell(schemaName, nextRelation(), fullName(vertex.category, vertex.name)))
  }
  for (const [category, value] of vertex.definitions) cells.push(definitionCell(category, value, nextRelation()))
  cells.push(
    propertyCell(schemaCategory, nextRelation(), new JavaEnum("JanusGraphSchemaCategory", vertex.category)),
    propertyCell(schemaUpdated, nextRelation(), microseconds)
  )
  return cells
}

/** The cell of a definition of a schema vertex. */
export const definitionCell = (category: DefinitionCategory, value: unknown, relation: Id): Relation => ({
  ...propertyCell(schemaDefinition, relation, value),
  properties: new Map([[schemaDescription, new TypeDescription(category, null)]])
})

/** The cell of an edge between schema vertices, in the row of one of its ends. */
export const schemaEdgeCell = (edge: SchemaEdge, relation: Id): Relation => ({
  ...edgeCell(schemaRelated, edge.isIn, relation, edge.other),
  prefix: prefixes.systemEdge,
  properties: new Map([[schemaDescription, new TypeDescription(edge.category, edge.modifier)]])
})

/** The categories of schema vertices, with their values in the system index of categories. */
export const listedCategories: ReadonlyArray<readonly [SchemaCategory, JavaEnum]> = (
  ["EDGELABEL", "PROPERTYKEY", "VERTEXLABEL", "GRAPHINDEX", "TYPE_MODIFIER"] as const
).map((category) => [category, new JavaEnum("JanusGraphSchemaCategory", category)])

/** The data type of a category. */
export const categoryAttribute = enumTypes.get("JanusGraphSchemaCategory")!
