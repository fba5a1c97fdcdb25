import { describe, expect, it } from "vitest"
import { Bytecode, Instruction, StrategySpec, Traverser } from "../../src/process/language/Bytecode.ts"
import { NotP, P, TextP } from "../../src/process/language/Predicate.ts"
import { GraphBinaryReader } from "../../src/protocol/graphbinary/GraphBinaryReader.ts"
import { GraphSONReader } from "../../src/protocol/graphson/GraphSONReader.ts"
import { resultsOf, writeOptionsOf } from "../../src/protocol/Messages.ts"
import { SerializationError } from "../../src/protocol/ProtocolError.ts"
import { janusGraphSerializers, serializers } from "../../src/protocol/Serializers.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../src/structure/Collections.ts"
import { parseDate } from "../../src/structure/Dates.ts"
import { parseDecimal } from "../../src/structure/Decimal.ts"
import { Detached, type Edge, type Vertex } from "../../src/structure/Element.ts"
import { Direction, T } from "../../src/structure/Enums.ts"
import { Geoshape } from "../../src/structure/Geoshape.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../src/structure/Metrics.ts"
import { BigInteger, Byte, Double, Float, Short } from "../../src/structure/Numbers.ts"
import { Path } from "../../src/structure/Path.ts"
import { SubGraph } from "../../src/structure/SubGraph.ts"
import { Char, ClassName, Duration, InetAddress, Temporal, Timestamp, Uuid } from "../../src/structure/Temporal.ts"
import { Tree } from "../../src/structure/Tree.ts"
import { shape } from "./Shape.ts"

const graph = new Detached()
const marko = (): Vertex => {
  const vertex = graph.addVertex(1, "person")
  graph.addVertexProperty(vertex, 0n, "name", "marko", null)
  graph.addVertexProperty(vertex, 1n, "age", 29, null)
  return vertex
}
const created = (): Edge => {
  const edge = graph.addEdge(9, "created", marko(), graph.addVertex(3, "software"))
  graph.addEdgeProperty(edge, "weight", 0.4)
  return edge
}
const santaFe = (): Vertex => {
  const vertex = graph.addVertex(1, "person")
  graph.addVertexProperty(vertex, 6n, "location", "san diego", new Map<string, unknown>([["startTime", 1997]]))
  graph.addVertexProperty(vertex, 0n, "name", "marko", null)
  graph.addVertexProperty(vertex, 9n, "location", "santa fe", null)
  return vertex
}
const bulkSet = (): BulkSet => {
  const set = new BulkSet()
  set.add("marko", 1)
  set.add("josh", 2)
  return set
}

/** Value; GraphSON 3; GraphSON 2 where it differs; GraphSON 1; without types (GraphSON 1, then 2 where it differs). */
const json: ReadonlyArray<readonly [string, unknown, string, string | null, string, string, string?]> = [
  ["Int", 100, '{"@type":"g:Int32","@value":100}', null, "100", "100"],
  ["Long", 100n, '{"@type":"g:Int64","@value":100}', null, '["java.lang.Long",100]', "100"],
  ["Double", new Double(100), '{"@type":"g:Double","@value":100.0}', null, "100.0", "100.0"],
  ["negative zero", -0, '{"@type":"g:Double","@value":-0.0}', null, "-0.0", "-0.0"],
  ["NaN", Number.NaN, '{"@type":"g:Double","@value":"NaN"}', null, '["java.lang.Double","NaN"]', '"NaN"'],
  ["Float", new Float(1.1), '{"@type":"g:Float","@value":1.1}', null, '["java.lang.Float",1.1]', "1.1"],
  ["Byte", new Byte(1), '{"@type":"gx:Byte","@value":1}', null, '["java.lang.Byte",1]', "1"],
  ["Short", new Short(100), '{"@type":"gx:Int16","@value":100}', null, '["java.lang.Short",100]', "100"],
  [
    "BigInteger",
    new BigInteger(123456789987654321123456789987654321n),
    '{"@type":"gx:BigInteger","@value":123456789987654321123456789987654321}',
    null,
    '["java.math.BigInteger",123456789987654321123456789987654321]',
    "123456789987654321123456789987654321"
  ],
  [
    "BigDecimal",
    parseDecimal("1.50"),
    '{"@type":"gx:BigDecimal","@value":1.50}',
    null,
    '["java.math.BigDecimal",1.50]',
    "1.50"
  ],
  [
    "UUID",
    new Uuid("41d2e28a-20a4-4ab0-b379-d810dede3786"),
    '{"@type":"g:UUID","@value":"41d2e28a-20a4-4ab0-b379-d810dede3786"}',
    null,
    '["java.util.UUID","41d2e28a-20a4-4ab0-b379-d810dede3786"]',
    '"41d2e28a-20a4-4ab0-b379-d810dede3786"'
  ],
  [
    "Date",
    new Timestamp(1481750076295),
    '{"@type":"g:Date","@value":1481750076295}',
    null,
    '["java.util.Date",1481750076295]',
    "1481750076295"
  ],
  [
    "OffsetDateTime",
    parseDate("2007-12-03T10:15:30+01:00"),
    '{"@type":"gx:OffsetDateTime","@value":"2007-12-03T10:15:30+01:00"}',
    null,
    '{"@class":"java.time.OffsetDateTime","value":"2007-12-03T10:15:30+01:00"}',
    '"2007-12-03T10:15:30+01:00"'
  ],
  [
    "Duration",
    new Duration(432000n, 0),
    '{"@type":"gx:Duration","@value":"PT120H"}',
    null,
    '{"@class":"java.time.Duration","value":"PT120H"}',
    '"PT120H"'
  ],
  ["Char", new Char("x"), '{"@type":"gx:Char","@value":"x"}', null, '["java.lang.Character","x"]', '"x"'],
  [
    "ByteBuffer",
    Uint8Array.from(Buffer.from("some bytes for you")),
    '{"@type":"gx:ByteBuffer","@value":"c29tZSBieXRlcyBmb3IgeW91"}',
    null,
    '["java.nio.HeapByteBuffer","c29tZSBieXRlcyBmb3IgeW91"]',
    '"c29tZSBieXRlcyBmb3IgeW91"'
  ],
  [
    "InetAddress",
    new InetAddress(Uint8Array.of(127, 0, 0, 1)),
    '{"@type":"gx:InetAddress","@value":"127.0.0.1"}',
    null,
    '["java.net.InetAddress","127.0.0.1"]',
    '"127.0.0.1"'
  ],
  [
    "Class",
    new ClassName("java.io.File"),
    '{"@type":"g:Class","@value":"java.io.File"}',
    null,
    '["java.lang.Class","java.io.File"]',
    '"java.io.File"'
  ],
  ["T", T.id, '{"@type":"g:T","@value":"id"}', null, '["org.apache.tinkerpop.gremlin.structure.T","id"]', '"id"'],
  [
    "list",
    [1, "person", true, null],
    '{"@type":"g:List","@value":[{"@type":"g:Int32","@value":1},"person",true,null]}',
    '[{"@type":"g:Int32","@value":1},"person",true,null]',
    '["java.util.ArrayList",[1,"person",true,null]]',
    '[1,"person",true,null]'
  ],
  [
    "set",
    new GremlinSet(["a"]),
    '{"@type":"g:Set","@value":["a"]}',
    '["a"]',
    '["java.util.LinkedHashSet",["a"]]',
    '["a"]'
  ],
  [
    "bulk set",
    bulkSet(),
    '{"@type":"g:BulkSet","@value":["marko",{"@type":"g:Int64","@value":1},"josh",{"@type":"g:Int64","@value":2}]}',
    '["marko","josh","josh"]',
    '["org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet",["marko","josh","josh"]]',
    '["marko","josh","josh"]'
  ],
  [
    "map with keys of several types",
    new GremlinMap([
      ["a", 1] as const,
      [2n, "b"] as const,
      [Direction.OUT, null] as const,
      [graph.addVertex(7, "x"), 1] as const
    ]),
    '{"@type":"g:Map","@value":["a",{"@type":"g:Int32","@value":1},{"@type":"g:Int64","@value":2},"b",{"@type":"g:Direction","@value":"OUT"},null,' +
      '{"@type":"g:Vertex","@value":{"id":{"@type":"g:Int32","@value":7},"label":"x"}},{"@type":"g:Int32","@value":1}]}',
    '{"a":{"@type":"g:Int32","@value":1},"2":"b","OUT":null,"7":{"@type":"g:Int32","@value":1}}',
    '{"@class":"java.util.LinkedHashMap","a":1,"2":"b","OUT":null,"7":1}',
    '{"a":1,"2":"b","OUT":null,"7":1}'
  ],
  [
    "map entry",
    new MapEntry("ripple", 1n),
    '{"@type":"g:Map","@value":["ripple",{"@type":"g:Int64","@value":1}]}',
    '{"ripple":{"@type":"g:Int64","@value":1}}',
    '{"@class":"java.util.LinkedHashMap","ripple":["java.lang.Long",1]}',
    '{"ripple":1}'
  ],
  [
    "vertex",
    marko(),
    '{"@type":"g:Vertex","@value":{"id":{"@type":"g:Int32","@value":1},"label":"person","properties":{' +
      '"name":[{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":0},"value":"marko","label":"name"}}],' +
      '"age":[{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":1},"value":{"@type":"g:Int32","@value":29},"label":"age"}}]}}}',
    null,
    '{"@class":"java.util.HashMap","id":1,"label":"person","type":"vertex","properties":{"@class":"java.util.HashMap",' +
      '"name":["java.util.ArrayList",[{"@class":"java.util.HashMap","id":["java.lang.Long",0],"value":"marko"}]],' +
      '"age":["java.util.ArrayList",[{"@class":"java.util.HashMap","id":["java.lang.Long",1],"value":29}]]}}',
    '{"id":1,"label":"person","type":"vertex","properties":{"name":[{"id":0,"value":"marko"}],"age":[{"id":1,"value":29}]}}',
    '{"id":1,"label":"person","properties":{"name":[{"id":0,"value":"marko","label":"name"}],"age":[{"id":1,"value":29,"label":"age"}]}}'
  ],
  [
    "vertex whose properties of one key are apart",
    santaFe(),
    '{"@type":"g:Vertex","@value":{"id":{"@type":"g:Int32","@value":1},"label":"person","properties":{' +
      '"location":[{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":6},"value":"san diego","label":"location",' +
      '"properties":{"startTime":{"@type":"g:Int32","@value":1997}}}},' +
      '{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":9},"value":"santa fe","label":"location"}}],' +
      '"name":[{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":0},"value":"marko","label":"name"}}]}}}',
    null,
    '{"@class":"java.util.HashMap","id":1,"label":"person","type":"vertex","properties":{"@class":"java.util.HashMap",' +
      '"location":["java.util.ArrayList",[{"@class":"java.util.HashMap","id":["java.lang.Long",6],"value":"san diego",' +
      '"properties":{"@class":"java.util.HashMap","startTime":1997}},' +
      '{"@class":"java.util.HashMap","id":["java.lang.Long",9],"value":"santa fe"}]],' +
      '"name":["java.util.ArrayList",[{"@class":"java.util.HashMap","id":["java.lang.Long",0],"value":"marko"}]]}}',
    '{"id":1,"label":"person","type":"vertex","properties":{"location":[{"id":6,"value":"san diego","properties":{"startTime":1997}},' +
      '{"id":9,"value":"santa fe"}],"name":[{"id":0,"value":"marko"}]}}',
    '{"id":1,"label":"person","properties":{"location":[{"id":6,"value":"san diego","label":"location","properties":{"startTime":1997}},' +
      '{"id":9,"value":"santa fe","label":"location"}],"name":[{"id":0,"value":"marko","label":"name"}]}}'
  ],
  [
    "edge",
    created(),
    '{"@type":"g:Edge","@value":{"id":{"@type":"g:Int32","@value":9},"label":"created","inVLabel":"software","outVLabel":"person",' +
      '"inV":{"@type":"g:Int32","@value":3},"outV":{"@type":"g:Int32","@value":1},"properties":{"weight":' +
      '{"@type":"g:Property","@value":{"key":"weight","value":{"@type":"g:Double","@value":0.4}}}}}}',
    null,
    '{"@class":"java.util.HashMap","id":9,"label":"created","type":"edge","inVLabel":"software","outVLabel":"person","inV":3,"outV":1,' +
      '"properties":{"@class":"java.util.HashMap","weight":0.4}}',
    '{"id":9,"label":"created","type":"edge","inVLabel":"software","outVLabel":"person","inV":3,"outV":1,"properties":{"weight":0.4}}',
    '{"id":9,"label":"created","inVLabel":"software","outVLabel":"person","inV":3,"outV":1,"properties":{"weight":{"key":"weight","value":0.4}}}'
  ],
  [
    "path",
    new Path(["a", 1], [new Set(["x", "y"]), new Set()]),
    '{"@type":"g:Path","@value":{"labels":{"@type":"g:List","@value":[{"@type":"g:Set","@value":["x","y"]},{"@type":"g:Set","@value":[]}]},' +
      '"objects":{"@type":"g:List","@value":["a",{"@type":"g:Int32","@value":1}]}}}',
    '{"@type":"g:Path","@value":{"labels":[["x","y"],[]],"objects":["a",{"@type":"g:Int32","@value":1}]}}',
    '{"@class":"java.util.HashMap","labels":["java.util.ArrayList",[["java.util.LinkedHashSet",["x","y"]],["java.util.LinkedHashSet",[]]]],' +
      '"objects":["java.util.ArrayList",["a",1]]}',
    '{"labels":[["x","y"],[]],"objects":["a",1]}'
  ],
  [
    "tree",
    new Tree(new GremlinMap([["marko", new Tree(new GremlinMap([["lop", new Tree(new GremlinMap())]]))]])),
    '{"@type":"g:Tree","@value":[{"key":"marko","value":{"@type":"g:Tree","@value":[{"key":"lop","value":{"@type":"g:Tree","@value":[]}}]}}]}',
    null,
    '{"@class":"java.util.HashMap","marko":{"@class":"java.util.HashMap","key":"marko","value":{"@class":"java.util.HashMap",' +
      '"lop":{"@class":"java.util.HashMap","key":"lop","value":{"@class":"java.util.HashMap"}}}}}',
    '{"marko":{"key":"marko","value":{"lop":{"key":"lop","value":{}}}}}',
    '[{"key":"marko","value":[{"key":"lop","value":[]}]}]'
  ],
  [
    "traverser",
    new Traverser("x", 3),
    '{"@type":"g:Traverser","@value":{"bulk":{"@type":"g:Int64","@value":3},"value":"x"}}',
    null,
    '{"@class":"java.util.HashMap","bulk":["java.lang.Long",3],"value":"x"}',
    '{"bulk":3,"value":"x"}'
  ],
  [
    "metrics",
    new TraversalMetrics(4000n, [
      new Metrics({
        id: "7.0.0()",
        name: "VertexStep",
        duration: 100_000_000n,
        counts: new Map([["traverserCount", 4n]]),
        annotations: new Map([["percentDur", new Double(25)]]),
        nested: []
      })
    ]),
    '{"@type":"g:TraversalMetrics","@value":{"@type":"g:Map","@value":["dur",{"@type":"g:Double","@value":0.004},"metrics",{"@type":"g:List","@value":[' +
      '{"@type":"g:Metrics","@value":{"@type":"g:Map","@value":["dur",{"@type":"g:Double","@value":100.0},' +
      '"counts",{"@type":"g:Map","@value":["traverserCount",{"@type":"g:Int64","@value":4}]},"name","VertexStep",' +
      '"annotations",{"@type":"g:Map","@value":["percentDur",{"@type":"g:Double","@value":25.0}]},"id","7.0.0()"]}}]}]}}',
    '{"@type":"g:TraversalMetrics","@value":{"dur":{"@type":"g:Double","@value":0.004},"metrics":[' +
      '{"@type":"g:Metrics","@value":{"dur":{"@type":"g:Double","@value":100.0},"counts":{"traverserCount":{"@type":"g:Int64","@value":4}},' +
      '"name":"VertexStep","annotations":{"percentDur":{"@type":"g:Double","@value":25.0}},"id":"7.0.0()"}}]}}',
    '{"@class":"java.util.HashMap","dur":0.004,"metrics":["java.util.ArrayList",[{"@class":"java.util.HashMap","dur":100.0,' +
      '"counts":{"@class":"java.util.HashMap","traverserCount":["java.lang.Long",4]},"name":"VertexStep",' +
      '"annotations":{"@class":"java.util.HashMap","percentDur":25.0},"id":"7.0.0()"}]]}',
    '{"dur":0.004,"metrics":[{"dur":100.0,"counts":{"traverserCount":4},"name":"VertexStep","annotations":{"percentDur":25.0},"id":"7.0.0()"}]}'
  ],
  [
    "explanation",
    new TraversalExplanation(["A"], [{ strategy: "S", category: "OptimizationStrategy", steps: ["B"] }]),
    '{"@type":"g:TraversalExplanation","@value":{"@type":"g:Map","@value":["original",{"@type":"g:List","@value":["A"]},"intermediate",' +
      '{"@type":"g:List","@value":[{"@type":"g:Map","@value":["strategy","S","category","OptimizationStrategy","traversal",' +
      '{"@type":"g:List","@value":["B"]}]}]},"final",{"@type":"g:List","@value":["B"]}]}}',
    '{"@type":"g:TraversalExplanation","@value":{"original":["A"],"intermediate":[{"strategy":"S","category":"OptimizationStrategy",' +
      '"traversal":["B"]}],"final":["B"]}}',
    '{"@class":"java.util.HashMap","original":["java.util.ArrayList",["A"]],"intermediate":["java.util.ArrayList",[{"@class":"java.util.HashMap",' +
      '"strategy":"S","category":"OptimizationStrategy","traversal":["java.util.ArrayList",["B"]]}]],"final":["java.util.ArrayList",["B"]]}',
    '{"original":["A"],"intermediate":[{"strategy":"S","category":"OptimizationStrategy","traversal":["B"]}],"final":["B"]}'
  ]
]

describe("GraphSON", () => {
  for (const [name, value, v3, v2, v1, v1Untyped, v2Untyped] of json) {
    it(`has its form in every version for: ${name}`, () => {
      expect(serializers.graphSONV3.writeValue(value)).toBe(v3)
      expect(serializers.graphSONV2.writeValue(value)).toBe(v2 ?? v3)
      expect(serializers.graphSONV1.writeValue(value)).toBe(v1)
      expect(serializers.graphSONV1Untyped.writeValue(value)).toBe(v1Untyped)
      expect(serializers.graphSONV2Untyped.writeValue(value)).toBe(v2Untyped ?? v1Untyped)
      expect(serializers.graphSONV3Untyped.writeValue(value)).toBe(v2Untyped ?? v1Untyped)
    })
  }

  it("writes predicates, traversals and strategies", () => {
    const write = (value: unknown): string => serializers.graphSONV3.writeValue(value)
    expect(write(new NotP(new P("eq", "x")))).toBe(
      '{"@type":"g:P","@value":{"predicate":"not","value":{"@type":"g:P","@value":{"predicate":"eq","value":"x"}}}}'
    )
    expect(write(new TextP("containing", "ark"))).toBe(
      '{"@type":"g:TextP","@value":{"predicate":"containing","value":"ark"}}'
    )
    expect(write(new Bytecode([], [new Instruction("V", []), new Instruction("hasLabel", ["person"])]))).toBe(
      '{"@type":"g:Bytecode","@value":{"step":[["V"],["hasLabel","person"]]}}'
    )
    expect(write(new StrategySpec("ReadOnlyStrategy", new Map()))).toBe(
      '{"@type":"g:ReadOnlyStrategy","@value":{"fqcn":"org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy","conf":{}}}'
    )
  })

  it("writes a graph with its elements", () => {
    const edge = created()
    const written = serializers.graphSONV3.writeValue(new SubGraph([edge.outVertex], [edge]))
    expect(written.startsWith('{"@type":"tinker:graph","@value":{"vertices":[{"@type":"g:Vertex",')).toBe(true)
    expect(written).toContain('],"edges":[{"@type":"g:Edge",')
  })

  it("leaves properties out where they are not wanted", () => {
    const bare = writeOptionsOf("tokens")
    expect(writeOptionsOf("all").properties).toBe(true)
    expect(serializers.graphSONV3.writeValue(marko(), bare)).toBe(
      '{"@type":"g:Vertex","@value":{"id":{"@type":"g:Int32","@value":1},"label":"person"}}'
    )
    expect(serializers.graphSONV1Untyped.writeValue(marko(), bare)).toBe(
      '{"id":1,"label":"person","type":"vertex","properties":{}}'
    )
    expect(serializers.graphSONV3.writeValue(created(), bare)).not.toContain("properties")
  })
})

describe("reading GraphSON", () => {
  const read = (text: string): unknown => new GraphSONReader(text, { classes: false, integers: "Int" }).value()

  it("refuses numbers with more digits than can be calculated in a moment", () => {
    const digits = "9".repeat(10_001)
    for (const number of [digits, `"${digits}"`]) {
      for (const text of [
        number,
        `{"@type":"gx:BigInteger","@value":${number}}`,
        `{"@type":"gx:BigDecimal","@value":${number}}`,
        `{"@type":"g:Int64","@value":${number}}`
      ]) {
        if (text === `"${digits}"`) continue
        expect(() => read(text)).toThrow("A number has more than 10000 characters")
      }
    }
    expect(read(`{"@type":"gx:BigInteger","@value":${digits.slice(1)}}`)).toEqual(new BigInteger(10n ** 10_000n - 1n))
  })

  const cases: ReadonlyArray<readonly [string, string, unknown]> = [
    [
      "integers that are too long for a JavaScript number",
      '{"@type":"g:Int64","@value":9007199254740993}',
      9007199254740993n
    ],
    ["the smallest Long", '{"@type":"g:Int64","@value":-9223372036854775808}', -9223372036854775808n],
    ["numbers in quotes", '{"@type":"g:Int64","@value":"42"}', 42n],
    ["an Int that a client wrote with a point", '{"@type":"g:Int32","@value":1.0}', 1],
    ["infinities", '{"@type":"g:Double","@value":"-Infinity"}', Number.NEGATIVE_INFINITY],
    ["a Double without a point", '{"@type":"g:Double","@value":1}', new Double(1)],
    [
      "plain numbers by their form",
      "[1,1.0,2147483648,1e2,-0,123456789012345678901234567890]",
      [1, new Double(1), 2147483648n, new Double(100), 0, new BigInteger(123456789012345678901234567890n)]
    ],
    ["the value before the type", '{"@value":[{"@value":1,"@type":"g:Int64"}],"@type":"g:Set"}', new GremlinSet([1n])],
    [
      "members in their order, whatever their names",
      '{"b":1,"1":2,"__proto__":3}',
      new GremlinMap([
        ["b", 1],
        ["1", 2],
        ["__proto__", 3]
      ])
    ],
    ["the last of two members with one name", '{"a":1,"a":2}', new GremlinMap([["a", 2]])],
    [
      "an object with a type and no value as data",
      '{"@type":"x","a":1}',
      new GremlinMap([
        ["@type", "x"],
        ["a", 1]
      ])
    ],
    ["null of any type", '{"@type":"g:Vertex","@value":null}', null],
    ["escapes", '"\\u00e9\\n\\ud83d\\ude00\\\\"', "é\n😀\\"],
    ["line ends inside strings", '"a\nb\\tc"', "a\nb\tc"],
    ["white space anywhere", ' { "a" : [ 1 , 2 ] } ', new GremlinMap([["a", [1, 2]]])],
    [
      "strategies as 3.6 and 3.7 send them",
      '{"@type":"g:SeedStrategy","@value":{"seed":1}}',
      new StrategySpec("SeedStrategy", new Map([["seed", 1]]))
    ],
    [
      "strategies as 3.8 sends them",
      '{"@type":"g:SeedStrategy","@value":{"fqcn":"org.x.SeedStrategy","conf":{"seed":1}}}',
      new StrategySpec("SeedStrategy", new Map([["seed", 1]]))
    ],
    [
      "strategies by class alone",
      '{"@type":"g:TraversalStrategy","@value":{"fqcn":"org.x.MyStrategy","conf":{}}}',
      new StrategySpec("MyStrategy", new Map())
    ],
    [
      "predicates with typed lists",
      '{"@type":"g:P","@value":{"predicate":"within","value":{"@type":"g:Set","@value":["a"]}}}',
      new P("within", ["a"])
    ],
    ["within a single value", '{"@type":"g:P","@value":{"predicate":"within","value":"a"}}', new P("within", ["a"])],
    ["eq with a list", '{"@type":"g:P","@value":{"predicate":"eq","value":["a"]}}', new P("eq", ["a"])],
    ["constants of older drivers", '{"@type":"g:Order","@value":"decr"}', undefined],
    [
      "relation identifiers",
      '{"@type":"janusgraph:RelationIdentifier","@value":{"relationId":"1zz-3co-4r9-360"}}',
      "1zz-3co-4r9-360"
    ],
    [
      "predicates of JanusGraph",
      '{"@type":"janusgraph:JanusGraphP","@value":{"predicate":"textContains","value":"a"}}',
      new TextP("textContains", "a")
    ],
    [
      "points of JanusGraph",
      '{"@type":"janusgraph:Geoshape","@value":{"coordinates":[{"@type":"g:Double","@value":7.5},{"@type":"g:Double","@value":46}]}}',
      Geoshape.point(46, 7.5)
    ],
    [
      "circles of JanusGraph",
      '{"@type":"janusgraph:Geoshape","@value":{"geometry":{"type":"Circle","coordinates":[7.5,46],"radius":5.5,"properties":{"radius_units":"km"}}}}',
      Geoshape.circle(46, 7.5, 5.5)
    ],
    [
      "boxes of JanusGraph",
      '{"@type":"janusgraph:Geoshape","@value":{"geometry":{"@type":"g:Map","@value":["type","Polygon","coordinates",[[[1,2],[1,4],[3,4],[3,2],[1,2]]]]}}}',
      Geoshape.box(2, 1, 4, 3)
    ],
    [
      "IPv6 addresses",
      '{"@type":"gx:InetAddress","@value":"fe80::1:192.0.2.1"}',
      new InetAddress(Uint8Array.of(0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 192, 0, 2, 1))
    ],
    ["java.time values", '{"@type":"gx:LocalTime","@value":"12:30:45"}', new Temporal("LocalTime", "12:30:45")]
  ]
  for (const [name, text, expected] of cases) {
    it(`understands ${name}`, () => {
      if (expected === undefined) expect(shape(read(text))).toMatchObject({ class: "EnumValue" })
      else expect(shape(read(text))).toEqual(shape(expected))
    })
  }
})

describe("GraphBinary", () => {
  const cases: ReadonlyArray<readonly [string, unknown, string]> = [
    ["null", null, "fe01"],
    ["Int", 257, "01 00 00000101"],
    ["Long", -2n, "02 00 fffffffffffffffe"],
    ["String", "abc€", "03 00 00000006 616263e282ac"],
    ["Date", new Timestamp(1), "04 00 0000000000000001"],
    ["Timestamp", new Timestamp(-1, true), "05 00 ffffffffffffffff"],
    ["Double", 0.1, "07 00 3fb999999999999a"],
    ["integral Double", new Double(1), "07 00 3ff0000000000000"],
    ["Float", new Float(0.375), "08 00 3ec00000"],
    ["List", [1, null], "09 00 00000002 010000000001 fe01"],
    ["Map", new GremlinMap([["a", true]]), "0a 00 00000001 03000000000161 270001"],
    ["Set", new GremlinSet(["a"]), "0b 00 00000001 03000000000161"],
    ["UUID", new Uuid("00112233-4455-6677-8899-aabbccddeeff"), "0c 00 00112233445566778899aabbccddeeff"],
    [
      "Vertex",
      marko(),
      "11 00 010000000001 00000006706572736f6e 0900 00000002" +
        "1200 02000000000000000000 000000046e616d65 0300000000056d61726b6f fe01 090000000000" +
        "1200 02000000000000000001 00000003616765 01000000001d fe01 090000000000"
    ],
    [
      "Edge",
      created(),
      "0d00 010000000009 0000000763726561746564 010000000003 00000008736f667477617265 010000000001 00000006706572736f6e fe01" +
        "0900 00000001 0f00 00000006776569676874 07003fd999999999999a fe01"
    ],
    ["T", T.id, "20 00 0300000000026964"],
    ["Traverser", new Traverser("x", 3), "21 00 0000000000000003 03000000000178"],
    ["BigDecimal", parseDecimal("1.50"), "22 00 00000002 00000002 0096"],
    ["BigInteger -129", new BigInteger(-129n), "23 00 00000002 ff7f"],
    ["BigInteger 128", new BigInteger(128n), "23 00 00000002 0080"],
    ["BigInteger 0", new BigInteger(0n), "23 00 00000001 00"],
    ["Byte", new Byte(-1), "24 00 ff"],
    ["Short", new Short(-2), "26 00 fffe"],
    [
      "Bytecode",
      new Bytecode([], [new Instruction("V", [1])]),
      "15 00 00000001 0000000156 00000001 010000000001 00000000"
    ],
    ["P", new P("within", [1, 2]), "1e 00 0000000677697468696e 00000002 010000000001 010000000002"],
    [
      "bulk set",
      bulkSet(),
      "2a 00 00000002 0300000000056d61726b6f 0000000000000001 0300000000046a6f7368 0000000000000002"
    ],
    ["Char", new Char("€"), "80 00 e282ac"],
    ["OffsetDateTime", parseDate("2007-12-03T10:15:30.120+01:00"), "88 00 000007d7 0c 03 0000219676af2200 00000e10"],
    ["LocalDate", new Temporal("LocalDate", "2016-01-01"), "84 00 000007e0 01 01"],
    [
      "ZonedDateTime",
      new Temporal("ZonedDateTime", "2016-12-23T12:12:24.000000036+02:00[GMT+02:00]"),
      "8d 00 000007e0 0c 17 000027f782829024 00001c20"
    ]
  ]
  for (const [name, value, hex] of cases) {
    it(`has its bytes for: ${name}`, () => {
      expect(serializers.graphBinaryV1.writeValue(value).toString("hex")).toBe(hex.replaceAll(" ", ""))
    })
  }

  it("writes null for properties that are not wanted", () => {
    const bare = { properties: false }
    expect(serializers.graphBinaryV1.writeValue(marko(), bare).toString("hex")).toBe(
      "1100010000000001" + "00000006706572736f6e" + "fe01"
    )
    expect(serializers.graphBinaryV1.writeValue(created(), bare).toString("hex").endsWith("fe01fe01")).toBe(true)
  })

  it("writes an explanation as a map, for it has no type", () => {
    const explanation = new TraversalExplanation(["A"], [{ strategy: "S", category: "C", steps: ["B"] }])
    const back = new GraphBinaryReader(serializers.graphBinaryV1.writeValue(explanation), 0).value()
    expect(shape(back)).toEqual({
      map: [
        ["original", ["A"]],
        [
          "intermediate",
          [
            {
              map: [
                ["strategy", "S"],
                ["category", "C"],
                ["traversal", ["B"]]
              ]
            }
          ]
        ],
        ["final", ["B"]]
      ]
    })
  })

  it("reads the relation identifiers of JanusGraph as their text", () => {
    const name = Buffer.from("janusgraph.RelationIdentifier")
    const long = (value: number): string => value.toString(16).padStart(16, "0")
    const head = `00${name.length.toString(16).padStart(8, "0")}${name.toString("hex")}0000100100`
    const read = (hex: string): unknown => new GraphBinaryReader(Buffer.from(hex, "hex"), 0).value()
    expect(read(`${head}00${long(4104)}${long(5)}${long(36)}00${long(8200)}`)).toBe("10-360-5-6bs")
    expect(
      read(`${head}01${Buffer.from("ab").toString("hex").replace("62", "e2")}${long(5)}${long(36)}00${long(0)}`)
    ).toBe("10-Sab-5")
  })

  it("reads the predicates and shapes of JanusGraph", () => {
    const custom = (name: string, info: string): string =>
      `00${name.length.toString(16).padStart(8, "0")}${Buffer.from(name).toString("hex")}0000${info}00`
    const double = (value: number): string => {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleBE(value)
      return bytes.toString("hex")
    }
    const read = (hex: string): unknown => new GraphBinaryReader(Buffer.from(hex, "hex"), 0).value()
    const geoshape = (kind: number, ...numbers: ReadonlyArray<number>): string =>
      `${custom("janusgraph.Geoshape", "1000")}02${kind.toString(16).padStart(8, "0")}${numbers.map(double).join("")}`
    expect(read(geoshape(0, 46, 7.5))).toEqual(Geoshape.point(46, 7.5))
    expect(read(geoshape(1, 46, 7.5, 5))).toEqual(Geoshape.circle(46, 7.5, 5))
    expect(read(geoshape(2, 1, 2, 3, 4))).toEqual(Geoshape.box(1, 2, 3, 4))
    expect(() => read(geoshape(4, 1, 2))).toThrow("only points, circles and boxes")
    expect(() => read(geoshape(0, 91, 2))).toThrow("a latitude is from -90 to 90")
    const name = Buffer.from("textContains").toString("hex")
    const predicate = `${custom("janusgraph.P", "1002")}0000000c${name}03000000000161`
    expect(read(predicate)).toEqual(new TextP("textContains", "a"))
  })
})

describe("JanusGraph's types in answers, where they are switched on", () => {
  const edge = (): Edge => {
    const graph = new Detached()
    const made = graph.addEdge("10-Salice-5-6bs", "knows", graph.addVertex("alice", "n"), graph.addVertex(8200n, "n"))
    graph.addEdgeProperty(made, "at", Geoshape.point(46, 7.5))
    return made
  }
  const shapes = [Geoshape.point(46, 7.5), Geoshape.circle(46, 7.5, 5), Geoshape.box(1, 2, 3, 4)]

  it("come back as what they were", () => {
    for (const version of ["graphson-v2", "graphson-v3"] as const) {
      const json = janusGraphSerializers[version].writeValue(edge())
      expect(json).toContain('"id":{"@type":"janusgraph:RelationIdentifier","@value":{"relationId":"10-Salice-5-6bs"}}')
      expect(json).toContain('{"@type":"janusgraph:Geoshape","@value":{"coordinates":')
      for (const each of shapes) {
        const written = janusGraphSerializers[version].writeValue(each)
        expect(new GraphSONReader(written, { classes: false, integers: "Int" }).value()).toEqual(each)
      }
    }
    const bytes = janusGraphSerializers["graphbinary-v1"].writeValue(edge())
    expect((new GraphBinaryReader(bytes, 0).value() as Edge).id).toBe("10-Salice-5-6bs")
    expect(bytes.toString("latin1")).toContain("janusgraph.RelationIdentifier")
    for (const each of shapes) {
      const written = janusGraphSerializers["graphbinary-v1"].writeValue(each)
      expect(new GraphBinaryReader(written, 0).value()).toEqual(each)
    }
  })

  it("are texts otherwise", () => {
    expect(serializers.graphSONV3.writeValue(edge())).toContain('"id":"10-Salice-5-6bs"')
    expect(serializers.graphSONV3.writeValue(shapes[0])).toBe('"POINT (7.5 46)"')
    const written = serializers.graphBinaryV1.writeValue(shapes[0])
    expect(new GraphBinaryReader(written, 0).value()).toBe("POINT (7.5 46)")
  })
})

describe("a response", () => {
  const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
  const respond = (name: keyof typeof serializers, code: 200 | 204, data: readonly unknown[] | null): Buffer | string =>
    serializers[name].writeResponse({
      requestId,
      code,
      message: "",
      attributes: new Map([["host", "/127.0.0.1:1"]]),
      data: data === null ? null : resultsOf(data)
    })

  it("has the form of each version", () => {
    expect(respond("graphSONV3", 200, ["a"])).toBe(
      `{"requestId":"${requestId}","status":{"message":"","code":200,"attributes":{"@type":"g:Map","@value":["host","/127.0.0.1:1"]}},` +
        '"result":{"data":{"@type":"g:List","@value":["a"]},"meta":{"@type":"g:Map","@value":[]}}}'
    )
    expect(respond("graphSONV2", 200, ["a"])).toBe(
      `{"requestId":"${requestId}","status":{"message":"","code":200,"attributes":{"host":"/127.0.0.1:1"}},"result":{"data":["a"],"meta":{}}}`
    )
    expect(respond("graphSONV1", 204, null)).toBe(
      `{"@class":"java.util.HashMap","requestId":"${requestId}","status":{"@class":"java.util.HashMap","message":"","code":204,` +
        '"attributes":{"@class":"java.util.HashMap","host":"/127.0.0.1:1"}},"result":{"@class":"java.util.HashMap","data":null,' +
        '"meta":{"@class":"java.util.HashMap"}}}'
    )
    const binary = respond("graphBinaryV1", 204, null) as Buffer
    expect(binary.toString("hex")).toBe(
      `8100${requestId.replaceAll("-", "")}000000cc000000000000000001${"030000000004686f7374"}03000000000c2f3132372e302e302e313a3100000000fe01`
    )
    const text = respond("graphBinaryV1Text", 204, null) as Buffer
    expect(text.toString("latin1").endsWith("\0\0\0\x04null")).toBe(true)
  })

  it("repeats results by their bulk unless they travel as traversers", () => {
    const data = { values: ["a", "b", "unused"], length: 2, bulks: Float64Array.of(2, 1), asTraversers: false }
    const written = (asTraversers: boolean): string =>
      serializers.graphSONV2Untyped.writeResponse({
        requestId,
        code: 200,
        message: "",
        attributes: null,
        data: { ...data, asTraversers }
      })
    expect(written(false)).toContain('"data":["a","a","b"]')
    expect(written(true)).toContain('"data":[{"bulk":2,"value":"a"},{"bulk":1,"value":"b"}]')
  })

  it("is the same in one piece and streamed", () => {
    const batches = [resultsOf([]), resultsOf([1, "a"]), resultsOf([]), resultsOf([marko()])]
    for (const serializer of Object.values(serializers)) {
      const stream = serializer.stream(requestId)
      const items = batches.map((batch) => Buffer.from(stream.items(batch)))
      const whole = Buffer.concat([Buffer.from(stream.head(stream.count, null)), ...items, Buffer.from(stream.tail())])
      const at = serializer.writeResponse({
        requestId,
        code: 200,
        message: "",
        attributes: null,
        data: resultsOf([1, "a", marko()])
      })
      expect(whole.toString("latin1"), serializer.mime).toBe(Buffer.from(at).toString("latin1"))
      expect(stream.count).toBe(3)
    }
  })

  it("shows results as the console does in text/plain", () => {
    const data = { values: [marko(), [1, "a"], null], length: 3, bulks: Float64Array.of(1, 2, 1), asTraversers: true }
    const text = serializers.text.writeResponse({ requestId, code: 200, message: "", attributes: null, data })
    expect(text).toBe("==>v[1]\n==>[1, a]\n==>[1, a]\n==>null")
  })
})

describe("results that cannot be sent", () => {
  it("fail with a SerializationError that says why", () => {
    let nested: unknown = []
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    for (const serializer of [serializers.graphSONV3, serializers.graphSONV1, serializers.graphBinaryV1]) {
      const write = (value: unknown): unknown =>
        serializer.writeResponse({
          requestId: null,
          code: 200,
          message: "",
          attributes: null,
          data: resultsOf([value])
        })
      expect(() => write(nested)).toThrow(SerializationError)
      expect(() => write(() => 1)).toThrow("A result is a function, which cannot be sent to a client.")
      expect(() => write(new (class Odd {})())).toThrow("A result of type Odd cannot be sent to a client.")
    }
  })
})

describe("profile and explanation as text", () => {
  it("are tables", () => {
    const step = new Metrics({
      id: "1",
      name: "VertexStep(OUT)",
      duration: 1_500_000n,
      counts: new Map([
        ["traverserCount", 4n],
        ["elementCount", 5n]
      ]),
      annotations: new Map<string, unknown>([
        ["percentDur", new Double(25)],
        ["index", "byName"]
      ]),
      nested: []
    })
    const lines = String(new TraversalMetrics(6_000_000n, [step])).split("\n")
    expect(lines[0]).toBe("Traversal Metrics")
    expect(lines[3]).toMatch(/^VertexStep\(OUT\) +5 +4 +1\.500 +25\.00$/)
    expect(lines[4]).toBe("  \\_index=byName")
    expect(lines[5]).toMatch(/>TOTAL +- +- +6\.000 +-$/)
    expect(
      String(new TraversalExplanation(["A"], [{ strategy: "S", category: "OptimizationStrategy", steps: ["B"] }]))
    ).toMatch(/^Traversal Explanation\nOriginal Traversal +\[A\]\nS +\[O\] +\[B\]\nFinal Traversal +\[B\]$/)
  })
})
