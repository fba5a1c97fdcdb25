import type { GraphFeatures, GraphStore } from "../../structure/graph/GraphStore.ts"
import { ReadingObject } from "./AccessObjects.ts"
import type { ScriptObject } from "./ScriptObject.ts"

/** The features of one part of a graph, by TinkerPop's names. */
type Section = ReadonlyArray<readonly [name: string, isSupported: boolean]>

/** Types of values that a property can have, as TinkerPop's DataTypeFeatures lists them. */
const VALUES = [
  ...["Byte", "Double", "Float", "Integer", "Long", "Map", "MixedList", "Serializable", "String", "UniformList"],
  ...["BooleanArray", "ByteArray", "DoubleArray", "FloatArray", "IntegerArray", "LongArray", "StringArray", "Boolean"]
]

/** Types that no graph stores: arrays other than bytes, and objects of Java. */
const notStored = (type: string): boolean => type === "Serializable" || (type.endsWith("Array") && type !== "ByteArray")

const values = (schema: boolean): Section =>
  VALUES.map((type) => [`${type}Values`, !notStored(type) && !(schema && type.endsWith("List"))])

const ids = (userSupplied: boolean): Section => [
  ["UserSuppliedIds", userSupplied],
  ["NumericIds", true],
  ["StringIds", userSupplied],
  ["UuidIds", userSupplied],
  ["CustomIds", false],
  ["AnyIds", userSupplied]
]

/** The features of a graph by part, in the order of TinkerPop's text. */
const sections = (features: GraphFeatures): ReadonlyArray<readonly [part: string, method: string, Section]> => {
  const { nullPropertyValues, transactions } = features
  const schema = features.creationCardinality === null
  const changes: Section = [
    ["AddProperty", true],
    ["RemoveProperty", true],
    ["NullPropertyValues", nullPropertyValues],
    ["Upsert", false]
  ]
  return [
    [
      "Graph",
      "graph",
      [
        ["Transactions", transactions],
        ["ThreadedTransactions", transactions],
        ["IoRead", true],
        ["IoWrite", true],
        ["OrderabilitySemantics", true],
        ["ServiceCall", true],
        ["Computer", true],
        ["Persistence", features.persistent],
        ["ConcurrentAccess", true]
      ]
    ],
    ["Variable", "variables", [["Variables", !features.persistent], ...values(false)]],
    [
      "Vertex",
      "vertex",
      [
        ["MetaProperties", features.metaProperties],
        ["AddVertices", true],
        ["RemoveVertices", true],
        ["MultiProperties", features.multiProperties],
        ["DuplicateMultiProperties", features.multiProperties],
        ...changes,
        ...ids(features.userSuppliedVertexIds)
      ]
    ],
    [
      "VertexProperty",
      "vertexProperty",
      [
        ["RemoveProperty", true],
        ["NullPropertyValues", nullPropertyValues],
        ...ids(features.userSuppliedVertexPropertyIds),
        ["Properties", true],
        ...values(schema)
      ]
    ],
    ["Edge", "edge", [["AddEdges", true], ["RemoveEdges", true], ...changes, ...ids(features.userSuppliedEdgeIds)]],
    ["EdgeProperty", "edgeProperty", [["Properties", true], ...values(schema)]]
  ]
}

/** `graph.features()`: what the graph supports, as an object with TinkerPop's methods `graph().supportsTransactions()`. */
export const featuresObject = (store: GraphStore): ScriptObject => {
  const all = sections(store.features)
  const words = all
    .map(([part, , section]) => [`> ${part}Features`, ...section.map(([name, is]) => `>-- ${name}: ${is}`)].join("\n"))
    .join("\n")
  const part = (wanted: string): ScriptObject => {
    const section = all.find(([, method]) => method === wanted)?.[2] ?? []
    const methods = section.map(([name, is]) => [`supports${name}`, () => is] as const)
    const own = wanted === "vertex" ? [["properties", () => part("vertexProperty")] as const] : []
    const edge = wanted === "edge" ? [["properties", () => part("edgeProperty")] as const] : []
    return new ReadingObject(
      `features of a ${wanted}`,
      store.name,
      null,
      Object.fromEntries([...methods, ...own, ...edge])
    )
  }
  const text = `FEATURES\n${words}\n`
  const graph = (): ScriptObject => {
    const section = all[0]![2].map(([name, is]) => [`supports${name}`, () => is] as const)
    const methods = Object.fromEntries([...section, ["variables", () => part("variables")]])
    return new ReadingObject("features of a graph", store.name, null, methods)
  }
  return new ReadingObject(
    "features",
    store.name,
    null,
    { graph, vertex: () => part("vertex"), edge: () => part("edge"), toString: () => text },
    text
  )
}
