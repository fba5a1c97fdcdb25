import { describe, expect, it } from "vitest"
import { GraphBinarySerializer } from "../../src/protocol/graphbinary/GraphBinarySerializer.ts"
import { GraphSONSerializer } from "../../src/protocol/graphson/GraphSONSerializer.ts"
import { everything, type ResultData, resultsOf, type WriteOptions } from "../../src/protocol/Messages.ts"
import { isLong } from "../../src/protocol/ResultWeight.ts"
import { ResumableWrite } from "../../src/protocol/ResumableWrite.ts"
import type { Serializer } from "../../src/protocol/Serializer.ts"
import { TextSerializer } from "../../src/protocol/TextSerializer.ts"
import { WriteProgress } from "../../src/protocol/WriteProgress.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../src/structure/collections/Collections.ts"
import { Tree } from "../../src/structure/collections/Tree.ts"
import {
  Detached,
  Edge,
  type ElementSource,
  type Property,
  Vertex,
  VertexProperty
} from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import { SubGraph } from "../../src/structure/elements/SubGraph.ts"
import { Geoshape } from "../../src/structure/geoshapes/Geoshape.ts"
import type { Line } from "../../src/structure/geoshapes/Shape.ts"

const numbers = Array.from({ length: 2_500 }, (_, i) => i)
const entries = numbers.map((i): [unknown, unknown] => [`key ${i}`, [i, "text"]])
const bulkSet = new BulkSet()
for (const i of numbers) bulkSet.add(i, 1 + (i % 3))
const detached = new Detached()
const vertices = numbers.map((i) => detached.addVertex(i, "person"))
for (const vertex of vertices) detached.addVertexProperty(vertex, 1n, "name", "marko", null)
const edges = vertices.map((vertex, i) => detached.addEdge(i, "knows", vertex, vertices[0]!))
const nested = (depth: number): unknown => (depth === 0 ? numbers : [depth, nested(depth - 1), "behind", []])

const long: ReadonlyArray<readonly [string, unknown]> = [
  ["a list", numbers],
  ["a list of lists", numbers.map((i) => [i, [i]])],
  ["a list of the same long list", [numbers, numbers, 7, numbers]],
  ["a list inside of many", nested(50)],
  ["a set", new GremlinSet(numbers)],
  ["a bulk set", bulkSet],
  ["a map", new GremlinMap(entries)],
  [
    "a map of long lists",
    new GremlinMap([
      ["a", numbers],
      [numbers, numbers],
      ["b", new GremlinMap(entries)]
    ])
  ],
  [
    "a path",
    new Path(
      numbers,
      numbers.map(() => new Set(["a"]))
    )
  ],
  [
    "a tree",
    new Tree(new GremlinMap(numbers.map((i) => [i, new Tree(new GremlinMap([["leaf", new Tree(new GremlinMap())]]))])))
  ],
  ["a graph", new SubGraph(vertices, edges)]
]

/** Elements with long properties. A writer does not examine properties before it writes them. */
const heavyVertex = (...values: ReadonlyArray<unknown>) => {
  const vertex = detached.addVertex(0, "heavy")
  values.forEach((value, i) => {
    const meta = i % 50 === 1 ? new Map([["meta", 1]]) : null
    detached.addVertexProperty(vertex, BigInt(i), `key ${i % 200}`, value, meta)
  })
  return vertex
}
const heavyEdge = detached.addEdge(0, "heavy", vertices[0]!, vertices[1]!)
for (const i of numbers) detached.addEdgeProperty(heavyEdge, `key ${i}`, i % 1000 === 7 ? numbers : "x".repeat(200))
const manyProperties = heavyVertex(...numbers.map((i) => `${i}`.padEnd(300)))
const heavyMeta = detached.addVertex(0, "heavy")
detached.addVertexProperty(heavyMeta, 1n, "key", "value", new Map(numbers.map((i) => [`key ${i}`, "x".repeat(200)])))
const hundredThousand = Array.from({ length: 100_000 }, (_, i) => i)
const heavy: ReadonlyArray<readonly [string, unknown]> = [
  ["a vertex with a long list", heavyVertex("before", hundredThousand, "behind")],
  [
    "a vertex with a long list of short ones",
    heavyVertex(
      1,
      numbers.map(() => numbers.slice(0, 50)),
      "a"
    )
  ],
  ["a vertex with a long map", heavyVertex(1, new GremlinMap(hundredThousand.map((i) => [`key ${i}`, i])), 2)],
  ["a vertex with several long values", heavyVertex(hundredThousand, 2, hundredThousand, new GremlinMap(entries), 3)],
  ["a vertex with very many properties", manyProperties],
  ["an edge with very many properties", heavyEdge],
  ["a property with very many properties", heavyMeta.properties()[0]],
  ["a vertex whose property has very many properties", heavyMeta],
  ["a graph of few elements with very many properties", new SubGraph([manyProperties, heavyMeta], [heavyEdge])],
  ["an entry of a vertex with very many properties", new MapEntry("key", manyProperties)]
]

/** The elements of a transaction: each call makes new objects. Counts the calls. */
class Transaction implements ElementSource {
  calls = 0
  vertexId(): unknown {
    return 0
  }
  vertexLabel(): string {
    return "heavy"
  }
  vertexProperties(): readonly VertexProperty[] {
    this.calls++
    return manyProperties.properties().map(({ id, key, meta, value }) => new VertexProperty(null, id, key, value, meta))
  }
  edgeId(): unknown {
    return 1
  }
  edgeLabel(): string {
    return "heavy"
  }
  edgeOutVertex(): Vertex {
    return vertices[0]!
  }
  edgeInVertex(): Vertex {
    return vertices[1]!
  }
  edgeProperties(): readonly Property[] {
    this.calls++
    return heavyEdge.properties()
  }
}

/** A line of very many places, and how often it was asked for them. */
const countedShape = (): { asked: () => number; shape: Geoshape } => {
  const points = Array.from({ length: 20_000 }, (_, i): [number, number] => [(i % 1000) / 7, (i % 500) / 7])
  let asked = 0
  const counting = (): Line => {
    asked++
    return points
  }
  return {
    asked: () => asked,
    shape: new Geoshape(Object.defineProperty({ kind: "line", points }, "points", { get: counting }))
  }
}

const serializers: ReadonlyArray<Serializer> = [
  new GraphSONSerializer(1, false),
  new GraphSONSerializer(1, true),
  new GraphSONSerializer(2, true),
  new GraphSONSerializer(3, false),
  new GraphSONSerializer(3, true),
  new GraphBinarySerializer(false)
]

/** Writes a batch in parts, in slices that end as early as possible. */
const inSlices = (
  serializer: Serializer,
  data: ResultData,
  options: WriteOptions = everything
): { pieces: Array<Buffer>; slices: number } => {
  const stream = serializer.stream(null, options)
  const progress = new WriteProgress()
  const pieces: Array<Buffer> = []
  let slices = 0
  let asked = 0
  const isOver = (): boolean => ++asked % 3 === 0
  while (progress.row < data.length) {
    if (progress.longRow !== progress.row && !isLong(data.values[progress.row])) {
      const piece = Buffer.from(stream.items(data, progress) as string)
      if (piece.length > 0) pieces.push(piece)
      continue
    }
    const long = new ResumableWrite()
    do slices++
    while (!serializer.writeLong(data, progress.row, long, isOver, options))
    pieces.push(Buffer.concat(stream.longItem(long)))
    progress.row++
  }
  expect(stream.count).toBe(data.length)
  return { pieces, slices }
}

describe.each(serializers.map((serializer) => [serializer.mime, serializer] as const))("%s", (_, serializer) => {
  it.each(long)("has the same bytes for %s in slices", (_, value) => {
    for (const asTraversers of [false, true]) {
      const data = resultsOf([1, value, value, "end"], asTraversers)
      const whole = Buffer.from(serializer.stream(null, everything).items(data) as string)
      const { pieces, slices } = inSlices(serializer, data)
      expect(slices).toBeGreaterThan(40)
      expect(pieces.length).toBe(4)
      expect(Buffer.concat(pieces).equals(whole)).toBe(true)
    }
  })

  it.each(heavy)("has the same bytes for %s in slices", (_, value) => {
    for (const asTraversers of [false, true]) {
      const data = resultsOf([1, value, 2, [value], "end"], asTraversers)
      const whole = Buffer.from(serializer.stream(null, everything).items(data) as string)
      expect(isLong(value)).toBe(false)
      const { pieces, slices } = inSlices(serializer, data)
      expect(slices).toBeGreaterThan(40)
      expect(pieces.length).toBe(5)
      expect(Buffer.concat(pieces).equals(whole)).toBe(true)
    }
  })

  it("asks a transaction for the properties of an element once for all slices", () => {
    for (const wrap of [
      (vertex: Vertex, edge: Edge) => [vertex, edge],
      (vertex: Vertex, edge: Edge) => [[vertex, edge]],
      (vertex: Vertex, edge: Edge) => [new SubGraph([vertex], [edge])],
      (vertex: Vertex, edge: Edge) => [new MapEntry(1, vertex), new MapEntry(2, edge)]
    ]) {
      const transaction = new Transaction()
      const data = resultsOf(wrap(new Vertex(transaction, 0), new Edge(transaction, 0)))
      const whole = Buffer.from(serializer.stream(null, everything).items(data) as string)
      transaction.calls = 0
      const { pieces, slices } = inSlices(serializer, data)
      expect(slices).toBeGreaterThan(40)
      expect(Buffer.concat(pieces).equals(whole)).toBe(true)
      // Once for each element in slices, and before that without interruption.
      expect(transaction.calls).toBeLessThanOrEqual(4)
    }
  })

  it("converts the places of a shape once for all slices", () => {
    const { asked, shape } = countedShape()
    const options = { ...everything, janusGraph: true }
    const data = resultsOf([shape])
    const whole = Buffer.from(serializer.stream(null, options).items(data) as string)
    const once = asked()
    const { pieces } = inSlices(serializer, data, options)
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
    // Without interruption first, then in slices.
    expect(asked()).toBeLessThanOrEqual(3 * once)
  })

  it("has the same bytes in parts for texts and bytes of megabytes", () => {
    // Characters of one to four bytes, which a part could split, and characters that JSON escapes.
    const text = 'a"é\0\u{1f600}日'.repeat(200_000)
    const bytes = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * 7) & 255)
    const property = new VertexProperty(null, 1n, "text", text, null)
    const inside = [bytes, text, "", [text, numbers], new GremlinMap([["key", text]]), property, "end"]
    const data = resultsOf(["x".repeat(2_000_000), text, bytes, property, inside])
    const whole = Buffer.from(serializer.stream(null, everything).items(data) as string)
    const { pieces, slices } = inSlices(serializer, data)
    expect(slices).toBeGreaterThan(40)
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
  })

  it("ends a part at about 64 kB, and a response with this part has the code of partial content", () => {
    const data = resultsOf(Array.from({ length: 256 }, () => "x".repeat(10_000)))
    const { pieces } = inSlices(serializer, data)
    expect(pieces.length).toBeGreaterThan(30)
    for (const piece of pieces) expect(piece.length).toBeLessThan(80_000)
    const progress = new WriteProgress()
    const response = { requestId: null, code: 200, message: "", attributes: new Map([["host", "h"]]), data } as const
    const frame = Buffer.from(serializer.writeResponse(response, everything, progress) as string)
    expect(progress.row).toBe(7)
    const part = { ...response, code: 206, attributes: null, data: resultsOf(data.values.slice(0, 7)) } as const
    expect(frame.equals(Buffer.from(serializer.writeResponse(part) as string))).toBe(true)
  })

  it("has the same bytes for a response with one long result, in parts of limited length", () => {
    const data = resultsOf([[numbers, "é".repeat(3_000_000), numbers]])
    const response = { requestId: null, code: 200, message: "", attributes: new Map([["host", "h"]]) } as const
    const long = new ResumableWrite()
    while (!serializer.writeLong(data, 0, long, () => true, everything));
    const { length, buffers } = serializer.writeLongResponse(response, long, everything)
    const whole = Buffer.concat(buffers)
    expect(length).toBe(whole.length)
    expect(whole.equals(Buffer.from(serializer.writeResponse({ ...response, data }) as string))).toBe(true)
    for (const buffer of buffers) expect(buffer.length).toBeLessThan(1_100_000)
  })
})

describe.each([new TextSerializer(), new GraphBinarySerializer(true)])("$mime", (serializer) => {
  it("has the same bytes in parts for a text of megabytes", () => {
    const text = "é\0\u{1f600}".repeat(500_000)
    const data = resultsOf([1, text, "between", text])
    const whole = Buffer.from(serializer.stream(null, everything).items(data) as string)
    const { pieces, slices } = inSlices(serializer, data)
    expect(slices).toBeGreaterThan(2)
    expect(Buffer.concat(pieces).equals(whole)).toBe(true)
  })
})
