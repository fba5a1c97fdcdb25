import { request } from "node:http"
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { acceptedCoding } from "../../../../src/layers/transport/http/Compression.ts"
import { http, openSocket, raw, UNTYPED } from "../../support/HttpClient.ts"
import { eventually, startServer, type TestedServer } from "../../support/TestServers.ts"
import { basic, givingTokens } from "../../support/Users.ts"

const ask = (server: TestedServer, gremlin: string, headers: Record<string, string>) =>
  http(server.authority, { headers: { accept: UNTYPED, ...headers } }, JSON.stringify({ gremlin }))

/** A script with this many results, of about 8 bytes each. */
const numbers = (count: number): string => `g.inject(1).repeat(__.identity()).emit().limit(${count}).constant(1234567)`

describe("acceptedCoding", () => {
  it("follows the weights of Accept-Encoding", () => {
    const chosen: ReadonlyArray<readonly [string | undefined, string | undefined]> = [
      [undefined, undefined],
      ["", undefined],
      ["gzip", "gzip"],
      ["gzip, deflate, br", "br"],
      ["br;q=0.5, gzip", "gzip"],
      ["GZIP ; Q=1.000", "gzip"],
      ["x-gzip", "gzip"],
      ["gzip;q=0", undefined],
      ["gzip;q=0, *", "br"],
      ["*;q=0.1", "br"],
      ["*;q=0", undefined],
      ["br;q=0, *;q=0.3", "gzip"],
      ["identity, gzip;q=0.5", undefined],
      ["identity;q=0.2, gzip;q=0.5", "gzip"],
      ["deflate", undefined],
      ["gzip;q=2", undefined],
      ["gzip;x=1", undefined],
      ["zstd, ,;,=", undefined]
    ]
    for (const [header, coding] of chosen) expect([header, acceptedCoding(header)]).toEqual([header, coding])
  })
})

describe("An answer above 8 kB", () => {
  it("is compressed as the client asks, at every length", async () => {
    const server = await startServer({ maxResults: 0 })
    for (const count of [2_000, 20_000, 100_000]) {
      const plain = await ask(server, numbers(count), {})
      expect(plain.headers["content-encoding"]).toBe(undefined)
      const zipped = await ask(server, numbers(count), { "accept-encoding": "gzip" })
      expect([zipped.headers["content-encoding"], zipped.headers.vary]).toEqual(["gzip", "Accept-Encoding"])
      expect(JSON.parse(gunzipSync(zipped.bytes).toString()).result.data).toHaveLength(count)
      expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 10)
      const brotli = await ask(server, numbers(count), { "accept-encoding": "gzip, deflate, br" })
      expect(brotli.headers["content-encoding"]).toBe("br")
      expect(JSON.parse(brotliDecompressSync(brotli.bytes).toString()).result).toEqual(plain.json.result)
    }
  })

  it("is compressed at level 4, because higher levels take several times as long", async () => {
    const server = await startServer({ maxResults: 0 })
    // The levels compress these numbers to different lengths.
    const mixed = "(0..<20000).collect{ it * 7919 % 104729 }"
    const zipped = (await ask(server, mixed, { "accept-encoding": "gzip" })).bytes
    const levelsOf = (compressed: Buffer, compress: (level: number) => Buffer): ReadonlyArray<number> =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((level) => compress(level).length === compressed.length)
    const text = gunzipSync(zipped)
    expect(levelsOf(zipped, (level) => gzipSync(text, { level }))).toEqual([4])
    const brotli = (await ask(server, mixed, { "accept-encoding": "br" })).bytes
    const body = brotliDecompressSync(brotli)
    const quality = (level: number): Buffer =>
      brotliCompressSync(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_LGWIN]: 18 }
      })
    expect(levelsOf(brotli, quality)).toEqual([4])
  })

  it("is compressed after a commit, from a file, in GraphBinary, and as an error", async () => {
    const server = await startServer({ maxResults: 0 })
    const headers = { "accept-encoding": "gzip" }
    const written = `g.addV('a').iterate(); ${numbers(150_000)}.toList()`
    const held = await ask(server, written, headers)
    expect(JSON.parse(gunzipSync(held.bytes).toString()).result.data).toHaveLength(150_000)
    const binary = await ask(server, numbers(200_000), { ...headers, accept: "application/vnd.graphbinary-v1.0" })
    expect(binary.headers["content-encoding"]).toBe("gzip")
    expect(gunzipSync(binary.bytes).length).toBeGreaterThan(1_048_576)
    const failed = await ask(server, `g.inject(1).fail('${"x".repeat(9_000)}')`, headers)
    expect([failed.status, failed.headers["content-encoding"]]).toEqual([500, "gzip"])
    expect(JSON.parse(gunzipSync(failed.bytes).toString()).message).toContain("xxxx")
    const metrics = await http(server.authority, { path: "/metrics", headers })
    expect(gunzipSync(metrics.bytes).toString()).toContain("engine_server_request_seconds")
  })

  it("is sent as it is to pages of other origins, to HTTP/1.0, and when it is short", async () => {
    const server = await startServer({ allowedOrigins: ["*"] })
    const coding = async (headers: Record<string, string>, count = 5_000) =>
      (await ask(server, numbers(count), { "accept-encoding": "gzip, br", ...headers })).headers["content-encoding"]
    expect(await coding({})).toBe("br")
    expect(await coding({}, 500)).toBe(undefined)
    expect(await coding({ origin: `http://${server.authority}`, "sec-fetch-site": "same-origin" })).toBe("br")
    expect(await coding({ origin: "http://localhost:3000" })).toBe(undefined)
    expect(await coding({ origin: "null" })).toBe(undefined)
    expect(await coding({ "sec-fetch-site": "cross-site" })).toBe(undefined)
    expect(await coding({ "sec-fetch-site": "same-site" })).toBe(undefined)
    const old = `GET /?gremlin=${numbers(3_000)} HTTP/1.0\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`
    expect(await raw(server.authority, old)).not.toContain("content-encoding")
  })

  it("of /session is never compressed", async () => {
    const server = await startServer(givingTokens())
    const headers = { authorization: basic(), "accept-encoding": "gzip" }
    const body = JSON.stringify({ gremlin: numbers(5_000) })
    const at = (path: string) => http(server.authority, { method: "POST", path, headers }, body)
    expect((await at("/session")).headers["content-encoding"]).toBe(undefined)
    expect((await at("/")).headers["content-encoding"]).toBe("gzip")
  })

  it("has no Content-Encoding when HEAD asks for it", async () => {
    const server = await startServer()
    const head = await http(server.authority, {
      path: "/metrics",
      method: "HEAD",
      headers: { "accept-encoding": "gzip" }
    })
    expect([head.status, head.headers["content-encoding"]]).toEqual([200, undefined])
  })
})

/** The body in a chunked answer, as far as it arrived. */
const bodyOf = (answer: string): Buffer => {
  const parts: Array<Buffer> = []
  const bytes = Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4), "latin1")
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n", at)
    if (end < 0) break
    const length = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16)
    parts.push(bytes.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
  return Buffer.concat(parts)
}

describe("A compressed answer", () => {
  it("that fails in its middle is cut without the last chunk and without the end of the compression", async () => {
    const server = await startServer({ maxResults: 0 })
    const gremlin = "g.inject(0).repeat(__.math('_ + 1')).emit().sideEffect(__.is(150000).fail('late'))"
    const text = JSON.stringify({ gremlin })
    for (const [coding, decompress] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync]
    ] as const) {
      const answer = await raw(
        server.authority,
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: ${coding}\r\nAccept: ${UNTYPED}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
      )
      expect(answer).toContain(`content-encoding: ${coding}`)
      expect([coding, answer.endsWith("0\r\n\r\n")]).toEqual([coding, false])
      expect(() => decompress(bodyOf(answer))).toThrow()
    }
  })

  it("that fails before its first output has the status of the error", async () => {
    const server = await startServer({ maxResults: 0 })
    // More than is held back for an error, and less than brotli collects before it writes.
    const gremlin =
      "g.inject(0).repeat(__.math('_ + 1')).emit().sideEffect(__.is(12000).fail('early')).constant(1234567)"
    const answer = await ask(server, gremlin, { "accept-encoding": "br" })
    expect([answer.status, answer.headers["content-encoding"], answer.headers["content-type"]]).toEqual([
      500,
      undefined,
      "application/json"
    ])
    expect(answer.json.message).toContain("early")
    const next = await ask(server, numbers(20_000), { "accept-encoding": "br" })
    expect(JSON.parse(brotliDecompressSync(next.bytes).toString()).result.data).toHaveLength(20_000)
  })

  it("waits for a client that does not read, and ends when the client closes the connection", async () => {
    const server = await startServer({ evaluationTimeout: 0, maxResults: 0 })
    const running = async () => (await http(server.authority, { path: "/gremlin/status" })).json
    const socket = openSocket(server.authority)
    socket.pause()
    const text = JSON.stringify({
      gremlin: "g.inject(1).repeat(__.identity()).emit().map(__.math('sin _ * 7').by(__.constant(3)))"
    })
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
    await eventually(async () => (await running()).queries[0]?.state === "client")
    socket.destroy()
    await eventually(async () => (await running()).acceptedQueryCount === 0)
  })

  it("ends for a client that aborts while it reads", async () => {
    const server = await startServer({ evaluationTimeout: 0, maxResults: 0 })
    const [host, port] = server.authority.split(":")
    await new Promise<void>((resolve) => {
      const options = { host, port, method: "POST", headers: { "accept-encoding": "gzip" } }
      const sent = request(options, (response) => {
        response.once("data", () => {
          sent.destroy()
          resolve()
        })
        response.on("error", () => {})
      })
      sent.on("error", () => {})
      sent.end(JSON.stringify({ gremlin: "g.inject(1).repeat(__.identity()).emit()" }))
    })
    const running = async () => (await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount
    await eventually(async () => (await running()) === 0)
  })
})
