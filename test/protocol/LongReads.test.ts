import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { readHttpBody } from "../../src/protocol/HttpRequest.ts"
import { LongRead } from "../../src/protocol/LongReads.ts"
import { serializers } from "../../src/protocol/Serializers.ts"
import { GremlinMap } from "../../src/structure/Collections.ts"

const id = randomUUID()

/** Lists and maps, some with more members than a slice has time for, and some inside of others. */
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

/** The same in GraphBinary. */
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

/** Reads in slices that are over at once, and says how many there were. */
const sliced = <A>(read: () => A): { readonly result: A; readonly slices: number } => {
  const reading = new LongRead()
  for (let slices = 1; slices < 100_000; slices++) {
    const result = reading.next(() => true, read)
    if (result !== undefined) return { result, slices }
  }
  throw new Error("the read does not end")
}

describe("a long message", () => {
  it.each([
    ["GraphSON", () => serializers.graphSONV3.readMessage(Buffer.from(message))],
    ["GraphSON 1", () => serializers.graphSONV1.readMessage(Buffer.from(message))],
    ["GraphBinary", () => serializers.graphBinaryV1.readMessage(binary())],
    ["the JSON of a POST", () => readHttpBody(Buffer.from(body))]
  ])("in %s is the same when it is read slice by slice", (_, read) => {
    const { result, slices } = sliced<unknown>(read)
    expect(slices).toBeGreaterThan(20)
    expect(result).toEqual(read())
  })

  it("that is broken fails as it does when it is read at once", () => {
    const broken = Buffer.from(message.slice(0, -40))
    const read = () => serializers.graphSONV3.readMessage(broken)
    let problem: unknown
    try {
      read()
    } catch (error) {
      problem = error
    }
    expect(problem).toMatchObject({ _tag: "ProtocolError", requestId: id })
    expect(() => sliced(read)).toThrow((problem as Error).message)
  })

  it("may nest no deeper in slices than at once", () => {
    const nested = `{"gremlin":"g","bindings":{"x":${"[".repeat(300)}${"]".repeat(300)}}}`
    expect(() => sliced(() => readHttpBody(nested, 256))).toThrow("deeper than 256 levels")
  })
})
