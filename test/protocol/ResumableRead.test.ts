import { randomUUID } from "node:crypto"
import { describe, expect, it, vi } from "vitest"
import { Formats } from "../../src/layers/transport/shared/Formats.ts"
import { GraphBinaryReader } from "../../src/protocol/graphbinary/GraphBinaryReader.ts"
import { type HttpRequest, readHttpBody } from "../../src/protocol/HttpRequest.ts"
import type { RequestMessage } from "../../src/protocol/Messages.ts"
import { ResumableRead } from "../../src/protocol/ResumableRead.ts"
import { janusGraphSerializers, serializers } from "../../src/protocol/Serializers.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"
import { GremlinMap } from "../../src/structure/collections/Collections.ts"
import { Geoshape } from "../../src/structure/geoshapes/Geoshape.ts"
import { shapeOfText } from "../../src/structure/geoshapes/WellKnownText.ts"
import { shape } from "./Shape.ts"

const id = randomUUID()

/** Nested lists and maps, some with more members than one slice can read. */
const values = Array.from({ length: 300 }, (_, i) => ({
  i,
  list: Array.from({ length: i % 7 === 0 ? 200 : 3 }, (_, k) => `${i}-${k}`),
  map: { "@type": "g:Map", "@value": ["a", { "@type": "g:Int64", "@value": i }, 2, [i, [i, { deep: i }]]] }
}))
const steps = Array.from({ length: 500 }, (_, i) => ["has", "name", `${i}`, { "@type": "g:Int32", "@value": i }])

const message = JSON.stringify({
  requestId: id,
  op: "bytecode",
  processor: "traversal",
  args: {
    gremlin: { "@type": "g:Bytecode", "@value": { step: steps } },
    bindings: { values, more: Object.fromEntries(values.map((value, i) => [`name ${i}`, value])) }
  }
})
const body = JSON.stringify({ gremlin: "g.inject(values)", bindings: { values, after: 1 } })

/** The same values in GraphBinary. */
const binary = (): Buffer => {
  const write = (value: unknown): Buffer => serializers.graphBinaryV1.writeValue(value)
  const text = (value: string): Buffer => write(value).subarray(2)
  const list = values.map((value) => [value.i, value.list, new GremlinMap(Object.entries({ a: [value.i, [value.i]] }))])
  const bindings = new GremlinMap(list.map((value, i) => [`name ${i}`, value]))
  return Buffer.concat([
    Buffer.from([0x81]),
    Buffer.from(id.replaceAll("-", ""), "hex"),
    text("eval"),
    text(""),
    Buffer.from([0, 0, 0, 2]),
    write("gremlin"),
    write("g.inject(1)"),
    write("bindings"),
    write(bindings)
  ])
}

/** Reads in slices that end as early as possible, and counts the slices. */
const sliced = <A>(read: (long?: ResumableRead) => A): { readonly result: A; readonly slices: number } => {
  const reading = new ResumableRead()
  for (let slices = 1; slices < 100_000; slices++) {
    const result = reading.next(new TimeSlice(0), read)
    if (result !== undefined) return { result, slices }
  }
  throw new Error("the read does not end")
}

describe("A long message", () => {
  it.each([
    ["GraphSON", (long?: ResumableRead) => serializers.graphSONV3.readMessage(Buffer.from(message), undefined, long)],
    ["GraphSON 1", (long?: ResumableRead) => serializers.graphSONV1.readMessage(Buffer.from(message), undefined, long)],
    ["GraphBinary", (long?: ResumableRead) => serializers.graphBinaryV1.readMessage(binary(), undefined, long)],
    ["the JSON of a POST", (long?: ResumableRead) => readHttpBody(Buffer.from(body), undefined, long)]
  ])("in %s has the same content when it is read in slices", (_, read) => {
    const { result, slices } = sliced<HttpRequest | RequestMessage>(read)
    expect(slices).toBeGreaterThan(20)
    const { heldBytes: held, ...parts } = result
    const { heldBytes, ...expected } = read()
    expect(parts).toEqual(expected)
    expect(held).toBeGreaterThanOrEqual(heldBytes)
    expect(held).toBeLessThan(heldBytes * 4)
  })

  const numbers = Array.from({ length: 20_000 }, (_, i) => i)
  const typed = (type: string) => JSON.stringify({ "@type": type, "@value": numbers })

  it.each([
    [
      "an unknown member",
      (long?: ResumableRead) =>
        readHttpBody(
          `{"gremlin":"g","bindings":{"x":{"@type":"g:P","@value":{"junk":${JSON.stringify([numbers])},"predicate":"eq","value":1}}}}`,
          undefined,
          long
        )
    ],
    [
      "very many members",
      (long?: ResumableRead) =>
        serializers.graphSONV3.readMessage(
          Buffer.from(`{"requestId":"${id}","op":"eval"${',"a":[]'.repeat(20_000)}}`),
          undefined,
          long
        )
    ],
    [
      "very many arguments",
      (long?: ResumableRead) =>
        serializers.graphSONV3.readMessage(
          Buffer.from(`{"requestId":"${id}","op":"eval","args":{"b":1${',"a":[]'.repeat(20_000)}}}`),
          undefined,
          long
        )
    ],
    [
      "a value before its type",
      (long?: ResumableRead) =>
        readHttpBody(
          `{"gremlin":"g","bindings":{"x":{"@value":${JSON.stringify(numbers)},"@type":"g:Set"}}}`,
          undefined,
          long
        )
    ],
    [
      "a set",
      (long?: ResumableRead) => readHttpBody(`{"gremlin":"g","bindings":{"x":${typed("g:Set")}}}`, undefined, long)
    ],
    [
      "a bulk set",
      (long?: ResumableRead) => readHttpBody(`{"gremlin":"g","bindings":{"x":${typed("g:BulkSet")}}}`, undefined, long)
    ],
    [
      "an instruction",
      (long?: ResumableRead) =>
        serializers.graphSONV3.readMessage(
          Buffer.from(
            `{"requestId":"${id}","op":"bytecode","args":{"gremlin":{"@type":"g:Bytecode","@value":{"step":[["inject",${numbers}]]}}}}`
          ),
          undefined,
          long
        )
    ]
  ])("is read in slices through %s", (_, read) => {
    const { result, slices } = sliced<unknown>(read)
    expect(slices).toBeGreaterThan(250)
    // Bulk sets are compared by their counts.
    const plain = (message: object) =>
      Object.entries(message).map(([name, value]) => [
        name,
        name === "heldBytes" ? 0 : value instanceof GremlinMap ? shape(value) : value
      ])
    expect(plain(result as object)).toEqual(plain(read() as object))
  })

  it("reports a fault far from its beginning without counting lines", () => {
    const read = (long?: ResumableRead) => readHttpBody(`{"gremlin":"g",${"\n".repeat(1_500_000)}?}`, undefined, long)
    expect(read).toThrow("after 1500015 characters of the JSON text.")
  })

  it("fails with its id if its values exceed the memory limit of a request", () => {
    const reading = new ResumableRead(1_000_000)
    const bytes = Buffer.from(
      `{"requestId":"${id}","op":"eval","args":{"gremlin":"g","bindings":{"x":[${"{},".repeat(20_000)}{}]}}}`
    )
    const read = (long?: ResumableRead) => serializers.graphSONV3.readMessage(bytes, undefined, long)
    expect(() => {
      while (reading.next(new TimeSlice(0), read) === undefined);
    }).toThrow(expect.objectContaining({ _tag: "LimitExceeded", requestId: id }))
    expect(reading.heldBytes).toBeLessThan(1_100_000)
  })

  it("has the same error in slices if it is malformed", () => {
    const broken = Buffer.from(message.slice(0, -40))
    const read = (long?: ResumableRead) => serializers.graphSONV3.readMessage(broken, undefined, long)
    let problem: unknown
    try {
      read()
    } catch (error) {
      problem = error
    }
    expect(problem).toMatchObject({ _tag: "ProtocolError", requestId: id })
    expect(() => sliced(read)).toThrow((problem as Error).message)
  })

  it.each([
    [
      "after the message of a driver is refused in the middle",
      `{"bindings":${JSON.stringify({ values })},"args":5,"gremlin":"g"}`
    ],
    ["after the message of a driver has no id", `{"bindings":${JSON.stringify({ values })},"gremlin":"g"}`],
    ["after its members have another meaning", `{"args":${JSON.stringify({ values })},"op":"x","gremlin":"g"}`]
  ])("is read as a script in JSON %s", (_, text) => {
    const formats = new Formats([], 500)
    const read = (long?: ResumableRead) =>
      formats.readBody("application/vnd.gremlin-v3.0+json", Buffer.from(text), long)
    const { result, slices } = sliced(read)
    expect(slices).toBeGreaterThan(20)
    expect(result.args).toEqual(read().args)
    expect(result.args.gremlin).toBe("g")
  })

  it("has the error of a driver's message in both forms, and that of a limit", () => {
    const read = (text: string, limit?: number) => {
      const reading = new ResumableRead(limit)
      const formats = new Formats([], 500)
      const body = Buffer.from(text)
      return () => {
        for (;;) {
          const message = reading.next(new TimeSlice(0), (long) =>
            formats.readBody("application/vnd.gremlin-v3.0+json", body, long)
          )
          if (message !== undefined) return message
        }
      }
    }
    const long = `{"args":5,"bindings":${JSON.stringify({ values })}`
    expect(read(`${long}}`)).toThrow("Expected an object, found '5'")
    expect(read(`${long},"gremlin":"g"}`)).not.toThrow()
    expect(read(`${long},"gremlin":"g"}`, 200_000)).toThrow("the server's requestMemoryLimit")
  })

  it("has the same limit of nesting in slices", () => {
    const nested = `{"gremlin":"g","bindings":{"x":${"[".repeat(300)}${"]".repeat(300)}}}`
    expect(() => sliced((long?: ResumableRead) => readHttpBody(nested, 256, long))).toThrow("deeper than 256 levels")
  })
})

describe("A message with many polygons, whose check takes long", () => {
  const ring = Array.from({ length: 301 }, (_, i) => [i % 2 === 0 ? -170 : 170, (i * 140) / 300 - 80])
  const border = [...ring, [-175, 85], [-175, -85], ring[0]!]
  const typed = (type: string, value: unknown) => ({ "@type": type, "@value": value })
  const places = border.map((place) =>
    typed(
      "g:List",
      place.map((degrees) => typed("g:Double", degrees))
    )
  )
  const geometry = typed("g:Map", ["type", "Polygon", "coordinates", typed("g:List", [typed("g:List", places)])])
  const polygons = Array.from({ length: 12 }, () => typed("janusgraph:Geoshape", { geometry }))
  const text = JSON.stringify({ gremlin: "x", bindings: { x: typed("g:List", polygons) } })
  const wkt = `POLYGON ((${border.map((place) => place.join(" ")).join(", ")}))`
  const shapes: ReadonlyArray<Geoshape> = Array(12).fill(Geoshape.of(shapeOfText(wkt)))
  const bytes = janusGraphSerializers["graphbinary-v1"].writeValue(shapes)

  it.each<[string, (long?: ResumableRead) => unknown]>([
    ["GraphSON", (long) => readHttpBody(text, undefined, long)],
    ["GraphBinary", (long) => new GraphBinaryReader(bytes, 0, undefined, long).value()]
  ])("checks at most one of them in a slice: %s", (_, read) => {
    const made = vi.spyOn(Geoshape, "of")
    const reading = new ResumableRead()
    let result: unknown
    let most = 0
    while (result === undefined) {
      made.mockClear()
      result = reading.next(new TimeSlice(0), read)
      most = Math.max(most, made.mock.calls.length)
    }
    made.mockRestore()
    expect(most).toBe(1)
  })
})
