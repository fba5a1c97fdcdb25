import { describe, expect, it } from "vitest"
import { AdjacencyDecoder } from "../../../src/protocol/graphson/AdjacencyDecoder.ts"
import { AdjacencyEncoder } from "../../../src/protocol/graphson/AdjacencyEncoder.ts"
import { TypedGraphSONWriter } from "../../../src/protocol/graphson/TypedGraphSONWriter.ts"
import { everything } from "../../../src/protocol/Messages.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Double } from "../../../src/structure/numbers/Numbers.ts"
import { type Collected, decoded } from "../CollectedGraph.ts"

const read = (json: string, piece?: number): Collected =>
  decoded((receiver) => new AdjacencyDecoder(receiver), json, piece)

/** The vertex marko and what is known of lop, as each version writes them. */
const versions = {
  "3 with types": [
    '{"id":{"@type":"g:Int32","@value":1},"label":"person","outE":{"created":[{"id":{"@type":"g:Int32","@value":9},"inV":{"@type":"g:Int32","@value":3},"properties":{"weight":{"@type":"g:Double","@value":1.0}}}]},"properties":{"name":[{"id":{"@type":"g:Int64","@value":0},"value":"m\u20ac","properties":{"since":{"@type":"g:Int32","@value":1997}}}]}}',
    '{"id":{"@type":"g:Int32","@value":3},"label":"software","inE":{"created":[{"id":{"@type":"g:Int32","@value":9},"outV":{"@type":"g:Int32","@value":1}}]}}'
  ],
  "1 with types": [
    '{"@class":"java.util.HashMap","id":1,"label":"person","outE":{"@class":"java.util.HashMap","created":["java.util.ArrayList",[{"@class":"java.util.HashMap","id":9,"inV":3,"properties":{"@class":"java.util.HashMap","weight":1.0}}]]},"properties":{"@class":"java.util.HashMap","name":["java.util.ArrayList",[{"@class":"java.util.HashMap","id":["java.lang.Long",0],"value":"m\u20ac","properties":{"@class":"java.util.HashMap","since":1997}}]]}}',
    '{"@class":"java.util.HashMap","id":3,"label":"software","inE":{"@class":"java.util.HashMap","created":["java.util.ArrayList",[{"@class":"java.util.HashMap","id":9,"outV":1}]]}}'
  ]
}

describe("a vertex with very many edges", () => {
  it("is written in parts, which have each edge once and make one line", () => {
    const source = new Detached()
    const hub = source.addVertex(1, "hub")
    const count = 2_000
    const edges = Array.from({ length: count }, (_, at) => source.addEdge(at, at % 3 === 0 ? "a" : "b", hub, hub))
    const encoder = new AdjacencyEncoder(new TypedGraphSONWriter(true, true, everything), 3)
    const parts = [...encoder.vertexParts(hub, edges, edges)]
    const longest = Math.max(...parts.map((part) => part.length))
    const line = parts.join("")
    expect(longest).toBeLessThan(line.length / 5)
    expect(line).toBe(encoder.vertex(hub, edges, edges))
    const found = read(line, 10_000).edges
    expect(
      found
        .filter(({ place }) => place === "out")
        .map(({ id }) => Number(id))
        .sort((a, b) => a - b)
    ).toEqual(Array.from({ length: count }, (_, at) => at))
    expect(found.map(({ label }) => label).filter((label) => label === "a").length).toBe(2 * Math.ceil(count / 3))
  })

  it("is refused with advice when its line is longer than a string may be", () => {
    const decoder = new AdjacencyDecoder({ vertex: () => undefined, edge: () => undefined }, 100)
    decoder.push(Buffer.from(`{"id":1,"label":"v"}\n{"id":2,"label":"${"v".repeat(60)}`))
    expect(() => decoder.push(Buffer.from("v".repeat(60)))).toThrow(
      /^Line 2: the line has more than 100 characters, .* Use CSV, where each edge has a line of its own\.$/
    )
  })
})

describe("reading GraphSON", () => {
  it.each(Object.entries(versions))("version %s", (_version, lines) => {
    for (const piece of [1, 5, 10_000]) {
      const { edges, vertices } = read(`${lines.join("\r\n")}\n\n`, piece)
      expect(vertices).toEqual([
        {
          id: 1,
          label: "person",
          properties: [{ id: 0n, key: "name", value: "m\u20ac", meta: new Map([["since", 1997]]) }]
        },
        { id: 3, label: "software", properties: [] }
      ])
      expect(edges).toEqual([
        { id: 9, label: "created", out: 1, in: 3, properties: new Map([["weight", new Double(1)]]), place: "out" },
        { id: 9, label: "created", out: 1, in: 3, properties: new Map(), place: "in" }
      ])
    }
  })

  it("without types, and wrapped in an object", () => {
    const marko = '{"id":1,"label":"person","properties":{"name":[{"id":0,"value":"marko"}],"age":[{"value":29}]}}'
    expect(read(`{"vertices":[${marko},{"id":2}]}`).vertices).toEqual([
      {
        id: 1,
        label: "person",
        properties: [
          { id: 0, key: "name", value: "marko", meta: null },
          { id: undefined, key: "age", value: 29, meta: null }
        ]
      },
      { id: 2, label: "vertex", properties: [] }
    ])
  })

  it.each<readonly [string, RegExp]>([
    ['{"id":1}\n[]', /Line 2: a vertex must be a JSON object/],
    ['{"label":"x"}', /Line 1: a vertex has no id/],
    ['{"id":1,"label":5}', /Line 1: a label must be a string/],
    ['{"id":1,"properties":{"a":1}}', /Line 1: the properties of a key must be a JSON array/],
    ['{"id":1,"outE":{"a":[{"id":2}]}}', /Line 1: an edge a has no vertex at its other end/],
    ['{"id":1}\n\n{"id":', /Line 3: .*column/],
    ['{"id":1} {"id":2}', /Line 1: Expected the end/]
  ])("reports a fault with its position: %s", (json, message) => {
    expect(() => read(json)).toThrow(message)
  })
})

describe("writing GraphSON", () => {
  const detached = new Detached()
  const marko = detached.addVertex(1, "person")
  detached.addVertexProperty(marko, 0n, "name", "m\u20ac", null)
  detached.addVertexProperty(marko, 1n, "place", "x", new Map([["since", 1997]]))
  detached.addVertexProperty(marko, 2n, "place", "y", null)
  const lop = detached.addVertex(3, "software")
  const created = detached.addEdge(9, "created", marko, lop)
  detached.addEdgeProperty(created, "weight", new Double(1))
  const self = detached.addEdge(10, "self", marko, marko)

  it("has a line for each vertex, with its edges in both directions", () => {
    const encoder = new AdjacencyEncoder(new TypedGraphSONWriter(false, false, everything), 2)
    expect(encoder.vertex(marko, [created, self], [self])).toBe(
      '{"id":1,"label":"person","inE":{"self":[{"id":10,"outV":1}]},' +
        '"outE":{"created":[{"id":9,"inV":3,"properties":{"weight":1.0}}],"self":[{"id":10,"inV":1}]},' +
        '"properties":{"name":[{"id":0,"value":"m\u20ac"}],' +
        '"place":[{"id":1,"value":"x","properties":{"since":1997}},{"id":2,"value":"y"}]}}\n'
    )
  })

  it("has the same content after it is read", () => {
    const encoder = new AdjacencyEncoder(new TypedGraphSONWriter(true, true, everything), 3)
    const { edges, vertices } = read(
      encoder.vertex(marko, [created, self], [self]) + encoder.vertex(lop, [], [created])
    )
    expect(vertices.map(({ id, properties }) => [id, properties.map(({ value }) => value)])).toEqual([
      [1, ["m\u20ac", "x", "y"]],
      [3, []]
    ])
    expect(edges.map(({ id, place, properties }) => [id, place, properties])).toEqual([
      [9, "out", new Map([["weight", new Double(1)]])],
      [10, "out", new Map()],
      [10, "in", new Map()],
      [9, "in", new Map([["weight", new Double(1)]])]
    ])
  })
})
