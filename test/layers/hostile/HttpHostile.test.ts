import { describe, expect, it } from "vitest"
import { checkHttpAnswer, type HttpAnswer, httpAnswers } from "../../fuzz/Responses.ts"
import { openSocket, raw } from "../support/HttpClient.ts"
import { endless, eventually, startServer } from "../support/TestServers.ts"

const BODY = '{"gremlin":"1+1"}'

const request = (lines: ReadonlyArray<string>, body = ""): string => `${lines.join("\r\n")}\r\n\r\n${body}`
const post = (more: ReadonlyArray<string> = [], body = BODY): string =>
  request(["POST / HTTP/1.1", "Host: x", `Content-Length: ${Buffer.byteLength(body, "latin1")}`, ...more], body)
const unlengthed = (more: ReadonlyArray<string>, body = BODY): string =>
  request(["POST / HTTP/1.1", "Host: x", ...more], body)
const get = (target: string, more: ReadonlyArray<string> = ["Host: x"], version = "HTTP/1.1"): string =>
  request([`GET ${target} ${version}`, ...more])
const chunked = (body: string, more: ReadonlyArray<string> = []): string =>
  unlengthed(["Transfer-Encoding: chunked", ...more], body)
const upgrade = (first: string, more: ReadonlyArray<string> = []): string =>
  request([
    first,
    "Host: x",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...more
  ])

const last = get("/health/live", ["Host: x", "Connection: close"])

/** The answers to the bytes, and to a normal request after them when the connection still serves one. */
const answers = async (authority: string, bytes: string): Promise<ReadonlyArray<HttpAnswer>> => {
  const received = await raw(authority, Buffer.from(bytes + last, "latin1"))
  const read = httpAnswers(Buffer.from(received, "latin1"), false, true)
  expect(read.rest.toString()).toBe("")
  for (const answer of read.answers) checkHttpAnswer(answer, false)
  return read.answers
}

/** The status of each request. `kept`: the connection serves the next one. */
const cases: Readonly<Record<string, readonly [bytes: string, status: number, kept: boolean]>> = {
  "a method that is none": [request(["FOO / HTTP/1.1", "Host: x"]), 400, false],
  "a method in lower case": [request(["get / HTTP/1.1", "Host: x"]), 400, false],
  CONNECT: [request(["CONNECT x:443 HTTP/1.1", "Host: x"]), 405, false],
  TRACE: [request(["TRACE / HTTP/1.1", "Host: x"]), 405, true],
  "Content-Length before Transfer-Encoding": [
    unlengthed(["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${post()}`),
    400,
    false
  ],
  "Content-Length behind Transfer-Encoding": [
    unlengthed(["Transfer-Encoding: chunked", "Content-Length: 5"], `0\r\n\r\n${post()}`),
    400,
    false
  ],
  "Transfer-Encoding that does not end in chunked": [unlengthed(["Transfer-Encoding: chunked, identity"]), 400, false],
  "Transfer-Encoding that is not read": [unlengthed(["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"), 501, false],
  "Transfer-Encoding with a misspelt name": [unlengthed(["Transfer-Encoding: xchunked"]), 501, false],
  "two lengths that agree": [unlengthed(["Content-Length: 17", "Content-Length: 17"]), 400, false],
  "two lengths that differ": [unlengthed(["Content-Length: 17", "Content-Length: 18"]), 400, false],
  "a list of lengths": [unlengthed(["Content-Length: 17, 17"]), 400, false],
  "a negative length": [unlengthed(["Content-Length: -1"]), 400, false],
  "a length with a sign": [unlengthed(["Content-Length: +17"]), 400, false],
  "a length in hexadecimal": [unlengthed(["Content-Length: 0x11"]), 400, false],
  "a length beyond all numbers": [unlengthed(["Content-Length: 99999999999999999999999"]), 400, false],
  "a length without digits": [unlengthed(["Content-Length: "]), 400, false],
  "a space before the colon": [unlengthed(["Content-Length : 17"]), 400, false],
  "a chunk without size": [chunked(`zz\r\n${BODY}\r\n0\r\n\r\n`), 400, false],
  "a chunk of negative size": [chunked(`-1\r\n${BODY}`), 400, false],
  "a chunk beyond all numbers": [chunked(`fffffffffffffffff\r\n${BODY}`), 400, false],
  "a chunk that is longer than its size": [chunked(`11\r\n${BODY}XX0\r\n\r\n`), 400, false],
  "chunks with line feeds alone": [chunked(`11\n${BODY}\n0\n\n`), 400, false],
  "a chunk's extension": [chunked(`11;a=b\r\n${BODY}\r\n0\r\n\r\n`), 200, true],
  "an endless extension": [chunked(`11;${"a".repeat(100_000)}\r\n${BODY}\r\n0\r\n\r\n`), 400, false],
  "a trailer": [chunked(`11\r\n${BODY}\r\n0\r\nX: y\r\n\r\n`), 200, true],
  "endless trailers": [chunked(`11\r\n${BODY}\r\n0\r\n${"X: yyyyyyyyyyyyyyy\r\n".repeat(5_000)}\r\n`), 431, false],
  "an expectation that is not known": [post(["Expect: foo"]), 417, false],
  "an absolute URI": [request(["POST http://other/x HTTP/1.1", "Host: x", "Content-Length: 17"], BODY), 200, true],
  "a folded header": [post(["X: a", " b"]), 400, false],
  "no Host": [get("/?gremlin=1", []), 200, true],
  "two Hosts": [get("/?gremlin=1", ["Host: x", "Host: y"]), 400, false],
  "a NUL in a header": [get("/?gremlin=1", ["Host: x", "X: a\0b"]), 400, false],
  "HTTP/1.0": [get("/?gremlin=1", [], "HTTP/1.0"), 200, false],
  "HTTP/1.0 that stays": [get("/?gremlin=1", ["Connection: keep-alive"], "HTTP/1.0"), 200, true],
  "HTTP/1.0 with chunks, which it does not know": [
    `${request(["POST / HTTP/1.0", "Transfer-Encoding: chunked", "Connection: keep-alive"])}11\r\n${BODY}\r\n0\r\n\r\n`,
    400,
    false
  ],
  "HTTP/1.2": [get("/?gremlin=1", ["Host: x"], "HTTP/1.2"), 400, false],
  "the preface of HTTP/2": ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, false],
  "a handshake of TLS": ["\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", 400, false],
  "empty lines first": [`\r\n\r\n\r\n${get("/?gremlin=1")}`, 200, true],
  "line feeds alone": ["GET /?gremlin=1 HTTP/1.1\nHost: x\n\n", 400, false],
  "broken percent-encoding": [get("/?gremlin=%zz%&bindings.x=%ff"), 500, true],
  "a NUL in the script": [get("/?gremlin=%00"), 500, true],
  "bytes in the URI that are no ASCII": [get("/?gremlin='\xff'"), 400, false],
  "a space in the URI": [get("/?gremlin=1 + 1"), 400, false],
  "hostile names of bindings": [get("/?gremlin=x&bindings.__proto__=1&bindings.constructor=3&bindings.x=2"), 200, true],
  "a body in gzip": [post(["Content-Encoding: gzip"]), 415, false],
  "a body in deflate": [post(["Content-Encoding: deflate"]), 415, false],
  "a body that says it is as it is": [post(["Content-Encoding: identity"]), 200, true],
  "a form with parts": [
    post(["Content-Type: multipart/form-data; boundary=x"], "--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--"),
    400,
    true
  ],
  "a body that is no UTF-8": [post([], '{"gremlin":"\xff\xfe"}'), 400, true],
  "a driver's format without a message": [post(["Content-Type: application/vnd.graphbinary-v1.0"]), 400, true],
  "a driver's format without anything": [post(["Content-Type: application/vnd.gremlin-v3.0+json"], ""), 400, true],
  "an Accept that is no ASCII": [post(["Accept: \xff\xfe"]), 400, true],
  "a GET with a body": [request(["GET /?gremlin=1 HTTP/1.1", "Host: x", "Content-Length: 5"], "hello"), 200, true],
  "a GET with chunks": [
    request(["GET /?gremlin=1 HTTP/1.1", "Host: x", "Transfer-Encoding: chunked"], "5\r\nhello\r\n0\r\n\r\n"),
    200,
    true
  ],
  "an upgrade without a key": [upgrade("GET /gremlin HTTP/1.1").replace(/Sec-WebSocket-Key.*\r\n/, ""), 400, false],
  "an upgrade with a key that is none": [upgrade("GET /gremlin HTTP/1.1").replace("dGhl", ""), 400, false],
  "an upgrade to a version of the future": [upgrade("GET /gremlin HTTP/1.1").replace("n: 13", "n: 99"), 400, false],
  "an upgrade by POST": [upgrade("POST /gremlin HTTP/1.1", ["Content-Length: 17"]) + BODY, 400, false],
  "an upgrade with a body": [upgrade("GET /gremlin HTTP/1.1", ["Content-Length: 17"]) + BODY, 400, false],
  "an upgrade of HTTP/1.0": [upgrade("GET /gremlin HTTP/1.0"), 400, false],
  "an upgrade with subprotocols that are none": [
    upgrade("GET /gremlin HTTP/1.1", ["Sec-WebSocket-Protocol: a,,b"]),
    400,
    false
  ],
  "an upgrade half way": [upgrade("GET /gremlin HTTP/1.1").replace("Connection: Upgrade\r\n", ""), 400, true],
  "a path of a cancellation that is none": [request(["DELETE /gremlin/status/%zz HTTP/1.1", "Host: x"]), 404, true]
}

describe("A hostile request over HTTP", () => {
  it("gets one answer, and the connection serves the next request or closes", async () => {
    const { authority } = await startServer()
    for (const [name, [bytes, status, kept]] of Object.entries(cases)) {
      const found = (await answers(authority, bytes)).filter((answer) => answer.status >= 200)
      expect([name, ...found.map((answer) => answer.status)]).toEqual([name, status, ...(kept ? [200] : [])])
      if (kept) expect(found[1]!.body.toString()).toBe('{"status":"live"}')
    }
  })

  it("is not evaluated when it is smuggled after a last answer", async () => {
    const { authority } = await startServer()
    const write = post([], `{"gremlin":"g.addV('smuggled')"}`)
    const ends = [
      post(["Connection: close"]),
      post(["Content-Encoding: gzip"]),
      get("/?gremlin=1", ["Host: x", "Host: y"]),
      unlengthed(["Content-Length: 99999999"], ""),
      unlengthed(["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n")
    ]
    for (const end of ends) expect(await answers(authority, end + write)).toHaveLength(1)
    expect(await raw(authority, get("/?gremlin=g.V().count()", ["Host: x", "Connection: close"]))).toContain(
      '"@value":0}'
    )
  })

  it("that upgrades the connection waits for the answers of earlier requests", async () => {
    const { authority } = await startServer()
    const slow = post([], `{"gremlin":"${endless}","evaluationTimeout":200}`)
    const switched = await raw(authority, slow + upgrade("GET /gremlin HTTP/1.1"), (text) => text.includes(" 101 "))
    expect(switched).toMatch(/^HTTP\/1\.1 500 [\s\S]*HTTP\/1\.1 101 /)
    const offers = ["Host: x", "Connection: Upgrade", "Upgrade: h2c"]
    const pipelined = slow + get("/?gremlin=7", offers) + get("/?gremlin=8") + last
    const read = httpAnswers(Buffer.from(await raw(authority, pipelined), "latin1"), false, true)
    expect(read.answers.map(({ status }) => status)).toEqual([500, 200, 200, 200])
    expect(read.answers[1]!.body.toString()).toContain('"@value":7')
    const refused = await raw(authority, slow + request(["CONNECT x:1 HTTP/1.1", "Host: x"]))
    expect(refused).toMatch(/^HTTP\/1\.1 500 [\s\S]*HTTP\/1\.1 405 /)
  })

  it("that is reset during its answer does not affect the server", async () => {
    const { authority } = await startServer()
    const kinds = [
      upgrade("GET /nope HTTP/1.1"),
      upgrade("GET /gremlin HTTP/1.1"),
      upgrade("GET / HTTP/1.1").replace("websocket", "h2c"),
      upgrade("GET /gremlin HTTP/1.1").replace("dGhl", ""),
      request(["CONNECT x:1 HTTP/1.1", "Host: x"]),
      "garbage\r\n\r\n",
      unlengthed(["Content-Length: 99999999"], ""),
      post(["Expect: x"])
    ]
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        kinds.map(
          (bytes) =>
            new Promise<void>((resolve) => {
              const socket = openSocket(authority)
              socket.on("error", () => {})
              socket.on("close", () => resolve())
              socket.write(bytes, () =>
                round % 2 === 0 ? socket.resetAndDestroy() : setImmediate(() => socket.resetAndDestroy())
              )
            })
        )
      )
    }
    expect(await raw(authority, last)).toContain("200 OK")
  })

  it("is not repeated when its body arrives after the timeout", async () => {
    const { authority } = await startServer({ headersTimeout: 300, requestTimeout: 300 })
    const socket = openSocket(authority)
    let received = ""
    socket.on("data", (data) => {
      received += data.toString()
    })
    const closed = new Promise((resolve) => socket.once("close", resolve))
    socket.write(unlengthed(["Content-Length: 17"], BODY.slice(0, 5)))
    await eventually(() => received.includes("408"))
    socket.write(BODY.slice(5))
    await closed
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(await raw(authority, last)).toContain("200 OK")
  })
})

describe("A client that closes its HTTP connection", () => {
  it("stops its work, whether it closes, resets, or closes its half", async () => {
    const { authority } = await startServer({ evaluationTimeout: 0 })
    const running = async (): Promise<number> => {
      const text = await raw(authority, get("/gremlin/status", ["Host: x", "Connection: close"]))
      return Number(/"acceptedQueryCount":(\d+)/.exec(text)![1])
    }
    for (const leave of ["destroy", "resetAndDestroy", "end"] as const) {
      const socket = openSocket(authority)
      socket.on("error", () => {})
      socket.write(post([], `{"gremlin":"${endless}"}`))
      await eventually(async () => (await running()) === 1)
      socket[leave]()
      await eventually(async () => (await running()) === 0)
    }
  })
})

describe("300 clients that send their headers slowly", () => {
  it("are answered with 408 and closed, while others are served", async () => {
    const { authority } = await startServer({ headersTimeout: 600 })
    const slow = Array.from({ length: 300 }, () => raw(authority, "GET / HTTP/1.1\r\nHost: x\r\nX: "))
    expect(await raw(authority, last)).toContain("200 OK")
    for (const text of await Promise.all(slow)) expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*headersTimeout/)
  })
})
