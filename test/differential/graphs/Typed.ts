import { literal } from "../../conformance/Literal.ts"
import { double, int, long, parseBigDecimal, parseDateTime, string, type Value } from "../../conformance/Value.ts"
import { ANY, BOOLEAN, DATE, listOf, mapOf, NUMBER, STRING, setOf } from "../generate/Types.ts"
import type { Key, Model } from "./Model.ts"

const float = (value: number): Value => ({ kind: "float", value: Math.fround(value) })
const uuid: Value = { kind: "uuid", value: "41d2e28a-20a4-4ab0-b379-d810dede3786" }
const date = (text: string): Value => parseDateTime(text)!
const list = (...items: ReadonlyArray<Value>): Value => ({ kind: "list", items })
const set = (...items: ReadonlyArray<Value>): Value => ({ kind: "set", items })
const truth = (value: boolean): Value => ({ kind: "boolean", value })

const numbers: ReadonlyArray<Value> = [
  { kind: "byte", value: 1n },
  { kind: "short", value: 2n },
  int(1),
  int(-3),
  long(1),
  long(9223372036854775807n),
  { kind: "bigInteger", value: 12345678901234567890n },
  float(1.5),
  float(Number.NaN),
  double(1),
  double(Number.NaN),
  double(Number.POSITIVE_INFINITY),
  double(-0),
  parseBigDecimal("1.50")!,
  parseBigDecimal("1")!,
  int(2147483647)
]

const texts: ReadonlyArray<Value> = [
  "",
  "a",
  "B",
  " c ",
  "1",
  "2.5",
  "true",
  "2020-02-29T12:00:00Z",
  "naïve 😀",
  "a,b"
].map(string)
const dates: ReadonlyArray<Value> = ["2020-02-29T12:30:15Z", "2020-02-29T14:30:15+02:00", "1970-01-01T00:00:00Z"].map(
  date
)
const lists: ReadonlyArray<Value> = [
  list(int(1), int(2), int(3)),
  list(),
  list(string("b"), string("a"), string("b")),
  list(int(2), list(int(1)))
]
const sets: ReadonlyArray<Value> = [set(int(1), int(2)), set(string("a")), set()]
const maps: ReadonlyArray<Value> = [
  {
    kind: "map",
    entries: [
      [string("a"), int(1)],
      [string("b"), list(int(2))]
    ]
  },
  { kind: "map", entries: [] }
]

const keys: ReadonlyArray<Key> = [
  { name: "n", on: "vertex", type: NUMBER, samples: numbers },
  { name: "s", on: "vertex", type: STRING, samples: texts },
  { name: "d", on: "vertex", type: DATE, samples: dates },
  { name: "u", on: "vertex", type: { kind: "uuid" }, samples: [uuid] },
  { name: "b", on: "vertex", type: BOOLEAN, samples: [truth(true), truth(false)] },
  { name: "l", on: "vertex", type: listOf(NUMBER), samples: lists },
  { name: "t", on: "vertex", type: setOf(NUMBER), samples: sets },
  { name: "m", on: "vertex", type: mapOf(STRING, ANY), samples: maps },
  { name: "z", on: "vertex", type: { kind: "null" }, samples: [{ kind: "null" }] },
  { name: "w", on: "edge", type: NUMBER, samples: numbers }
]

const VERTEX_COUNT = 16
/** Ids are below 64, because the hash tables of TinkerGraph iterate such ids in ascending order. */
const FIRST_EDGE_ID = 20
const FIRST_PROPERTY_ID = 1_000

const value = (samples: ReadonlyArray<Value>, index: number): string => literal(samples[index % samples.length]!)!

/** One line per vertex, with the next value of each key. Each vertex has edges to the vertices 1 and 3 places after it. */
const build = (): string => {
  const vertices = Array.from({ length: VERTEX_COUNT }, (_, index) => {
    const properties = keys
      .filter(({ on }) => on === "vertex")
      .map((key, place) => ({ ...key, place }))
      .filter(({ place }) => place === 0 || (index + place) % 3 === 0)
      .map(
        ({ name, samples, place }) =>
          `.property(single, "${name}", ${value(samples, index)}, T.id, ${FIRST_PROPERTY_ID + index * 20 + place})`
      )
    return `addV("v${index % 3}").property(T.id, ${index + 1})${properties.join("")}.as("${index + 1}")`
  })
  const edges = Array.from({ length: VERTEX_COUNT }, (_, index) =>
    [1, 3].map((distance, which) => {
      const weight = literal(numbers[(index + which) % numbers.length]!)
      const to = ((index + distance) % VERTEX_COUNT) + 1
      const id = FIRST_EDGE_ID + index * 2 + which
      return `addE("e${which}").from("${index + 1}").to("${to}").property(T.id, ${id}).property("w", ${weight})`
    })
  )
  return `g.${[...vertices, ...edges.flat()].join(".")}.iterate()`
}

/** Has property values of every type, including null. */
export const typed: Model = {
  source: "gtypes",
  writable: false,
  build: [build()],
  vertexIds: Array.from({ length: VERTEX_COUNT }, (_, index) => int(index + 1)),
  edgeIds: Array.from({ length: VERTEX_COUNT * 2 }, (_, index) => int(FIRST_EDGE_ID + index)),
  vertexLabels: ["v0", "v1", "v2"],
  edgeLabels: ["e0", "e1"],
  keys
}
