import { nameOfRelationIndex } from "../../storage/janusgraph/management/IndexDefinition.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import { classText } from "../../structure/scalars/ClassNames.ts"
import { indexKind, indexStatus, javaName } from "./SchemaObjects.ts"

// The schema as JanusGraph prints it: tables with columns of fixed width.

const FIRST = "-".repeat(96)
const BREAK = "-".repeat(99)

const row = (...cells: ReadonlyArray<readonly [unknown, number]>): string =>
  `${cells.map(([cell, width]) => String(cell).padEnd(width)).join(" | ")} |\n`

/** The line above the first table is shorter. */
const section = (head: string, rows: ReadonlyArray<string>, line = BREAK): string =>
  `${line}\n${head}${BREAK}\n${rows.join("")}`

/** A table that is printed alone. */
const alone = (table: (line: string) => string): string => `${table(FIRST)}${BREAK}\n`

const vertexLabelTable = ({ vertexLabels }: SchemaEditor, line: string): string =>
  section(
    row(["Vertex Label Name", 30], ["Partitioned", 11], ["Static", 50]),
    vertexLabels.map((label) => row([label.name, 30], [label.partitioned, 11], [label.static, 50])),
    line
  )

const edgeLabelTable = ({ labels }: SchemaEditor, line: string): string =>
  section(
    row(["Edge Label Name", 30], ["Directed", 11], ["Unidirected", 11], ["Multiplicity", 36]),
    labels.map(({ multiplicity, name, unidirected }) =>
      row([name, 30], [!unidirected, 11], [unidirected, 11], [multiplicity, 36])
    ),
    line
  )

const propertyKeyTable = ({ keys }: SchemaEditor, line: string): string =>
  section(
    row(["Property Key Name", 30], ["Cardinality", 11], ["Data Type", 50]),
    keys.map(({ cardinality, dataType, name }) =>
      row([name, 30], [cardinality, 11], [classText(javaName(dataType.name)), 50])
    ),
    line
  )

const kinds = { equality: "Composite", ordered: "Ordered", mixed: "Mixed" } as const

/** Aligns a status to the right of its column. */
const atEnd = (status: string): string => status.padStart(10)

const indexTables = (editor: SchemaEditor, line: string): string => {
  const graphIndexes = (element: "vertex" | "edge"): ReadonlyArray<string> =>
    editor.indexes
      .filter((index) => index.element === element)
      .flatMap((index) => {
        const keys = "fields" in index ? index.fields : index.keys
        const status = indexStatus(index)
        const backing = indexKind(index) === "mixed" ? (index.backing ?? "search") : "internalindex"
        return keys.map((key, at) => {
          const cells = at > 0 ? ["", "", "", ""] : [index.name, kinds[indexKind(index)], index.unique, backing]
          const [name, kind, unique, store] = cells
          const field = `${`${key.name}:`.padEnd(10)} ${atEnd(status)}`
          return row([name, 30], [kind, 11], [unique, 9], [store, 14], [field, 21])
        })
      })
  const graphHead = (name: string): string =>
    row([name, 30], ["Type", 11], ["Unique", 9], ["Backing", 14], ["Key:           Status", 21])
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
      [atEnd(index.status), 10]
    )
  })
  return [
    section(graphHead("Graph Index (Vertex)"), graphIndexes("vertex"), line),
    section(graphHead("Graph Index (Edge)"), graphIndexes("edge")),
    section(
      row(
        ["Relation Index (VCI)", 30],
        ["Type", 11],
        ["Direction", 9],
        ["Sort Key", 14],
        ["Order", 8],
        [atEnd("Status"), 10]
      ),
      relations
    )
  ].join("")
}

/** `mgmt.printVertexLabels()`. */
export const printVertexLabels = (editor: SchemaEditor): string => alone((line) => vertexLabelTable(editor, line))

/** `mgmt.printEdgeLabels()`. */
export const printEdgeLabels = (editor: SchemaEditor): string => alone((line) => edgeLabelTable(editor, line))

/** `mgmt.printPropertyKeys()`. */
export const printPropertyKeys = (editor: SchemaEditor): string => alone((line) => propertyKeyTable(editor, line))

/** `mgmt.printIndexes()`. */
export const printIndexes = (editor: SchemaEditor): string => alone((line) => indexTables(editor, line))

/** `mgmt.printSchema()`. */
export const printSchema = (editor: SchemaEditor): string =>
  alone((line) =>
    [
      vertexLabelTable(editor, line),
      edgeLabelTable(editor, BREAK),
      propertyKeyTable(editor, BREAK),
      indexTables(editor, BREAK)
    ].join("")
  )
