import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { Geoshape } from "../../src/structure/geoshapes/Geoshape.ts"
import { Double, Float } from "../../src/structure/numbers/Numbers.ts"
import { Char } from "../../src/structure/scalars/Char.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { instantOf } from "../../src/structure/times/Instants.ts"
import { Duration, Timestamp } from "../../src/structure/times/Temporal.ts"
import { runLater } from "../process/run.ts"
import { type JanusGraphPeer, openJanusGraph } from "./JanusGraphPeer.ts"
import { cqlGraph, newKeyspace } from "./Stores.ts"

const MAX_LONG = 2n ** 63n - 1n
const MAX_INT = 2 ** 31 - 1
const MAX_FLOAT = 3.4028234663852886e38
const decimals = (max: number, min: number, as: (value: number) => unknown): ReadonlyArray<unknown> =>
  [0, -1.5, max, min, Number.NEGATIVE_INFINITY].map(as)

/** The values of janusgraph/Types.java. A key takes a number of any type that its own type can represent, and a list for an array. */
const values: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  String: ["", "a", "ä€😀\0\x7f", "x".repeat(20_000)],
  Character: ["a", "€", "\uffff"].map((each) => new Char(each)),
  Boolean: [true, false],
  Byte: [0, 127, -128],
  Short: [0, 32_767, -32_768],
  Integer: [0, -1, MAX_INT, -MAX_INT - 1],
  Long: [0n, -1n, MAX_LONG, -MAX_LONG - 1n],
  Float: decimals(MAX_FLOAT, 2 ** -149, (value) => new Float(value)),
  Double: decimals(Number.MAX_VALUE, Number.MIN_VALUE, (value) => new Double(value)),
  Date: [0, 1_700_000_000_123, -1].map((millis) => new Timestamp(millis)),
  UUID: [new Uuid("00000000-0000-0001-ffff-ffffffffffff")],
  Instant: [instantOf(0, 0), instantOf(1_700_000_000, 123_456_789), instantOf(-2, 999)],
  Duration: [new Duration(0n, 0), new Duration(3n, 5), new Duration(-3n, 999_999_999)],
  Geoshape: [Geoshape.point(1.5, -2.25), Geoshape.circle(10, 20, 5), Geoshape.box(1, 2, 3, 4)],
  "byte[]": [[], [0, 127, -128]],
  "short[]": [[], [0, 32_767, -32_768]],
  "int[]": [[], [0, MAX_INT, -MAX_INT - 1]],
  "long[]": [[], [0n, MAX_LONG, -MAX_LONG - 1n]],
  "float[]": [[], [0, -1.5, MAX_FLOAT].map((value) => new Float(value))],
  "double[]": [[], [0, -1.5, Number.MAX_VALUE].map((value) => new Double(value))],
  "char[]": [[], [new Char("a"), new Char("€")]],
  "boolean[]": [[], [true, false]],
  "String[]": [[], ["a", "", "€"]]
}
const COUNT = Object.values(values).reduce((sum, list) => sum + list.length, 0)

const keyOf = (type: string): string => `of${type.replace("[]", "Array")}`
/** Indexes have long strings as a compressor of the writer has left them: another program does not find them. */
const isFound = (type: string, value: unknown): boolean =>
  !type.endsWith("[]") && type !== "Geoshape" && !(typeof value === "string" && value.length > 16_000)

describe("A value of every data type", () => {
  let java: JanusGraphPeer
  let graph: CellGraph

  const ask = async (script: string, x?: unknown): Promise<ReadonlyArray<unknown>> =>
    (await runLater(graph, script, { as: text, variables: new Map([["x", x]]) })) as ReadonlyArray<unknown>

  beforeAll(async () => {
    const keyspace = newKeyspace()
    java = await openJanusGraph(keyspace, "java", {}, "Types")
    expect(await java.ask("make")).toBe("made")
    expect(await java.ask("write")).toBe(String(COUNT))
    graph = await cqlGraph(keyspace)
    for (const [type, list] of Object.entries(values)) {
      for (const [at, value] of list.entries()) {
        await ask(`g.addV('other').property('${keyOf(type)}', x).property('at', ${at})`, value)
      }
    }
  })

  afterAll(async () => {
    await graph?.close()
    await java?.close()
  })

  it("that is written here is equal in JanusGraph, and in its indexes", async () => {
    expect(await java.ask("compare")).toBe(`${COUNT} equal`)
  })

  it.each(Object.keys(values))("that JanusGraph writes is equal here, and in the indexes: %s", async (type) => {
    const key = keyOf(type)
    for (const [at, value] of values[type]!.entries()) {
      const read = (label: string) => ask(`g.V().hasLabel('${label}').has('${key}').has('at', ${at}).values('${key}')`)
      const ours = await read("other")
      expect(ours).toHaveLength(1)
      expect(await read("java")).toEqual(ours)
      if (!isFound(type, value)) continue
      expect(await ask(`g.V().has('${key}', x).label().order()`, value)).toEqual(["java", "other"])
    }
  })
})
