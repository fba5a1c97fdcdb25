import { describe, expect, it } from "vitest"
import { Bytecode, Instruction, StrategySpec, Traverser } from "../../../src/process/language/Bytecode.ts"
import { NotP, P, TextP } from "../../../src/process/language/Predicate.ts"
import { writeOptionsOf } from "../../../src/protocol/Messages.ts"
import { serializers } from "../../../src/protocol/Serializers.ts"
import { GremlinMap, GremlinSet, MapEntry } from "../../../src/structure/collections/Collections.ts"
import { Tree } from "../../../src/structure/collections/Tree.ts"
import { Detached, type Vertex } from "../../../src/structure/elements/Element.ts"
import { Path } from "../../../src/structure/elements/Path.ts"
import { SubGraph } from "../../../src/structure/elements/SubGraph.ts"
import { parseDecimal } from "../../../src/structure/numbers/Decimal.ts"
import { BigInteger, Byte, Double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../../src/structure/profiles/Metrics.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { ClassName } from "../../../src/structure/scalars/ClassNames.ts"
import { Direction, T } from "../../../src/structure/scalars/Enums.ts"
import { InetAddress } from "../../../src/structure/scalars/InetAddress.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { parseDate } from "../../../src/structure/times/Dates.ts"
import { Duration, Timestamp } from "../../../src/structure/times/Temporal.ts"
import { bulkSet, created, marko } from "../Elements.ts"

const graph = new Detached()
const santaFe = (): Vertex => {
  const vertex = graph.addVertex(1, "person")
  graph.addVertexProperty(vertex, 6n, "location", "san diego", new Map<string, unknown>([["startTime", 1997]]))
  graph.addVertexProperty(vertex, 0n, "name", "marko", null)
  graph.addVertexProperty(vertex, 9n, "location", "santa fe", null)
  return vertex
}
/** A value; GraphSON 3; GraphSON 2, null if equal to 3; GraphSON 1; without types in GraphSON 1, and in 2 if different. */
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
    it(`has a form in every version for: ${name}`, () => {
      expect(serializers.graphSONV3.writeValue(value)).toBe(v3)
      expect(serializers.graphSONV2.writeValue(value)).toBe(v2 ?? v3)
      expect(serializers.graphSONV1.writeValue(value)).toBe(v1)
      expect(serializers.graphSONV1Untyped.writeValue(value)).toBe(v1Untyped)
      expect(serializers.graphSONV2Untyped.writeValue(value)).toBe(v2Untyped ?? v1Untyped)
      expect(serializers.graphSONV3Untyped.writeValue(value)).toBe(v2Untyped ?? v1Untyped)
    })
  }

  it("names the entries of a map by the ids of elements, also when their texts are equal", () => {
    const holder = graph.addVertex(2, "person")
    graph.addVertexProperty(holder, 7n, "name", "marko", null)
    graph.addVertexProperty(holder, 8n, "name", "marko", null)
    const elements = [marko(), created(), ...holder.properties()]
    const map = new GremlinMap(elements.map((element, i): [unknown, unknown] => [element, i]))
    const expected = { "1": 0, "9": 1, "7": 2, "8": 3 }
    for (const version of ["graphSONV1Untyped", "graphSONV2Untyped", "graphSONV3Untyped"] as const) {
      expect(JSON.parse(serializers[version].writeValue(map))).toEqual(expected)
    }
    expect(serializers.graphSONV2.writeValue(map)).toMatch(/^\{"1":.*,"9":.*,"7":.*,"8":/)
    const tree = new Tree(
      new GremlinMap(elements.map((element): [unknown, unknown] => [element, new Tree(new GremlinMap())]))
    )
    expect(Object.keys(JSON.parse(serializers.graphSONV1Untyped.writeValue(tree)))).toEqual(Object.keys(expected))
  })

  it("has forms for predicates, traversals and strategies", () => {
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

  it("has no members that the name of a strategy brings with it", () => {
    const name = 'A","@value":1,"x":"\n'
    for (const serializer of [serializers.graphSONV2, serializers.graphSONV3]) {
      const written = JSON.parse(serializer.writeValue(new StrategySpec(name, new Map()))) as Record<string, unknown>
      expect(Object.keys(written)).toEqual(["@type", "@value"])
      expect(written["@type"]).toBe(`g:${name}`)
    }
  })

  it("contains the elements of a graph", () => {
    const edge = created()
    const written = serializers.graphSONV3.writeValue(new SubGraph([edge.outVertex], [edge]))
    expect(written.startsWith('{"@type":"tinker:graph","@value":{"vertices":[{"@type":"g:Vertex",')).toBe(true)
    expect(written).toContain('],"edges":[{"@type":"g:Edge",')
  })

  it("omits properties if the request does not want them", () => {
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
