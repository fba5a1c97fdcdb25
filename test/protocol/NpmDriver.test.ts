import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { Bytecode, Instruction, Lambda, StrategySpec } from "../../src/process/language/Bytecode.ts"
import { ConnectiveP, NotP, P, TextP } from "../../src/process/language/Predicate.ts"
import { resultsOf } from "../../src/protocol/Messages.ts"
import type { Serializer } from "../../src/protocol/Serializer.ts"
import { serializers } from "../../src/protocol/Serializers.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../src/structure/collections/Collections.ts"
import { Detached, Property, type Vertex } from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import { BigInteger, Double, Float } from "../../src/structure/numbers/Numbers.ts"
import { ClassName } from "../../src/structure/scalars/ClassNames.ts"
import { Cardinality, Direction, DT, GType, Merge, Order, Scope, T } from "../../src/structure/scalars/Enums.ts"
import { parseDate } from "../../src/structure/times/Dates.ts"
import { Timestamp } from "../../src/structure/times/Temporal.ts"
import { shape } from "./Shape.ts"

/** The parts of the driver that have no types. */
interface Driver {
  readonly structure: { readonly Graph: new () => { traversal(): Chain } }
  readonly process: {
    readonly statics: Chain
    readonly P: Record<
      string,
      (...args: ReadonlyArray<unknown>) => { and(other: unknown): unknown; or(other: unknown): unknown }
    >
    readonly TextP: Record<string, (text: string) => unknown>
    readonly t: Record<string, unknown>
    readonly order: Record<string, unknown>
    readonly scope: Record<string, unknown>
    readonly merge: Record<string, unknown>
    readonly cardinality: Record<string, unknown>
    readonly direction: Record<string, unknown>
    readonly dt: Record<string, unknown>
  }
}
type Chain = { readonly [step: string]: (...args: ReadonlyArray<unknown>) => Chain } & { getBytecode(): unknown }
interface Codec {
  writeRequest(request: Record<string, unknown>): Buffer
}
interface Reader {
  readResponse(bytes: Buffer): {
    readonly requestId: unknown
    readonly result: { readonly data: unknown }
    readonly status: unknown
  }
}

const require = createRequire(import.meta.url)
const driver: Driver = require("gremlin")
const json: Record<string, new () => Codec & Reader> = require("gremlin/lib/structure/io/graph-serializer.js")
const binary: {
  readonly graphBinaryWriter: Codec
  readonly graphBinaryReader: Reader
} = require("gremlin/lib/structure/io/binary/GraphBinary.js")
const { P: p, TextP: textP, t, statics: __ } = driver.process
const g = new driver.structure.Graph().traversal()

const strategies: {
  readonly ReadOnlyStrategy: new () => unknown
  readonly SubgraphStrategy: new (options: Record<string, unknown>) => unknown
} = require("gremlin/lib/process/traversal-strategy.js")

const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const formats: ReadonlyArray<readonly [string, Codec, Serializer]> = [
  ["GraphSON 2", new json.GraphSON2Writer!(), serializers.graphSONV2],
  ["GraphSON 3", new json.GraphSON3Writer!(), serializers.graphSONV3],
  ["GraphBinary", binary.graphBinaryWriter, serializers.graphBinaryV1]
]

const step = (operator: string, ...args: ReadonlyArray<unknown>): Instruction => new Instruction(operator, args)
const steps = (...all: ReadonlyArray<Instruction>): Bytecode => new Bytecode([], all)

const traversals: ReadonlyArray<readonly [string, Chain, Bytecode]> = [
  [
    "a hop",
    g.V!().has!("person", "uid", 4711).out!("knows"),
    steps(step("V"), step("has", "person", "uid", 4711), step("out", "knows"))
  ],
  ["comparisons", g.V!().has!("age", p.gt!(29.5)), steps(step("V"), step("has", "age", new P("gt", 29.5)))],
  ["within", g.V!(1).has!("age", p.within!(1, 2)), steps(step("V", 1), step("has", "age", new P("within", [1, 2])))],
  ["within nothing", g.V!().has!("age", p.without!([])), steps(step("V"), step("has", "age", new P("without", [])))],
  ["between", g.V!().is!(p.between!(1, 2)), steps(step("V"), step("is", new P("between", [1, 2])))],
  [
    "inside, both ends excluded",
    g.V!().is!(p.inside!(29, 35)),
    steps(step("V"), step("is", new P("inside", [29, 35])))
  ],
  [
    "and",
    g.V!().is!(p.gt!(1).and(p.lt!(5))),
    steps(step("V"), step("is", new ConnectiveP("and", [new P("gt", 1), new P("lt", 5)])))
  ],
  [
    "or",
    g.V!().is!(p.eq!("a").or(p.eq!("b"))),
    steps(step("V"), step("is", new ConnectiveP("or", [new P("eq", "a"), new P("eq", "b")])))
  ],
  ["not", g.V!().is!(p.not!(p.eq!(1))), steps(step("V"), step("is", new NotP(new P("eq", 1))))],
  ["eq null", g.V!().is!(p.eq!(null)), steps(step("V"), step("is", new P("eq", null)))],
  [
    "text predicates",
    g.V!().has!("name", textP.startingWith!("a")),
    steps(step("V"), step("has", "name", new TextP("startingWith", "a")))
  ],
  [
    "enumerations",
    g.V!().order!(driver.process.scope.local).by!(t.id, driver.process.order.desc),
    steps(step("V"), step("order", Scope.local!), step("by", T.id!, Order.desc!))
  ],
  [
    "nested traversals",
    g.V!().repeat!(__.out!().simplePath!()).times!(2),
    steps(step("V"), step("repeat", steps(step("out"), step("simplePath"))), step("times", 2))
  ],
  [
    "maps with enum keys",
    g.mergeV!(
      new Map<unknown, unknown>([
        [t.label, "person"],
        ["name", "é 😀"]
      ])
    ).option!(driver.process.merge.onCreate, new Map([["x", [1, null]]])),
    steps(
      step(
        "mergeV",
        new GremlinMap([
          [T.label, "person"],
          ["name", "é 😀"]
        ])
      ),
      step("option", Merge.onCreate!, new GremlinMap([["x", [1, null]]]))
    )
  ],
  [
    "cardinalities",
    g.V!().property!(driver.process.cardinality.list, "a", true),
    steps(step("V"), step("property", Cardinality.list!, "a", true))
  ],
  [
    "directions",
    g.V!().toE!(driver.process.direction.both, "knows"),
    steps(step("V"), step("toE", Direction.BOTH!, "knows"))
  ],
  [
    "dates",
    g.inject!(new Date("2023-08-02T10:00:00.123Z")),
    steps(step("inject", parseDate("2023-08-02T10:00:00.123Z")))
  ],
  [
    "date units",
    g.inject!(1).dateAdd!(driver.process.dt.hour, 1),
    steps(step("inject", 1), step("dateAdd", DT.hour!, 1))
  ],
  [
    "numbers",
    g.inject!(1, -1, 1.5, 2 ** 40, Number.NaN, Number.POSITIVE_INFINITY),
    steps(step("inject", 1, -1, 1.5, 2n ** 40n, Number.NaN, Number.POSITIVE_INFINITY))
  ],
  ["lambdas", g.V!().map!(() => "x -> x"), steps(step("V"), step("map", new Lambda("x -> x", "gremlin-groovy", 1)))],
  [
    "strategies",
    g.withStrategies!(new strategies.ReadOnlyStrategy()).V!(),
    new Bytecode([step("withStrategies", new StrategySpec("ReadOnlyStrategy", new Map()))], [step("V")])
  ],
  [
    "strategies with traversals",
    g.withStrategies!(new strategies.SubgraphStrategy({ vertices: __.hasLabel!("person") })).V!(),
    new Bytecode(
      [
        step(
          "withStrategies",
          new StrategySpec("SubgraphStrategy", new Map([["vertices", steps(step("hasLabel", "person"))]]))
        )
      ],
      [step("V")]
    )
  ],
  [
    "strategies to leave out",
    g.withoutStrategies!(strategies.ReadOnlyStrategy).V!(),
    new Bytecode(
      [
        step(
          "withoutStrategies",
          new ClassName("org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy")
        )
      ],
      [step("V")]
    )
  ],
  [
    "options",
    g.with_!("evaluationTimeout", 500).V!(),
    new Bytecode(
      [step("withStrategies", new StrategySpec("OptionsStrategy", new Map([["evaluationTimeout", 500]])))],
      [step("V")]
    )
  ]
]

describe("A request of the npm driver", () => {
  for (const [name, traversal, expected] of traversals) {
    it(`is read completely: ${name}`, () => {
      for (const [format, writer, serializer] of formats) {
        const bytes = writer.writeRequest({
          requestId,
          op: "bytecode",
          processor: "traversal",
          args: { gremlin: traversal.getBytecode(), aliases: { g: "gmodern" } }
        })
        const message = serializer.readMessage(bytes)
        expect(message.requestId, format).toBe(requestId)
        expect(message.op).toBe("bytecode")
        expect(message.processor).toBe("traversal")
        expect(shape(message.args.gremlin), format).toEqual(shape(withoutV2Collections(format, expected)))
        expect(shape(message.args.aliases), format).toEqual({ map: [["g", "gmodern"]] })
      }
    })
  }

  it("may contain a script with bindings", () => {
    for (const [format, writer, serializer] of formats) {
      const bytes = writer.writeRequest({
        requestId,
        op: "eval",
        processor: "",
        args: { gremlin: "g.V(x)", bindings: { x: 1, y: [1, "a"] }, language: "gremlin-groovy", batchSize: 2 }
      })
      const { args } = serializer.readMessage(bytes)
      expect(args.gremlin, format).toBe("g.V(x)")
      expect(shape(args.bindings), format).toEqual({
        map: [
          ["x", 1],
          ["y", [1, "a"]]
        ]
      })
      expect(args.language).toBe("gremlin-groovy")
      expect(args.batchSize).toBe(2)
    }
  })
})

/** The driver's GraphSON 2 sends a Map as an empty object, so its entries are lost. */
const withoutV2Collections = (format: string, bytecode: Bytecode): Bytecode =>
  format !== "GraphSON 2"
    ? bytecode
    : new Bytecode(
        bytecode.sourceInstructions,
        bytecode.stepInstructions.map(({ operator, args }) =>
          step(operator, ...args.map((argument) => (argument instanceof GremlinMap ? new GremlinMap() : argument)))
        )
      )

const detached = new Detached()
const marko = (): Vertex => {
  const vertex = detached.addVertex(1, "person")
  detached.addVertexProperty(vertex, 0n, "name", "marko", null)
  detached.addVertexProperty(vertex, 1n, "location", "santa fe", new Map<string, unknown>([["startTime", 2005]]))
  detached.addVertexProperty(vertex, 2n, "location", "brussels", null)
  return vertex
}

const answer = (
  values: readonly unknown[],
  serializer: Serializer,
  asTraversers = false,
  properties = true
): Buffer => {
  const written = serializer.writeResponse(
    {
      requestId,
      code: 200,
      message: "",
      attributes: new Map([["host", "/127.0.0.1:1"]]),
      data: resultsOf(values, asTraversers)
    },
    { properties }
  )
  return typeof written === "string" ? Buffer.from(written) : written
}

describe("An answer that the npm driver reads", () => {
  const readers: ReadonlyArray<readonly [string, Reader, Serializer]> = [
    ["GraphSON 3", new json.GraphSON3Reader!(), serializers.graphSONV3],
    ["GraphBinary", binary.graphBinaryReader, serializers.graphBinaryV1]
  ]
  for (const [format, reader, serializer] of readers) {
    const read = (...values: ReadonlyArray<unknown>): unknown =>
      reader.readResponse(answer(values, serializer)).result.data

    it(`contains plain values in ${format}`, () => {
      expect(read("é😀", true, null, 1, new Double(1), 1.5, Number.NaN, 7n, new Float(0.5))).toEqual([
        "é😀",
        true,
        null,
        1,
        1,
        1.5,
        Number.NaN,
        7,
        0.5
      ])
      expect(read(new Timestamp(1000), parseDate("2023-08-02T10:00:00+02:00"))).toEqual([
        new Date(1000),
        new Date("2023-08-02T08:00:00Z")
      ])
    })

    it(`contains collections in ${format}`, () => {
      const bulk = new BulkSet()
      bulk.add("a", 2)
      expect(
        read(
          [1, [2]],
          new GremlinSet(["a"]),
          new GremlinMap([
            ["k", 1],
            [2, "v"]
          ]),
          bulk
        )
      ).toEqual([
        [1, [2]],
        new Set(["a"]),
        new Map<unknown, unknown>([
          ["k", 1],
          [2, "v"]
        ]),
        ["a", "a"]
      ])
    })

    it(`contains elements with their properties in ${format}`, () => {
      const vertex = marko()
      const edge = detached.addEdge(7n, "knows", vertex, detached.addVertex("x", "robot"))
      detached.addEdgeProperty(edge, "weight", 0.5)
      const [v, e, property, path] = read(
        vertex,
        edge,
        new Property(null, "weight", 0.5),
        new Path([vertex, "a"], [new Set(["x", "y"]), new Set()])
      ) as ReadonlyArray<Record<string, unknown>>
      expect(v).toMatchObject({ id: 1, label: "person" })
      expect(v!.properties).toMatchObject([
        { id: 0, label: "name", value: "marko" },
        { id: 1, label: "location", value: "santa fe", properties: [{ key: "startTime", value: 2005 }] },
        { id: 2, label: "location", value: "brussels" }
      ])
      expect(e).toMatchObject({ id: 7, label: "knows", outV: { id: 1 }, inV: { id: "x" } })
      expect(e!.properties).toMatchObject([{ key: "weight", value: 0.5 }])
      expect(property).toMatchObject({ key: "weight", value: 0.5 })
      expect(path!.objects).toMatchObject([{ id: 1 }, "a"])
      expect(path!.labels).toEqual([new Set(["x", "y"]), new Set()])
    })

    it(`contains elements without properties in ${format} if the request does not want them`, () => {
      const data = reader.readResponse(answer([marko()], serializer, false, false)).result.data
      expect(data).toMatchObject([{ id: 1, label: "person", properties: [] }])
    })

    it(`contains traversers, status and request id in ${format}`, () => {
      const response = reader.readResponse(answer(["a"], serializer, true))
      expect(response.result.data).toMatchObject([{ object: "a", bulk: 1 }])
      expect(response.requestId).toBe(requestId)
      expect(response.status).toMatchObject({ code: 200, message: "", attributes: new Map([["host", "/127.0.0.1:1"]]) })
    })

    it(`contains constants in ${format}`, () => {
      expect(read(T.id, Direction.OUT)).toEqual([t.id, driver.process.direction.out])
    })
  }

  it("contains big integers, other constants and bytes in GraphBinary, which this driver reads only at the end", () => {
    const [big, type, bytes] = binary.graphBinaryReader.readResponse(
      answer([new BigInteger(-(2n ** 70n)), GType.INT, Uint8Array.of(1, 2)], serializers.graphBinaryV1)
    ).result.data as ReadonlyArray<unknown>
    expect(big).toBe(-(2n ** 70n))
    expect(bytes).toEqual(Buffer.from([1, 2]))
    expect(type).toMatchObject({ typeName: "GType", elementName: "INT" })
  })
})
