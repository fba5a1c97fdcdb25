import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { every } from "../../Intervals.ts"
import { testedWorkers } from "../support/Packed.ts"
import { modern, startInside, startServer, type TestedServer } from "../support/TestServers.ts"

/** Every type that a message can name, with values that are wrong for the type. Each message gets exactly one answer. */

const uuid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`

/** An answer as the client sees it. `text`: the message of the server. */
interface Seen {
  readonly request: number
  readonly code: number
  readonly text: string
}

/** Sends messages, a few hundred at a time. Returns the final answers to each by its index. */
const answersTo = async (
  { authority }: TestedServer,
  messages: ReadonlyArray<Buffer>,
  read: (frame: Buffer) => Seen
): Promise<ReadonlyArray<ReadonlyArray<Seen>>> => {
  const ws = new WebSocket(`ws://${authority}/gremlin`)
  await new Promise((resolve) => ws.once("open", resolve))
  const found = messages.map((): Array<Seen> => [])
  let answered = 0
  let wake = (): void => {}
  ws.on("message", (frame: Buffer) => {
    const seen = read(frame)
    if (seen.code === 206) return
    found[seen.request]!.push(seen)
    answered++
    wake()
  })
  ws.on("close", () => wake())
  for (let sent = 0; sent < messages.length; ) {
    for (const end = Math.min(messages.length, sent + 256); sent < end; sent++) ws.send(messages[sent]!)
    while (answered < sent && ws.readyState === ws.OPEN) await new Promise<void>((resolve) => (wake = resolve))
  }
  expect(ws.readyState).toBe(ws.OPEN)
  ws.terminate()
  return found
}

const noDefect = (server: TestedServer, named: ReadonlyArray<string>, answers: ReadonlyArray<ReadonlyArray<Seen>>) => {
  const wrong = named.filter((_, i) => answers[i]!.length !== 1 || answers[i]![0]!.text.includes("defect"))
  expect(wrong).toEqual([])
  expect(server.log.filter((line) => line.startsWith("ERROR"))).toEqual([])
}

describe("A value in GraphBinary", () => {
  const mime = Buffer.from("application/vnd.graphbinary-v1.0")
  const int = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const text = (value: string): Buffer => Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)])
  const string = (value: string): Buffer => Buffer.concat([Buffer.from([0x03, 0]), text(value)])

  /** Evaluates the variable that is bound to the value. */
  const message = (number: number, value: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([mime.length]),
      mime,
      Buffer.from([0x81]),
      Buffer.from(uuid(number).replaceAll("-", ""), "hex"),
      text("eval"),
      text(""),
      int(2),
      string("gremlin"),
      string("x"),
      string("bindings"),
      Buffer.from([0x0a, 0]),
      int(1),
      string("x"),
      value
    ])

  const read = (frame: Buffer): Seen => {
    expect([frame[0], frame[1]]).toEqual([0x81, 0])
    return { request: frame.readUIntBE(12, 6), code: frame.readInt32BE(18), text: frame.toString("latin1", 22) }
  }

  it("of every type code, with impossible lengths and random bytes, gets one answer", async () => {
    // The buffers of a server in this process can be counted.
    const start = testedWorkers > 1 ? startServer : startInside
    const server = await start({ ...modern, maxWorkQueueSize: 8192 })
    const lengths = [0, 1, 2, -1, 0x7fff_ffff, 0x7fff_fff0, -0x8000_0000, 0x1000_0000, 0x00ff_ffff]
    const filled = lengths.flatMap((length) =>
      [0x00, 0x03, 0x41, 0xff].map((fill) => Buffer.concat([int(length), Buffer.alloc(64, fill)]))
    )
    const cut = [0, 1, 3].map((length) => Buffer.alloc(length, 0xff))
    const named: Array<string> = []
    const messages: Array<Buffer> = []
    for (let type = 0; type < 256; type++) {
      for (const flag of [0, 1, 0xff]) {
        for (const value of flag === 0 ? [...filled, ...cut] : cut) {
          named.push(`type ${type} flag ${flag} ${value.toString("hex", 0, 12)}`)
          messages.push(message(messages.length, Buffer.concat([Buffer.from([type, flag]), value])))
        }
      }
    }
    let most = 0
    const endSampling = every(1, () => {
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    })
    noDefect(server, named, await answersTo(server, messages, read))
    endSampling()
    // No buffer of a claimed length was allocated: its 256 MB would show until they are collected.
    if (testedWorkers === 1) expect(most).toBeLessThan(200e6)
  })
})

describe("A value in GraphSON", () => {
  const types = [
    ..."Barrier Binding BulkSet Bytecode Cardinality Class Column Date Direction Double DT Edge Float GType Int32 Int64".split(
      " "
    ),
    ..."Lambda List Map Merge Metrics Operator Order P Path Pick Pop Property Scope Set T TextP Timestamp".split(" "),
    ..."TraversalExplanation TraversalMetrics Traverser Tree UUID Vertex VertexProperty SubgraphStrategy".split(" "),
    ..."OptionsStrategy __proto__ constructor toString".split(" "),
    ""
  ].map((name) => `g:${name}`)
  types.push(
    ..."BigDecimal BigInteger Byte ByteBuffer Char Duration InetAddress Instant Int16 OffsetDateTime Year ZonedDateTime"
      .split(" ")
      .map((name) => `gx:${name}`)
  )
  types.push("janusgraph:Geoshape", "janusgraph:JanusGraphP", "janusgraph:RelationIdentifier", "tinker:graph")
  types.push("", "__proto__", ":", "x:y", "g:\u0000")

  /** JSON that is wrong for most types. */
  const values = [
    ...[
      "null",
      "true",
      "1",
      "-1",
      "-0",
      "1.5",
      "1e400",
      "99999999999999999999999999",
      '""',
      '"x"',
      '"NaN"',
      '"\\ud800"'
    ],
    ...["[]", "{}", "[[]]", "[1]", "[1,2,3]", "[null]", '[{"@type":"g:Map","@value":[1]}]'],
    ...[
      '{"@type":1}',
      '{"@value":1}',
      '{"@type":"g:Int32","@value":1}',
      '{"@type":"g:List","@value":[1],"@type":"g:Set"}'
    ],
    ...['{"__proto__":{"x":1},"constructor":2}', '{"id":{}}', '{"id":null,"label":7,"properties":[]}', '{"key":1}'],
    ...['{"id":"a","inV":1,"outV":[],"inVLabel":{},"outVLabel":null}', '{"key":[],"value":{}}', '{"relationId":""}'],
    ...[
      '{"predicate":"eq"}',
      '{"predicate":"and","value":1}',
      '{"predicate":"within","value":{"@type":"g:P","@value":{}}}'
    ],
    ...['{"source":1,"step":{}}', '{"step":[[]]}', '{"step":[[1]]}', '{"step":["V"]}', '{"script":[],"arguments":"x"}'],
    ...['{"script":"","arguments":"x"}', '{"script":"","arguments":{"@type":"g:Double","@value":"NaN"}}'],
    ...['{"labels":1,"objects":2}', '{"labels":[],"objects":[1,2]}', '{"bulk":-1,"value":1}', '{"conf":1,"fqcn":2}'],
    ...['{"vertices":1,"edges":{}}', '{"vertices":[1],"edges":[2]}', '{"metrics":1,"dur":"x"}'],
    '{"value":{"type":"Point","coordinates":{}}}'
  ]
  const names = [
    ..."gremlin bindings aliases rebindings language batchSize evaluationTimeout session manageTransaction force".split(
      " "
    ),
    ..."materializeProperties maintainStateAfterException userAgent __proto__".split(" ")
  ]

  /** Members of a request other than its id. */
  const requests: Array<string> = []
  const evaluates = (args: string, op = "eval", processor = ""): void => {
    requests.push(`"op":"${op}","processor":"${processor}","args":{${args}}`)
  }
  for (const value of values) {
    for (const type of types) {
      evaluates(`"gremlin":"x","bindings":{"x":{"@type":${JSON.stringify(type)},"@value":${value}}}`)
    }
    for (const name of names) {
      for (const [op, processor] of [
        ["eval", ""],
        ["eval", "session"],
        ["bytecode", "traversal"],
        ["close", "session"]
      ]) {
        const session = processor === "session" && name !== "session" ? '"session":"a",' : ""
        evaluates(`${session}"gremlin":"1","${name}":${value}`, op, processor)
      }
    }
    evaluates(`"gremlin":"x","bindings":{"x":${value},"x":1,"__proto__":${value}}`)
    for (const [name, more] of [
      ["op", ""],
      ["processor", '"op":"eval",'],
      ["args", '"op":"eval",']
    ]) {
      requests.push(`${more}"${name}":${value},"args":{"gremlin":"1"},"${name}":${value}`)
    }
    const read = [
      "V",
      "has",
      "out",
      "inject",
      "select",
      "by",
      "constant",
      "math",
      "match",
      "tail",
      "sample",
      "order",
      "repeat"
    ]
    for (const step of [
      ...read,
      "times",
      "call",
      "choose",
      "where",
      "is",
      "as",
      "__proto__",
      "constructor",
      "toString"
    ]) {
      const bytecode = `{"@type":"g:Bytecode","@value":{"source":[["with","x",${value}]],"step":[["V"],["${step}",${value}]]}}`
      evaluates(`"gremlin":${bytecode},"aliases":{"g":"g"}`, "bytecode", "traversal")
    }
  }

  it.each(["v1.0+json", "v2.0+json", "v3.0+json", "v3.0+json;types=false"])(
    "of every type, argument and step, with what it does not have, has one answer: %s",
    async (version) => {
      const server = await startServer({ ...modern, maxWorkQueueSize: 8192, evaluationTimeout: 5_000 })
      const mime = `application/vnd.gremlin-${version}`
      const messages = requests.map((members, i) =>
        Buffer.from(`${String.fromCharCode(mime.length)}${mime}{"requestId":"${uuid(i)}",${members}}`)
      )
      const read = (frame: Buffer): Seen => {
        const { requestId, status } = JSON.parse(frame.toString())
        return { request: Number.parseInt(requestId.slice(-12), 16), code: status.code, text: status.message }
      }
      noDefect(server, requests, await answersTo(server, messages, read))
    }
  )
})
