import { describe, expect, it } from "vitest"
import { BulkSet, GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Tree } from "../../../src/structure/collections/Tree.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Path } from "../../../src/structure/elements/Path.ts"
import { SubGraph } from "../../../src/structure/elements/SubGraph.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { type EnumValue, GType } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { typeName, typeTest } from "../../../src/structure/texts/TypeNames.ts"
import { Duration, OffsetDateTime, Timestamp } from "../../../src/structure/times/Temporal.ts"

const graph = new Detached()
const vertex = graph.addVertex(1, "person")
graph.addVertexProperty(vertex, 0n, "name", "marko", null)
const edge = graph.addEdge(1, "knows", vertex, vertex)
graph.addEdgeProperty(edge, "weight", 0.5)

/** A value, its GTypes beside NUMBER, and the name that typeOf(String) and messages have for it. */
const samples: ReadonlyArray<readonly [unknown, readonly EnumValue[], string]> = [
  [1, [GType.INT, GType.NUMBER], "Integer"],
  [1n, [GType.LONG, GType.NUMBER], "Long"],
  [double(1), [GType.DOUBLE, GType.NUMBER], "Double"],
  [0.5, [GType.DOUBLE, GType.NUMBER], "Double"],
  [new Float(1), [GType.FLOAT, GType.NUMBER], "Float"],
  [new Byte(1), [GType.BYTE, GType.NUMBER], "Byte"],
  [new Short(1), [GType.SHORT, GType.NUMBER], "Short"],
  [new BigInteger(1n), [GType.BIGINT, GType.NUMBER], "BigInteger"],
  [new BigDecimal(1n, 0), [GType.BIGDECIMAL, GType.NUMBER], "BigDecimal"],
  ["a", [GType.STRING], "String"],
  [true, [GType.BOOLEAN], "Boolean"],
  [new Char("a"), [GType.CHAR], "Character"],
  [new Uuid("a"), [GType.UUID], "UUID"],
  [Uint8Array.of(1), [GType.BINARY], "ByteBuffer"],
  [new OffsetDateTime(0, 0, 0), [GType.DATETIME], "OffsetDateTime"],
  [new Duration(0n, 0), [GType.DURATION], "Duration"],
  [vertex, [GType.VERTEX], "Vertex"],
  [edge, [GType.EDGE], "Edge"],
  [vertex.properties()[0], [GType.VPROPERTY, GType.PROPERTY], "VertexProperty"],
  [edge.properties()[0], [GType.PROPERTY], "Property"],
  [new Path([], []), [GType.PATH], "Path"],
  [new Tree(new GremlinMap()), [GType.TREE, GType.MAP], "Tree"],
  [new SubGraph([], []), [GType.GRAPH], "Graph"],
  [null, [GType.NULL], "null"]
]

describe("typeTest", () => {
  it.each(samples)("knows the types of %s", (value, types) => {
    const members = Object.values(GType).filter((type: EnumValue) => typeTest(type)?.(value))
    expect(new Set(members)).toEqual(new Set(types))
  })

  it("tests collections by their types on a Gremlin Server", () => {
    expect(typeTest(GType.LIST)?.([])).toBe(true)
    expect(typeTest(GType.SET)?.(new GremlinSet())).toBe(true)
    expect(typeTest(GType.SET)?.(new BulkSet())).toBe(true)
    expect(typeTest(GType.MAP)?.(new GremlinMap())).toBe(true)
    expect(typeTest(GType.LIST)?.(new GremlinSet())).toBe(false)
  })

  it("accepts simple class names, and no others", () => {
    expect(typeTest("Integer")?.(1)).toBe(true)
    expect(typeTest("VertexProperty")?.(vertex.properties()[0])).toBe(true)
    expect(typeTest("INT")).toBeUndefined()
    expect(typeTest("toString")).toBeUndefined()
  })
})

describe("typeName", () => {
  it.each(samples)("names the type of %s", (value, _, name) => {
    expect(typeName(value)).toBe(name)
  })

  it("distinguishes the types of collections and of dates", () => {
    expect([[], new GremlinMap(), new GremlinSet(), new BulkSet()].map(typeName)).toEqual([
      "ArrayList",
      "LinkedHashMap",
      "LinkedHashSet",
      "BulkSet"
    ])
    expect([new Timestamp(0), new Timestamp(0, true)].map(typeName)).toEqual(["Date", "Timestamp"])
    expect(typeName(GType.INT)).toBe("GType")
  })
})
