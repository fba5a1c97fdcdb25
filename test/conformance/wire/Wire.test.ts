import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { WebSocketServer } from "ws"
import * as DriverReading from "../DriverReading.ts"
import * as V from "../Value.ts"
import { GremlinError } from "./Answer.ts"
import * as GraphBinary from "./GraphBinary.ts"
import * as GraphBinaryRequest from "./GraphBinaryRequest.ts"
import * as GraphSON from "./GraphSON.ts"
import * as GraphSONParameters from "./GraphSONParameters.ts"
import { Http } from "./Http.ts"
import { parseJson } from "./Json.ts"
import { Socket } from "./Socket.ts"

const vertex: V.Value = { kind: "vertex", id: V.long(1), label: "person" }
const values: ReadonlyArray<V.Value> = [
  V.nullValue,
  V.boolean(true),
  V.string("ä\u{1f600}"),
  { kind: "byte", value: -1n },
  { kind: "short", value: -300n },
  V.int(-70000),
  V.long(9007199254740993n),
  { kind: "bigInteger", value: -129n },
  { kind: "bigInteger", value: 123456789012345678901234567890n },
  { kind: "bigDecimal", unscaled: 100n, scale: 2 },
  { kind: "float", value: Math.fround(0.1) },
  V.double(Number.NaN),
  { kind: "uuid", value: "f47af10b-58cc-4372-a567-0f02b2f3d479" },
  V.enumValue("T", "id"),
  V.set([V.int(1), V.list([])]),
  V.map([[V.list([V.int(1)]), V.nullValue]]),
  vertex,
  { kind: "edge", id: V.int(7), label: "knows", out: { id: V.int(1), label: "a" }, in: { id: V.int(2), label: "b" } }
]

const id = "00112233-4455-6677-8899-aabbccddeeff"

/** Creates a response in GraphBinary from encoded data. */
const binaryAnswer = (data: Buffer, code = 200): Buffer => {
  const status = Buffer.alloc(4)
  status.writeInt32BE(code)
  const empty = Buffer.alloc(4)
  const head = Buffer.concat([Buffer.from([0x81, 0]), Buffer.from(id.replaceAll("-", ""), "hex"), status])
  return Buffer.concat([head, Buffer.from([0, 0, 0, 0, 0]), empty, empty, data])
}

const jsonAnswer = (data: string, { code = 200, message = "", requestId = id } = {}): string =>
  `{"requestId":"${requestId}","status":{"message":"${message}","code":${code},"attributes":{"@type":"g:Map","@value":[]}},` +
  `"result":{"data":${data},"meta":{"@type":"g:Map","@value":[]}}}`

describe("JSON", () => {
  it("keeps the digits of numbers and keys such as __proto__", () => {
    const json = parseJson('{"__proto__": [9007199254740993, 1.50, "\\u00e4", null, true]}')
    expect(json).toEqual(new Map([["__proto__", [{ text: "9007199254740993" }, { text: "1.50" }, "ä", null, true]]]))
  })

  it.each(["", "{", "[1,]", "01", "{'a':1}", '"\n"', "1 2", "nul"])("refuses %j", (text) => {
    expect(() => parseJson(text)).toThrow("not JSON")
  })
})

describe("The decoders", () => {
  it("return the encoded value with its type in GraphSON", () => {
    for (const value of values) expect(GraphSON.decode(parseJson(GraphSONParameters.encode(value)))).toEqual(value)
  })

  it("return the encoded value with its type in GraphBinary", () => {
    for (const value of values)
      expect(GraphBinary.decodeAnswer(binaryAnswer(GraphBinaryRequest.encode(value))).data).toEqual(value)
  })

  it("read the examples of the GraphBinary specification", () => {
    const data = (hex: string) =>
      GraphBinary.decodeAnswer(binaryAnswer(Buffer.from(hex.replaceAll(" ", ""), "hex"))).data
    expect(data("01 00 00 00 01 01")).toEqual(V.int(257))
    expect(data("02 00 ff ff ff ff ff ff ff fe")).toEqual(V.long(-2))
    expect(data("03 00 00 00 00 03 61 62 63")).toEqual(V.string("abc"))
    expect(data("07 00 3f b9 99 99 99 99 99 9a")).toEqual(V.double(0.1))
    expect(data("23 00 00 00 00 02 00 80")).toEqual({ kind: "bigInteger", value: 128n })
    expect(data("2a 00 00 00 00 01 01 00 00 00 00 05 00 00 00 00 00 00 00 02")).toEqual({
      kind: "bulkSet",
      items: [V.int(5), V.int(5)]
    })
    expect(data("01 01")).toEqual(V.nullValue)
  })

  it("refuse GraphBinary that is truncated, has bytes after its end, or has an unknown type", () => {
    const whole = binaryAnswer(GraphBinaryRequest.encode(V.list([V.int(1)])))
    expect(() => GraphBinary.decodeAnswer(whole.subarray(0, -1))).toThrow("bytes are expected")
    expect(() => GraphBinary.decodeAnswer(Buffer.concat([whole, Buffer.from([0])]))).toThrow("left over")
    expect(() => GraphBinary.decodeAnswer(binaryAnswer(Buffer.from([0x77, 0])))).toThrow("0x77")
  })

  it("refuse GraphSON without types", () => {
    for (const text of ["1", "[1]", '{"a":1}', '{"@type":"g:Nope","@value":1}']) {
      expect(GraphSON.decode(parseJson(text)).kind).toBe("other")
    }
    for (const text of [
      '{"@type":"g:Int32","@value":1.5}',
      '{"@type":"g:Map","@value":[1]}',
      '{"@type":"g:UUID","@value":1}'
    ]) {
      expect(() => GraphSON.decode(parseJson(text))).toThrow("GraphSON 3")
    }
  })

  it("are compared with the reader of a driver", () => {
    const exchange = (data: V.Value, payload: V.Value) => ({
      answers: [{ requestId: id, code: 200, message: "", data }],
      payloads: [binaryAnswer(GraphBinaryRequest.encode(payload))]
    })
    for (const value of values.filter(({ kind }) => kind !== "bigDecimal")) {
      const list = V.list([value])
      expect(() => DriverReading.verify("graphbinary", exchange(list, list))).not.toThrow()
      expect(() => DriverReading.verify("graphbinary", exchange(V.list([V.string("else")]), list))).toThrow(
        "something else"
      )
    }
    const unreadable = { ...exchange(vertex, vertex), payloads: [Buffer.from([0x81])] }
    expect(() => DriverReading.verify("graphbinary", unreadable)).toThrow("cannot read")
  })
})

describe("A connection over WebSocket", () => {
  /** Starts a server that answers each request with these messages. It replaces ID by the id of the request. */
  const withServer = async <A>(
    messages: ReadonlyArray<string> | "close",
    use: (socket: Socket) => Promise<A>
  ): Promise<A> => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 })
    server.on("connection", (connection) =>
      connection.on("message", (data: Buffer) => {
        const body = data.subarray(1 + data[0]!).toString("utf8")
        const requestId = /"@value":"([^"]+)"/.exec(body)![1]!
        if (messages === "close") connection.close()
        else for (const message of messages) connection.send(Buffer.from(message.replace("ID", requestId)))
      })
    )
    await new Promise((resolve) => server.once("listening", resolve))
    const socket = new Socket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/gremlin`, "graphson")
    try {
      return await use(socket)
    } finally {
      socket.close()
      server.close()
    }
  }
  const mine = { requestId: "ID" }
  const evaluate = (socket: Socket) => socket.evaluate("g.V(x)", "g", new Map([["x", V.long(1)]]))

  it("collects partial answers up to the last one", async () => {
    const one = '{"@type":"g:List","@value":["a"]}'
    const messages = [jsonAnswer(one, { ...mine, code: 206 }), jsonAnswer(one, mine)]
    const exchange = await withServer(messages, evaluate)
    expect(exchange.answers.map(({ code }) => code)).toEqual([206, 200])
  })

  it("throws the server's error with its code", async () => {
    const run = withServer([jsonAnswer("null", { ...mine, code: 597, message: "no such step" })], evaluate)
    await expect(run).rejects.toEqual(new GremlinError(597, "no such step"))
  })

  it("distinguishes an answer to another request, garbage and a closed connection from an error of the server", async () => {
    for (const messages of [[jsonAnswer("null")], ["rubbish"], "close"] as const) {
      const failure = await withServer(messages, evaluate).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Error)
      expect(failure).not.toBeInstanceOf(GremlinError)
    }
  })
})

describe("A connection over HTTP", () => {
  const withServer = async (status: number, answer: string, use: (http: Http) => Promise<void>): Promise<unknown> => {
    let seen: unknown
    const server = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      seen = JSON.parse(Buffer.concat(chunks).toString("utf8"))
      response.writeHead(status).end(answer)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const http = new Http(`http://127.0.0.1:${(server.address() as AddressInfo).port}/gremlin`)
    await use(http)
    http.close()
    server.close()
    return seen
  }

  it("posts a script and reads the list of results", async () => {
    const seen = await withServer(200, jsonAnswer('{"@type":"g:List","@value":["a"]}'), async (http) => {
      expect(await http.evaluate("g.V()", "gmodern")).toEqual(V.list([V.string("a")]))
    })
    expect(seen).toEqual({ gremlin: "g.V()", language: "gremlin-lang", aliases: { g: "gmodern" } })
  })

  it("throws the server's error", async () => {
    await withServer(500, '{"message":"no such step"}', async (http) => {
      await expect(http.evaluate("g.x()", "g")).rejects.toEqual(new GremlinError(500, "no such step"))
    })
  })
})
