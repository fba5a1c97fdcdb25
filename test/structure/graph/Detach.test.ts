import { describe, expect, it } from "vitest"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../src/structure/collections/Collections.ts"
import { keyOf } from "../../../src/structure/collections/Equivalence.ts"
import { Tree } from "../../../src/structure/collections/Tree.ts"
import {
  Detached,
  Edge,
  type ElementSource,
  Property,
  Vertex,
  VertexProperty
} from "../../../src/structure/elements/Element.ts"
import { Path } from "../../../src/structure/elements/Path.ts"
import { detach } from "../../../src/structure/graph/Detach.ts"
import { GraphCopy } from "../../../src/structure/graph/GraphCopy.ts"
import { text } from "../../../src/structure/texts/Text.ts"

/** A source that can be closed, as a transaction is. */
const open = () => {
  const data = new Detached()
  const marko = data.addVertex(1, "person")
  const vadas = data.addVertex(2, "person")
  data.addVertexProperty(marko, 10n, "name", "marko", new Map([["since", 2000]]))
  const knows = data.addEdge(7, "knows", marko, vadas)
  data.addEdgeProperty(knows, "weight", 0.5)
  let closed = false
  const source: ElementSource = new Proxy(data, {
    get: (target, name) => {
      if (closed) throw new Error("the transaction is closed")
      const found = Reflect.get(target, name)
      return typeof found === "function" ? found.bind(target) : found
    }
  })
  return {
    marko: new Vertex(source, marko.ref),
    knows: new Edge(source, knows.ref),
    close: () => {
      closed = true
    }
  }
}

describe("detach", () => {
  it("copies elements out of their transaction, wherever they are in a value", () => {
    const { marko, knows, close } = open()
    const bulk = new BulkSet()
    bulk.add(marko, 2)
    const name = marko.properties()[0]!
    const copy = detach([
      marko,
      knows,
      name,
      name.properties()[0],
      new Property(knows, "weight", 0.5),
      new GremlinMap([[marko, new GremlinSet([knows])]]),
      bulk,
      new MapEntry("a", marko),
      new Path([marko, knows], [new Set(["a"]), new Set()]),
      new Tree(new GremlinMap([[marko, new Tree(new GremlinMap())]])),
      "text",
      null,
      5n
    ]) as unknown[]
    close()
    expect(() => marko.label).toThrow("closed")
    expect(text(copy)).toBe(
      "[v[1], e[7][1-knows->2], vp[name->marko], p[since->2000], p[weight->0.5], {v[1]=[e[7][1-knows->2]]}, {v[1]=2}, " +
        "a=v[1], path[v[1], e[7][1-knows->2]], {v[1]={}}, text, null, 5]"
    )
    const vertex = copy[0] as Vertex
    expect(vertex.label).toBe("person")
    expect(vertex.properties().map((property) => [property.id, property.value])).toEqual([[10n, "marko"]])
    expect((copy[1] as Edge).properties().map((property) => property.value)).toEqual([0.5])
    expect((copy[1] as Edge).outVertex.label).toBe("person")
    expect((copy[2] as VertexProperty).meta?.get("since")).toBe(2000)
    expect((copy[2] as VertexProperty).vertex?.id).toBe(1)
    expect((copy[3] as Property).element).toBeInstanceOf(VertexProperty)
  })

  it("copies an element that occurs twice once, and keeps keys of maps", () => {
    const { marko } = open()
    const [first, second] = detach([marko, marko]) as [Vertex, Vertex]
    expect(first).toBe(second)
    expect(keyOf(first)).toBe(keyOf(marko))
  })
})

describe("GraphCopy", () => {
  it("collects edges with their vertices, each once, and outlives the transaction", () => {
    const { marko, knows, close } = open()
    const copy = new GraphCopy()
    copy.addEdge(knows)
    copy.addEdge(knows)
    copy.addVertex(marko)
    close()
    const { vertices, edges } = copy.result()
    expect(vertices.map((vertex) => [vertex.id, vertex.properties().length])).toEqual([
      [1, 1],
      [2, 0]
    ])
    expect(edges.map(text)).toEqual(["e[7][1-knows->2]"])
    expect(edges[0]!.outVertex).toBe(vertices[0])
  })
})
