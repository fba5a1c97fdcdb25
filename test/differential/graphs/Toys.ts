import { double, int, string, type Value } from "../../conformance/Value.ts"
import { NUMBER, STRING } from "../generate/Types.ts"
import type { Key, Model } from "./Model.ts"

const ids = (from: number, to: number): ReadonlyArray<Value> =>
  Array.from({ length: to - from + 1 }, (_, index) => int(from + index))

const strings = (...values: ReadonlyArray<string>): ReadonlyArray<Value> => values.map(string)
const integers = (...values: ReadonlyArray<number>): ReadonlyArray<Value> => values.map(int)

const modernKeys: ReadonlyArray<Key> = [
  { name: "name", on: "vertex", type: STRING, samples: strings("marko", "vadas", "josh", "peter", "lop", "ripple") },
  { name: "age", on: "vertex", type: NUMBER, samples: integers(27, 29, 32, 35) },
  { name: "lang", on: "vertex", type: STRING, samples: strings("java") },
  { name: "weight", on: "edge", type: NUMBER, samples: [0.2, 0.4, 0.5, 1].map(double) }
]

/** TinkerPop's modern graph, as its TinkerFactory makes it. */
export const modern: Model = {
  source: "gmodern",
  build: [],
  writable: false,
  vertexIds: ids(1, 6),
  edgeIds: ids(7, 12),
  vertexLabels: ["person", "software"],
  edgeLabels: ["knows", "created"],
  keys: modernKeys
}

/** Ids of vertex properties start here. They are computed from the id of the vertex and the index of the property. */
const FIRST_PROPERTY_ID = 1_000

/** Returns addV(). `properties`: each the arguments of property() after the cardinality. A repeated key gives a list. */
const vertex = (id: number, label: string, ...properties: ReadonlyArray<string>): string => {
  const added = properties.map((property, place) => {
    const propertyId = FIRST_PROPERTY_ID + id * 20 + place
    return `.property(list, ${property}, T.id, ${propertyId})`
  })
  return `addV("${label}").property(T.id, ${id})${added.join("")}.as("${id}")`
}
const edge = (id: number, label: string, out: number, into: number, properties = ""): string =>
  `addE("${label}").from("${out}").to("${into}").property(T.id, ${id})${properties}`
const built = (...steps: ReadonlyArray<string>): ReadonlyArray<string> => [`g.${steps.join(".")}.iterate()`]

/** Has parallel edges, cycles, self-loops, a vertex without edges, and a name that is both a label and a key. */
export const loops: Model = {
  source: "gloops",
  writable: false,
  build: built(
    vertex(1, "a", '"name", "x"', '"n", 1'),
    vertex(2, "a", '"name", "y"', '"n", 1.0d'),
    vertex(3, "b", '"name", "x"', '"n", 3l'),
    vertex(4, "name", '"a", "alone"'),
    edge(10, "a", 1, 1, '.property("n", 2)'),
    edge(11, "a", 1, 2, '.property("n", 2)'),
    edge(12, "a", 1, 2, '.property("n", 5)'),
    edge(13, "b", 2, 1, '.property("name", "y")'),
    edge(14, "b", 2, 3),
    edge(15, "a", 3, 1, '.property("n", -1)')
  ),
  vertexIds: ids(1, 4),
  edgeIds: ids(10, 15),
  vertexLabels: ["a", "b", "name"],
  edgeLabels: ["a", "b"],
  keys: [
    { name: "name", on: "vertex", type: STRING, samples: strings("x", "y") },
    { name: "n", on: "vertex", type: NUMBER, samples: [int(1), double(1), int(3)] },
    { name: "a", on: "vertex", type: STRING, samples: strings("alone") },
    { name: "n", on: "edge", type: NUMBER, samples: integers(2, 5, -1) },
    { name: "name", on: "edge", type: STRING, samples: strings("y") }
  ]
}

/** Has list properties with meta-properties, as TinkerPop's crew graph. */
export const crew: Model = {
  source: "gcrew",
  writable: false,
  build: built(
    vertex(
      1,
      "person",
      '"name", "marko"',
      '"location", "brussels", "startTime", 1997, "endTime", 2001',
      '"location", "santa fe", "startTime", 2005'
    ),
    vertex(
      2,
      "person",
      '"name", "stephen"',
      '"location", "dulles", "startTime", 1990, "endTime", 2006',
      '"location", "purcellville", "startTime", 2006'
    ),
    vertex(
      3,
      "person",
      '"name", "matthias"',
      '"location", "bremen", "startTime", 2004, "endTime", 2007',
      '"location", "seattle", "startTime", 2014'
    ),
    vertex(4, "person", '"name", "daniel"', '"location", "aachen", "startTime", 2009'),
    vertex(5, "software", '"name", "gremlin"'),
    vertex(6, "software", '"name", "tinkergraph"'),
    edge(7, "develops", 1, 5, '.property("since", 2009)'),
    edge(8, "develops", 1, 6, '.property("since", 2010)'),
    edge(9, "uses", 1, 5, '.property("skill", 4)'),
    edge(10, "uses", 1, 6, '.property("skill", 5)'),
    edge(11, "develops", 2, 5, '.property("since", 2010)'),
    edge(12, "uses", 2, 6, '.property("skill", 4)'),
    edge(13, "develops", 3, 5, '.property("since", 2012)'),
    edge(14, "uses", 4, 5, '.property("skill", 5)'),
    edge(15, "traverses", 5, 6)
  ),
  vertexIds: ids(1, 6),
  edgeIds: ids(7, 15),
  vertexLabels: ["person", "software"],
  edgeLabels: ["develops", "uses", "traverses"],
  keys: [
    { name: "name", on: "vertex", type: STRING, samples: strings("marko", "stephen", "matthias", "daniel", "gremlin") },
    { name: "location", on: "vertex", type: STRING, samples: strings("santa fe", "brussels", "aachen", "seattle") },
    { name: "startTime", on: "vertexProperty", type: NUMBER, samples: integers(1997, 2004, 2005, 2014) },
    { name: "endTime", on: "vertexProperty", type: NUMBER, samples: integers(2001, 2006, 2007) },
    { name: "skill", on: "edge", type: NUMBER, samples: integers(4, 5) },
    { name: "since", on: "edge", type: NUMBER, samples: integers(2009, 2010, 2012) }
  ]
}

const scratchKeys: ReadonlyArray<Key> = [
  { name: "name", on: "vertex", type: STRING, samples: strings("marko", "vadas", "josh", "lop") },
  { name: "age", on: "vertex", type: NUMBER, samples: integers(27, 29, 32) },
  { name: "tag", on: "vertex", type: STRING, samples: strings("x", "y") },
  { name: "since", on: "vertexProperty", type: NUMBER, samples: integers(2001, 2004) },
  { name: "weight", on: "edge", type: NUMBER, samples: [0.5, 1].map(double) }
]

/** Graphs that cases change. The graph of a case is filled before the case. */
export const scratches: ReadonlyArray<Model> = [
  {
    source: "gscratch",
    writable: true,
    build: built(
      vertex(1, "person", '"name", "marko"', '"age", 29', '"tag", "x"', '"tag", "y"'),
      vertex(2, "person", '"name", "vadas"', '"age", 27', '"tag", "x", "since", 2001'),
      vertex(3, "software", '"name", "lop"'),
      vertex(4, "person", '"name", "josh", "since", 2004', '"age", 32'),
      edge(7, "knows", 1, 2, '.property("weight", 0.5d)'),
      edge(8, "knows", 1, 4, '.property("weight", 1.0d)'),
      edge(9, "created", 1, 3),
      edge(10, "created", 4, 3, '.property("weight", 0.5d)'),
      edge(11, "self", 4, 4)
    ),
    vertexIds: ids(1, 4),
    edgeIds: ids(7, 11),
    vertexLabels: ["person", "software"],
    edgeLabels: ["knows", "created", "self"],
    keys: scratchKeys
  },
  {
    source: "gscratch",
    writable: true,
    build: [],
    vertexIds: [],
    edgeIds: [],
    vertexLabels: ["person", "software"],
    edgeLabels: ["knows", "created"],
    keys: scratchKeys
  }
]
