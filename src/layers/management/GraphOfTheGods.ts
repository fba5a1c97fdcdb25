import { TraversalError } from "../../process/language/Errors.ts"
import { Pending } from "../../scheduling/Pending.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { dataTypeOf, type SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { Committing } from "./ScriptObject.ts"

/** How GraphOfTheGodsFactory builds the schema. */
interface GodsSchema {
  /** Whether mixed indexes on ages, reasons and places are built. */
  readonly isMixed: boolean
  /** Whether the index on names is unique. */
  readonly isUnique: boolean
}

/** Vertices of JanusGraph's example: label, name, age if known. */
const VERTICES: ReadonlyArray<readonly [label: string, name: string, age?: number]> = [
  ["titan", "saturn", 10_000],
  ["location", "sky"],
  ["location", "sea"],
  ["god", "jupiter", 5000],
  ["god", "neptune", 4500],
  ["demigod", "hercules", 30],
  ["human", "alcmene", 45],
  ["god", "pluto", 4000],
  ["monster", "nemean"],
  ["monster", "hydra"],
  ["monster", "cerberus"],
  ["location", "tartarus"]
]

/** Edges of JanusGraph's example, with their properties. */
const EDGES: ReadonlyArray<readonly [out: string, label: string, into: string, properties?: Record<string, unknown>]> =
  [
    ["jupiter", "father", "saturn"],
    ["jupiter", "lives", "sky", { reason: "loves fresh breezes" }],
    ["jupiter", "brother", "neptune"],
    ["jupiter", "brother", "pluto"],
    ["neptune", "lives", "sea", { reason: "loves waves" }],
    ["neptune", "brother", "jupiter"],
    ["neptune", "brother", "pluto"],
    ["hercules", "father", "jupiter"],
    ["hercules", "mother", "alcmene"],
    ["hercules", "battled", "nemean", { time: 1, place: Geoshape.point(Math.fround(38.1), Math.fround(23.7)) }],
    ["hercules", "battled", "hydra", { time: 2, place: Geoshape.point(Math.fround(37.7), Math.fround(23.9)) }],
    ["hercules", "battled", "cerberus", { time: 12, place: Geoshape.point(39, 22) }],
    ["pluto", "brother", "jupiter"],
    ["pluto", "brother", "neptune"],
    ["pluto", "lives", "tartarus", { reason: "no fear of death" }],
    ["pluto", "pet", "cerberus"],
    ["cerberus", "lives", "tartarus"]
  ]

/** Creates the types and indexes of JanusGraph's example. */
const makeSchema = (editor: SchemaEditor, { isMixed, isUnique }: GodsSchema): void => {
  const key = (name: string, type: string) => editor.makeKey(name, dataTypeOf(type), "SINGLE")
  const name = key("name", "String")
  const plain = { unique: false, inlineKeys: [], onlyLabel: undefined }
  const age = key("age", "Integer")
  const time = key("time", "Integer")
  const reason = key("reason", "String")
  const place = key("place", "Geoshape")
  editor.makeIndex({ ...plain, name: "name", element: "vertex", kind: "equality", unique: isUnique, keys: [name] })
  if (isMixed) {
    const mixed = { ...plain, kind: "mixed", backing: "search" } as const
    editor.makeIndex({ ...mixed, name: "vertices", element: "vertex", keys: [age], mappings: ["DEFAULT"] })
    const mappings = ["DEFAULT", "DEFAULT"]
    editor.makeIndex({ ...mixed, name: "edges", element: "edge", keys: [reason, place], mappings })
  }
  editor.makeLabel("father", "MANY2ONE", false, [])
  editor.makeLabel("mother", "MANY2ONE", false, [])
  const battled = editor.makeLabel("battled", "MULTI", false, [time])
  editor.makeRelationIndex(battled, "battlesByTime", "BOTH", true, [time])
  editor.makeLabel("lives", "MULTI", false, [reason])
  editor.makeLabel("pet", "MULTI", false, [])
  editor.makeLabel("brother", "MULTI", false, [])
  for (const label of ["titan", "location", "god", "demigod", "human", "monster"]) {
    editor.makeVertexLabel(label, false, false)
  }
}

const addElements = (transaction: GraphTransaction): void => {
  const vertices = new Map<string, Ref>()
  for (const [label, name, age] of VERTICES) {
    const ref = transaction.addVertex(label, undefined)
    vertices.set(name, ref)
    transaction.setVertexProperty(ref, null, "name", name)
    if (age !== undefined) transaction.setVertexProperty(ref, null, "age", age)
  }
  for (const [out, label, into, properties = {}] of EDGES) {
    const edge = transaction.addEdge(vertices.get(out)!, label, vertices.get(into)!, undefined)
    for (const [key, value] of Object.entries(properties)) transaction.setEdgeProperty(edge, key, value)
  }
}

/** `GraphOfTheGodsFactory.load(graph)`: creates the schema of JanusGraph's example and adds its elements, each in a commit. */
export const loadGraphOfTheGods = (graph: CellGraph, schema: GodsSchema): Committing =>
  new Committing(async (keeps) => {
    const editor = await graph.management.edit()
    makeSchema(editor, schema)
    await graph.management.commit(editor)
    keeps(`the schema of the graph '${graph.name}'`)
    // The elements would otherwise be written while the indexes are built over them.
    for (const { name } of (await graph.management.schema()).indexes) await graph.management.built(name)
    const transaction = graph.begin()
    try {
      const ids = transaction.newIds?.()
      if (ids !== undefined) await Pending.toPromise(ids)
      addElements(transaction)
      await Pending.toPromise(transaction.commit())
    } catch (error) {
      transaction.rollback()
      throw new TraversalError(
        `GraphOfTheGodsFactory: the schema is created, but the elements were not added: ${(error as Error).message}`
      )
    }
    keeps(`the elements of the example in the graph '${graph.name}'`)
    return null
  })
