import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../src/structure/collections/Collections.ts"
import { Tree } from "../../../src/structure/collections/Tree.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Path } from "../../../src/structure/elements/Path.ts"
import { GraphCopy } from "../../../src/structure/graph/GraphCopy.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { doubleText, floatText } from "../../../src/structure/numbers/NumberText.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { ClassName } from "../../../src/structure/scalars/ClassNames.ts"
import { Direction, DT, GType, T } from "../../../src/structure/scalars/Enums.ts"
import { InetAddress } from "../../../src/structure/scalars/InetAddress.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../src/structure/times/Temporal.ts"

const graph = new Detached()
const marko = graph.addVertex(1, "person")
const vadas = graph.addVertex(2, "person")
graph.addVertexProperty(marko, 0n, "name", "marko", null)
graph.addVertexProperty(marko, 1n, "age", 29, null)
graph.addVertexProperty(marko, 2n, "about", "a text that is longer than twenty characters", null)
const knows = graph.addEdge(7, "knows", marko, vadas)
graph.addEdgeProperty(knows, "weight", 0.5)

describe("text", () => {
  it("writes elements with their ids, edges with both vertices, and properties with a shortened value", () => {
    expect(text(marko)).toBe("v[1]")
    expect(text(knows)).toBe("e[7][1-knows->2]")
    expect(marko.properties().map(text)).toEqual(["vp[name->marko]", "vp[age->29]", "vp[about->a text that is lo...]"])
    expect(text(knows.properties()[0])).toBe("p[weight->0.5]")
  })

  it("writes numbers as Java does", () => {
    expect(
      [1, 1n, double(1), new Float(1.5), new Byte(1), new Short(2), new BigInteger(3n), new BigDecimal(100n, -3)].map(
        text
      )
    ).toEqual(["1", "1", "1.0", "1.5", "1", "2", "3", "1.00E+5"])
    expect([1e10, 1e-5, 0.1, 9999999.5, 1e7, -0, Number.NaN, Number.NEGATIVE_INFINITY].map(doubleText)).toEqual([
      "1.0E10",
      "1.0E-5",
      "0.1",
      "9999999.5",
      "1.0E7",
      "-0.0",
      "NaN",
      "-Infinity"
    ])
    expect([0.1, 1.5e-7, 3.4028234663852886e38, 123456.789, 1].map((n) => floatText(Math.fround(n)))).toEqual([
      "0.1",
      "1.5E-7",
      "3.4028235E38",
      "123456.79",
      "1.0"
    ])
  })

  it("writes Doubles and Floats so that they read back the same", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.double(), (value) => {
        expect(Number(doubleText(value))).toBe(value)
      })
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.float(), (value) => {
        expect(Math.fround(Number(floatText(value)))).toBe(value)
      })
    )
  })

  it("writes collections", () => {
    expect(text([1, null, "a", [double(2)]])).toBe("[1, null, a, [2.0]]")
    expect(text([])).toBe("[]")
    expect(text(new GremlinSet([1, 2]))).toBe("[1, 2]")
    expect(text(new GremlinMap([["name", ["marko"]]]))).toBe("{name=[marko]}")
    expect(
      text(
        new GremlinMap([
          [T.id, 1],
          [null, null]
        ])
      )
    ).toBe("{id=1, null=null}")
    const bulk = new BulkSet()
    bulk.add(marko, 2)
    expect(text(bulk)).toBe("{v[1]=2}")
    expect(text(new MapEntry("a", 1))).toBe("a=1")
    expect(text(new Path([marko, "x"], [new Set(), new Set(["b"])]))).toBe("path[v[1], x]")
    expect(text(new Tree(new GremlinMap([[marko, new Tree(new GremlinMap())]])))).toBe("{v[1]={}}")
    const copy = new GraphCopy()
    copy.addEdge(knows)
    expect(text(copy.result())).toBe("tinkergraph[vertices:2 edges:1]")
  })

  it("writes every other value", () => {
    expect([T.id, Direction.OUT, GType.INT, DT.hour].map(text)).toEqual(["id", "OUT", "INT", "hour"])
    expect([null, undefined, true, "a"].map(text)).toEqual(["null", "null", "true", "a"])
    expect(text(new OffsetDateTime(0, 0, 0))).toBe("1970-01-01T00:00Z")
    expect(text(new Timestamp(0))).toBe("Thu Jan 01 00:00:00 UTC 1970")
    expect(text(new Duration(3661n, 0))).toBe("PT1H1M1S")
    expect(text(new Uuid("6100808B-62f9-42b7-957e-ed66c30f40d1"))).toBe("6100808b-62f9-42b7-957e-ed66c30f40d1")
    expect(text(new Char("x"))).toBe("x")
    expect(text(new Temporal("LocalDate", "2020-01-01"))).toBe("2020-01-01")
    expect(text(new InetAddress(Uint8Array.of(127, 0, 0, 1)))).toBe("/127.0.0.1")
    expect(text(new InetAddress(Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))).toBe(
      "/2001:db8:0:0:0:0:0:1"
    )
    expect(text(new ClassName("java.lang.String"))).toBe("class java.lang.String")
    expect(text(new ClassName("java.util.List"))).toBe("interface java.util.List")
    expect(text(new ClassName("int"))).toBe("int")
    expect(text(Uint8Array.of(1, 2))).toBe("ByteBuffer[2 bytes]")
    expect(text({ toString: () => "own" })).toBe("own")
    expect(text({})).toBe("Object")
  })
})
