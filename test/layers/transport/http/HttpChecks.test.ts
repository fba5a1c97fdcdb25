import { describe, expect, it } from "vitest"
import { httpChecks } from "../../../../src/layers/transport/http/HttpChecks.ts"
import { raw } from "../../support/HttpClient.ts"
import { modern, startServer } from "../../support/TestServers.ts"
import { asking } from "../../support/Users.ts"

/** The parts of a request that fail a check. */
interface Fault {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  readonly headers?: ReadonlyArray<string>
}

const faults: Readonly<Record<string, Fault>> = {
  expectation: { headers: ["Expect: miracles"] },
  "single headers": { headers: ["Host: localhost"] },
  framing: { version: "HTTP/1.0", headers: ["Transfer-Encoding: chunked"] },
  origin: { headers: ["Origin: https://elsewhere.example"] },
  "request line": { target: `/?x=${"x".repeat(5_000)}` },
  "header lines": { headers: [`X: ${"x".repeat(9_000)}`] },
  "host name": { headers: ["Host: rebound.example", "Accept-Language: de"] },
  channelizer: {},
  credentials: {},
  site: { headers: ["Sec-Fetch-Site: cross-site"] },
  method: { method: "PUT" },
  "content coding": { headers: ["Content-Encoding: gzip"] },
  "transfer coding": { headers: ["Transfer-Encoding: gzip, chunked"] },
  "content length": { headers: ["Content-Length: 999999999"] }
}

/** Pairs of faults that no request can have here: HTTP or node:http excludes them, or the checks apply to different requests. */
const apart = new Set([
  "expectation framing",
  "request line header lines",
  "origin host name",
  "origin site",
  "framing transfer coding",
  "framing content length",
  "transfer coding content length",
  "host name credentials"
])

/** The settings of a server on which a check can fail. */
const serverOf: Readonly<Record<string, Parameters<typeof startServer>[0]>> = {
  channelizer: { ...modern, channelizer: "WebSocketChannelizer" },
  credentials: { ...modern, ...asking() }
}

const status = async (authority: string, ...found: ReadonlyArray<Fault>): Promise<number> => {
  const method = found.find((fault) => fault.method !== undefined)?.method ?? "POST"
  const target = found.find((fault) => fault.target !== undefined)?.target ?? "/"
  const version = found.find((fault) => fault.version !== undefined)?.version ?? "HTTP/1.1"
  const headers = found.flatMap((fault) => fault.headers ?? [])
  const hosts = headers.some((header) => header === "Host: rebound.example") ? [] : ["Host: localhost"]
  const head = [`${method} ${target} ${version}`, ...hosts, ...headers, "Connection: close"].join("\r\n")
  const answer = await raw(authority, `${head}\r\n\r\n`, (received) => received.includes("\r\n\r\n"))
  return Number(/^HTTP\/1.1 (\d+) /.exec(answer)?.[1])
}

describe("The checks of an HTTP request", () => {
  it("are these, in this order, with these statuses", () => {
    expect(httpChecks.map(({ name, status }) => [name, status])).toEqual([
      ["expectation", 417],
      ["single headers", 400],
      ["framing", 400],
      ["origin", 403],
      ["request line", 414],
      ["header lines", 431],
      ["host name", 403],
      ["channelizer", 400],
      ["credentials", 401],
      ["site", 403],
      ["method", 405],
      ["content coding", 415],
      ["transfer coding", 501],
      ["content length", 413]
    ])
    expect(httpChecks.map(({ name }) => name)).toEqual(Object.keys(faults))
  })

  it.each(httpChecks.map(({ name, status }, at) => [name, status, at] as const))(
    "refuse a request by the first one that fails: %s with %i",
    async (name, expected, at) => {
      const { authority } = await startServer(serverOf[name] ?? modern)
      expect([name, await status(authority, faults[name]!)]).toEqual([name, expected])
      for (const later of httpChecks.slice(at + 1)) {
        if (later.name in serverOf || apart.has(`${name} ${later.name}`)) continue
        const both = [name, later.name]
        expect([both, await status(authority, faults[name]!, faults[later.name]!)]).toEqual([both, expected])
      }
    }
  )

  it("look for the user after the checks that need none, and before those of the body", async () => {
    const { authority } = await startServer(serverOf.credentials)
    for (const [name, expected] of [
      ["origin", 403],
      ["request line", 414],
      ["method", 401],
      ["content length", 401]
    ] as const) {
      expect([name, await status(authority, faults[name]!)]).toEqual([name, expected])
    }
  })
})
