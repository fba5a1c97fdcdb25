import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { GraphBinaryReader } from "../../src/protocol/graphbinary/GraphBinaryReader.ts"
import { GraphMLEncoder } from "../../src/protocol/graphml/GraphMLEncoder.ts"
import { GraphSONReader } from "../../src/protocol/graphson/GraphSONReader.ts"
import { janusGraphSerializers, serializers } from "../../src/protocol/Serializers.ts"
import { Detached } from "../../src/structure/elements/Element.ts"
import { Geoshape } from "../../src/structure/geoshapes/Geoshape.ts"
import { shapeOfText } from "../../src/structure/geoshapes/WellKnownText.ts"
import { parseDecimal } from "../../src/structure/numbers/Decimal.ts"
import { BigInteger, Byte, Double, Float, Short } from "../../src/structure/numbers/Numbers.ts"
import { Char } from "../../src/structure/scalars/Char.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { instantOf } from "../../src/structure/times/Instants.ts"
import { Duration, Timestamp } from "../../src/structure/times/Temporal.ts"

const shape = (text: string): Geoshape => Geoshape.of(shapeOfText(text))

/** The values of the table. */
const values: Readonly<Record<string, unknown>> = {
  byte: new Byte(-1),
  short: new Short(300),
  char: new Char("x"),
  int: 1,
  long: 1n,
  float: new Float(Math.fround(0.1)),
  double: 0.1,
  bigint: new BigInteger(1n),
  bigdec: parseDecimal("1.5"),
  date: new Timestamp(1_481_750_076_295),
  instant: instantOf(1_481_750_076, 295_000_000),
  duration: new Duration(5n, 0),
  uuid: new Uuid("41d2e28a-20a4-4ab0-b379-d810dede3786"),
  point: Geoshape.point(1.5, 2.5),
  circle: Geoshape.circle(1.5, 2.5, 10),
  box: Geoshape.box(1, 2, 3, 4),
  line: shape("LINESTRING (1 2, 3 4)"),
  polygon: shape("POLYGON ((0 0, 0 1, 1 1, 0 0))"),
  multipoint: shape("MULTIPOINT ((1 1), (2 2))"),
  multiline: shape("MULTILINESTRING ((1 1, 2 2), (3 3, 4 4))"),
  multipolygon: shape("MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((5 5, 9 5, 9 9, 5 9, 5 5)))"),
  collection: shape("GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (1 2, 3 4))")
}

const file = new URL("../fixtures/janusgraph-wire/values.tsv", import.meta.url)
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [name, , v3, v2, v1, binary, graphML] = line.split("\t") as [
      string,
      string,
      string,
      string,
      string,
      string,
      string
    ]
    return { name, v3, v2, v1, binary, graphML }
  })

const read = (json: string, classes: boolean): unknown => new GraphSONReader(json, { classes, integers: "Int" }).value()

describe("A value on the wire has the form of JanusGraph, and is read again", () => {
  it("in every line of the table", () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(values))
  })

  it.each(rows)("GraphSON 3: $name", ({ name, v3 }) => {
    expect(janusGraphSerializers["graphson-v3"].writeValue(values[name])).toBe(v3)
    expect(read(v3, false)).toEqual(values[name])
  })

  it.each(rows)("GraphSON 2: $name", ({ name, v2 }) => {
    expect(janusGraphSerializers["graphson-v2"].writeValue(values[name])).toBe(v2)
    expect(read(v2, false)).toEqual(values[name])
  })

  it.each(rows)("GraphSON 1: $name", ({ name, v1 }) => {
    expect(janusGraphSerializers["graphson-v1"].writeValue(values[name])).toBe(v1)
    expect(read(v1, true)).toEqual(values[name])
  })

  it.each(rows)("GraphBinary: $name", ({ binary, name }) => {
    expect(janusGraphSerializers["graphbinary-v1"].writeValue(values[name]).toString("hex")).toBe(binary)
    expect(new GraphBinaryReader(Buffer.from(binary, "hex"), 0).value()).toEqual(values[name])
  })

  it.each(rows)("GraphML, if GraphML has its type: $name", ({ graphML, name }) => {
    const graph = new Detached()
    const vertex = graph.addVertex(1, "p")
    graph.addVertexProperty(vertex, 2n, "k", values[name], null)
    const encoder = new GraphMLEncoder()
    const [type, text] = graphML.split(" ")
    if (type === "string" || type === "-") {
      // TinkerPop writes their text, from which nobody can read the type.
      expect(() => encoder.survey(vertex)).toThrow("GraphML")
      return
    }
    encoder.survey(vertex)
    expect(encoder.begin()).toContain(`attr.name="k" attr.type="${type}"`)
    expect(encoder.vertex(vertex)).toContain(`<data key="k">${text}</data>`)
  })
})

describe("The id of an edge", () => {
  it("has JanusGraph's type in GraphSON 1", () => {
    const graph = new Detached()
    const edge = graph.addEdge("1z7-36g-4r9-3c0", "knows", graph.addVertex(4120n, "p"), graph.addVertex(4320n, "p"))
    const id =
      '"id":["org.janusgraph.graphdb.relations.RelationIdentifier",{"value":"1z7-36g-4r9-3c0","@class":"java.util.HashMap"}]'
    expect(janusGraphSerializers["graphson-v1"].writeValue(edge)).toContain(id)
    expect(serializers.graphSONV1.writeValue(edge)).toContain('"id":"1z7-36g-4r9-3c0"')
  })

  it("is read in GraphSON 1", () => {
    const id =
      '["org.janusgraph.graphdb.relations.RelationIdentifier",{"value":"1z7-36g","@class":"java.util.HashMap"}]'
    expect(read(`["java.util.ArrayList",[${id},${id}]]`, true)).toEqual(["1z7-36g", "1z7-36g"])
  })

  it("is read in GraphSON 1 as an object with its class, and refused without a text", () => {
    const name = '"@class":"org.janusgraph.graphdb.relations.RelationIdentifier"'
    const id = `{${name},"value":"1z7-36g"}`
    expect(read(`["java.util.ArrayList",[${id},${id}]]`, true)).toEqual(["1z7-36g", "1z7-36g"])
    for (const members of ["", ',"value":7', ',"outVertexId":4120']) {
      expect(() => read(`{${name}${members}}`, true)).toThrow("RelationIdentifier has no text")
    }
  })
})

describe("Another class of JanusGraph in GraphSON 1", () => {
  it.each([
    '["org.janusgraph.core.attribute.Text",{"@class":"java.util.HashMap"}]',
    '{"@class":"org.janusgraph.graphdb.tinkerpop.io.JanusGraphP","predicate":"textContains"}'
  ])("is refused: %s", (json) => {
    expect(() => read(json, true)).toThrow("cannot be read in GraphSON 1")
  })

  it("is a text in a list of texts", () => {
    const list = '["org.janusgraph.core.Text","b","c"]'
    expect(read(list, true)).toEqual(["org.janusgraph.core.Text", "b", "c"])
  })
})

describe("An array of numbers in GraphSON 1", () => {
  it.each([
    ['["[D",[1.0,2.5]]', [new Double(1), 2.5]],
    ['["[F",[1.5]]', [new Float(1.5)]],
    ['["[I",[1,2]]', [1, 2]],
    ['["[J",[1,2]]', [1n, 2n]],
    ['["[S",[1]]', [new Short(1)]],
    ['["[J",[]]', []],
    ['["[J","x"]', ["[J", "x"]]
  ])("is a list of its type: %s", (json, expected) => {
    expect(read(json, true)).toEqual(expected)
  })
})

describe("An array of Java", () => {
  it.each([
    [
      "short[]",
      [new Short(1)],
      '{"@type":"g:List","@value":[{"@type":"gx:Int16","@value":1}]}',
      "09000000000126000001"
    ],
    ["int[]", [1], '{"@type":"g:List","@value":[{"@type":"g:Int32","@value":1}]}', "090000000001010000000001"],
    [
      "long[]",
      [1n],
      '{"@type":"g:List","@value":[{"@type":"g:Int64","@value":1}]}',
      "09000000000102000000000000000001"
    ],
    [
      "float[]",
      [new Float(1.5)],
      '{"@type":"g:List","@value":[{"@type":"g:Float","@value":1.5}]}',
      "09000000000108003fc00000"
    ],
    [
      "double[]",
      [1.5],
      '{"@type":"g:List","@value":[{"@type":"g:Double","@value":1.5}]}',
      "09000000000107003ff8000000000000"
    ],
    ["char[]", [new Char("a")], '{"@type":"g:List","@value":[{"@type":"gx:Char","@value":"a"}]}', "090000000001800061"],
    ["boolean[]", [true], '{"@type":"g:List","@value":[true]}', "090000000001270001"],
    ["String[]", ["a"], '{"@type":"g:List","@value":["a"]}', "09000000000103000000000161"],
    ["byte[]", Uint8Array.of(1, 2), '{"@type":"gx:ByteBuffer","@value":"AQI="}', "2500000000020102"]
  ])("is a list, or a ByteBuffer: %s", (_, value, v3, binary) => {
    expect(serializers.graphSONV3.writeValue(value)).toBe(v3)
    expect(serializers.graphBinaryV1.writeValue(value).toString("hex")).toBe(binary)
  })
})
