import { nameOfRelationIndex, type SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import { indexKind, indexStatus, javaName } from "./SchemaObjects.ts"

/** The schema as JanusGraph prints it: tables with columns of fixed width. */

const FIRST = "-".repeat(96)
const BREAK = "-".repeat(99)

const row = (...cells: ReadonlyArray<readonly [unknown, number]>): string =>
  `${cells.map(([cell, width]) => String(cell).padEnd(width)).join(" | ")} |\n`

const section = (head: string, rows: ReadonlyArray<string>): string => `${BREAK}\n${head}${BREAK}\n${rows.join("")}`

/** `mgmt.printVertexLabels()`. */
export const printVertexLabels = ({ vertexLabels }: SchemaEditor): string =>
  `${FIRST}\n${row(["Vertex Label Name", 30], ["Partitioned", 11], ["Static", 50])}${BREAK}\n${vertexLabels
    .map((label) => row([label.name, 30], [label.partitioned, 11], [label.static, 50]))
    .join("")}`

/** `mgmt.printEdgeLabels()`. */
export const printEdgeLabels = ({ labels }: SchemaEditor): string =>
  section(
    row(["Edge Label Name", 30], ["Directed", 11], ["Unidirected", 11], ["Multiplicity", 36]),
    labels.map(({ multiplicity, name, unidirected }) =>
      row([name, 30], [!unidirected, 11], [unidirected, 11], [multiplicity, 36])
    )
  )

/** `mgmt.printPropertyKeys()`. */
export const printPropertyKeys = ({ keys }: SchemaEditor): string =>
  section(
    row(["Property Key Name", 30], ["Cardinality", 11], ["Data Type", 50]),
    keys.map(({ cardinality, dataType, name }) =>
      row([name, 30], [cardinality, 11], [`class ${javaName(dataType.name)}`, 50])
    )
  )

const kinds = { equality: "Composite", ordered: "Ordered", mixed: "Mixed" } as const

/** `mgmt.printIndexes()`. */
export const printIndexes = (editor: SchemaEditor): string => {
  const graphIndexes = (element: "vertex" | "edge"): ReadonlyArray<string> =>
    editor.indexes
      .filter((index) => index.element === element)
      .flatMap((index) => {
        const keys = "fields" in index ? index.fields : index.keys
        const status = indexStatus(index)
        const backing = indexKind(index) === "mixed" ? (index.backing ?? "search") : "internalindex"
        const first = row([index.name, 30], [kinds[indexKind(index)], 11], [index.unique, 9], [backing, 14], ["", 10])
        return [first, ...keys.map((key) => row(["", 30], ["", 11], ["", 9], [`${key.name}:`, 14], [status, 10]))]
      })
  const graphHead = (name: string): string =>
    row([name, 30], ["Type", 11], ["Unique", 9], ["Backing", 14], ["Key:           Status", 10])
  const relations = editor.relationIndexes.map((index) => {
    const type = editor.schema.type(index.base)?.name ?? ""
    const order = index.type.descending ? "desc" : "asc"
    const keys = index.type.sortKey.map(({ name }) => name).join(",")
    return row(
      [nameOfRelationIndex(index), 30],
      [type, 11],
      [index.direction, 9],
      [keys, 14],
      [order, 8],
      [index.status, 10]
    )
  })
  return [
    section(graphHead("Graph Index (Vertex)"), graphIndexes("vertex")),
    section(graphHead("Graph Index (Edge)"), graphIndexes("edge")),
    section(
      row(["Relation Index (VCI)", 30], ["Type", 11], ["Direction", 9], ["Sort Key", 14], ["Order", 8], ["Status", 10]),
      relations
    ),
    `${BREAK}\n`
  ].join("")
}

/** `mgmt.printSchema()`. */
export const printSchema = (editor: SchemaEditor): string =>
  printVertexLabels(editor) + printEdgeLabels(editor) + printPropertyKeys(editor) + printIndexes(editor)
