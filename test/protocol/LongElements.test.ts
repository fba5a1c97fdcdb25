import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { readHttpBody } from "../../src/protocol/HttpRequest.ts"
import { ResumableRead } from "../../src/protocol/ResumableRead.ts"
import { serializers } from "../../src/protocol/Serializers.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"
import { GremlinMap } from "../../src/structure/collections/Collections.ts"
import { Tree } from "../../src/structure/collections/Tree.ts"
import { Detached } from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import { SubGraph } from "../../src/structure/elements/SubGraph.ts"
import { shape } from "./Shape.ts"

const MANY = 300
const indexes = Array.from({ length: MANY }, (_, i) => i)

const elements = new Detached()
const vertex = elements.addVertex(1, "person")
const other = elements.addVertex(2, "person")
const edge = elements.addEdge(3, "knows", vertex, other)
for (const i of indexes) {
  elements.addVertexProperty(vertex, i, `key${i % 5}`, i, new Map([["note", `${i}`]]))
  elements.addEdgeProperty(edge, `key${i}`, i)
}
const path = new Path(
  indexes,
  indexes.map((i) => new Set(i % 3 === 0 ? [`a${i}`, "b"] : []))
)
const tree = new Tree(new GremlinMap(indexes.map((i) => [i, new Tree(new GremlinMap())])))
const vertices = [vertex, other, ...indexes.map((i) => elements.addVertex(i + 10, "more"))]
const graph = new SubGraph(vertices, [edge, ...indexes.map((i) => elements.addEdge(i + 1_000, "to", vertex, other))])

/** Creates a request in GraphBinary with a binding x. */
const binary = (x: Buffer): Buffer => {
  const write = (value: unknown): Buffer => serializers.graphBinaryV1.writeValue(value)
  const text = (value: string): Buffer => write(value).subarray(2)
  const head = [Buffer.from([0x81]), Buffer.from(randomUUID().replaceAll("-", ""), "hex"), text("eval"), text("")]
  const bindings = [Buffer.from([0x0a, 0, 0, 0, 0, 1]), write("x"), x]
  return Buffer.concat([...head, Buffer.from([0, 0, 0, 2]), ...["gremlin", "1", "bindings"].map(write), ...bindings])
}

const bindingOf = (message: object): unknown => {
  const holder = "args" in message ? (message.args as object) : message
  return (Reflect.get(holder, "bindings") as GremlinMap).get("x")
}

/** Reads a message in slices that end as early as possible, and returns its binding. */
const sliced = (read: (long: ResumableRead) => object): { readonly value: unknown; readonly slices: number } => {
  const reading = new ResumableRead()
  for (let slices = 1; slices < 10_000; slices++) {
    const message = reading.next(new TimeSlice(0), read)
    if (message !== undefined) return { value: bindingOf(message), slices }
  }
  throw new Error("the read does not end")
}

const values: ReadonlyArray<readonly [string, unknown]> = [
  ["a vertex of many properties", vertex],
  ["an edge of many properties", edge],
  ["a path", path],
  ["a tree", tree],
  ["a graph", graph],
  ["several of them", [vertex, [edge, path], tree]]
]

describe("A long element of a request has the same value when it is read in slices", () => {
  it.each(values)("in GraphBinary: %s", (_, value) => {
    const message = binary(serializers.graphBinaryV1.writeValue(value))
    const { slices, value: read } = sliced((long?: ResumableRead) =>
      serializers.graphBinaryV1.readMessage(message, undefined, long)
    )
    expect(slices).toBeGreaterThan(5)
    expect(shape(read)).toEqual(shape(bindingOf(serializers.graphBinaryV1.readMessage(message))))
    expect(shape(read)).toEqual(shape(value))
  })

  it.each(values.filter(([name]) => name !== "a graph"))("in GraphSON: %s", (_, value) => {
    const body = `{"gremlin":"1","bindings":{"x":${serializers.graphSONV3.writeValue(value)}}}`
    const { slices, value: read } = sliced((long?: ResumableRead) => readHttpBody(body, undefined, long))
    expect(slices).toBeGreaterThan(5)
    expect(shape(read)).toEqual(shape(bindingOf(readHttpBody(body))))
  })

  it("in GraphBinary: a text of characters with three bytes each", () => {
    const value = "a€".repeat(800_000)
    const message = binary(serializers.graphBinaryV1.writeValue(value))
    const { slices, value: read } = sliced((long?: ResumableRead) =>
      serializers.graphBinaryV1.readMessage(message, undefined, long)
    )
    expect(slices).toBeGreaterThan(2)
    expect(read === value).toBe(true)
  })
})

describe("A part of a request that is read in one slice is refused above its limit", () => {
  const many = JSON.stringify(Array.from({ length: 20_001 }, (_, i) => `k${i}`))
  const entries = JSON.stringify(Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`k${i}`, 1])))
  const read = (value: string) => (long?: ResumableRead) =>
    readHttpBody(`{"gremlin":"1","bindings":{"x":${value}}}`, undefined, long)

  it.each([
    [
      "labels",
      `{"@type":"g:Path","@value":{"objects":{"@type":"g:List","@value":[1]},"labels":{"@type":"g:List","@value":[{"@type":"g:Set","@value":${many}}]}}}`
    ],
    ["meta-properties", `{"@type":"g:VertexProperty","@value":{"id":1,"label":"a","value":1,"properties":${entries}}}`],
    ["the configuration of a strategy", `{"@type":"g:ReadOnlyStrategy","@value":${entries}}`]
  ])("%s", (what, value) => {
    expect(read(value)).toThrow("the limit is 20000")
    expect(read(value)).toThrow(what)
  })

  it("if it is a list in place of a name, whose text could have any length", () => {
    const value = `{"@type":"g:Path","@value":{"objects":{"@type":"g:List","@value":[1]},"labels":{"@type":"g:List","@value":[[[1,2]]]}}}`
    expect(read(value)).toThrow("The message has a list where a name is expected")
  })
})
