import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { Channelizers, Dispatcher, type ServerParts, StorageFailure } from "../../../src/index.ts"
import { FailureQuotas } from "../../../src/layers/observability/LineQuota.ts"
import { AnswerFile } from "../../../src/layers/transport/shared/AnswerFile.ts"
import { AnswerFiles } from "../../../src/layers/transport/shared/AnswerFiles.ts"
import { Authenticator } from "../../../src/services/Authenticator.ts"
import { GraphRegistry } from "../../../src/services/GraphRegistry.ts"
import { Metrics } from "../../../src/services/Metrics.ts"
import { RequestPool } from "../../../src/services/RequestPool.ts"
import { http, post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, modern, startInside, type TestedServer } from "../support/TestServers.ts"

const broken = (): never => {
  throw new TypeError("out of order")
}

/** A server whose dispatcher has some functions replaced. */
const withDispatcher = (replaced: Partial<typeof Dispatcher.Service>): Promise<TestedServer> => {
  const other = Layer.effect(
    Dispatcher,
    Effect.map(Dispatcher, (own) => ({ ...own, ...replaced }))
  )
  const parts: ServerParts = { channelizer: Layer.provide(Channelizers.WsAndHttpChannelizer, other) }
  return startInside(modern, parts)
}

/** Waits for a log line at error level with the stack of the cause. */
const logged = (server: TestedServer, what: string, cause = "TypeError: out of order"): Promise<void> =>
  eventually(() =>
    server.log.some(
      (line) => line.startsWith(`ERROR ${what}`) && line.includes(cause) && /\n +at .*InternalErrors/.test(line)
    )
  )

describe("An internal error is answered, and logged at error level with its cause,", () => {
  it("of GET /metrics", async () => {
    const server = await startInside()
    Context.get(server.services, Metrics).gauge("broken", "A number that cannot be read.", broken)
    expect((await http(server.authority, { path: "/metrics" })).status).toBe(500)
    await logged(server, "GET /metrics failed")
  })

  it("of GET /gremlin/status", async () => {
    const server = await withDispatcher({ running: broken })
    const answer = await http(server.authority, { path: "/gremlin/status?x=secret" })
    expect([answer.status, answer.json["Exception-Class"]]).toEqual([500, "InternalError"])
    await logged(server, "GET /gremlin/status failed")
    expect(server.log.join()).not.toContain("secret")
    expect((await post(server.authority, "g.V().count()")).status).toBe(200)
  })

  it("of an HTTP request that fails before its evaluation", async () => {
    const server = await withDispatcher({ dispatch: broken })
    expect((await post(server.authority, "1")).status).toBe(500)
    expect((await http(server.authority, { path: "/?gremlin=1" })).status).toBe(500)
    await logged(server, "POST / failed")
    await logged(server, "GET / failed")
  })

  it("of a message over a WebSocket, which is closed with 1011", async () => {
    const server = await withDispatcher({ dispatch: broken })
    const client = await SocketClient.connect(server.authority)
    client.send("eval", "", { gremlin: "1" })
    expect(await client.closed).toEqual({ code: 1011, reason: "internal error; the server's log has the reason" })
    await logged(server, "A message over a WebSocket failed (eval)")
  })

  it("of a graph whose storage fails", async () => {
    const server = await startInside()
    const graph = Context.get(server.services, GraphRegistry).graphs.get("graph") as { begin: unknown }
    graph.begin = () => {
      throw new StorageFailure("The disk cannot be read.", { cause: new Error("EIO of the disk") })
    }
    expect((await post(server.authority, "g.V()")).status).toBe(500)
    await logged(server, "Request ", "EIO of the disk")
    await logged(server, "Request ", "The disk cannot be read.")
    expect(server.log.join()).not.toContain("defect")
  })

  it("of an authenticator of a program that fails later", async () => {
    const failing = () => Effect.die(new TypeError("out of order"))
    const authenticator = Layer.succeed(Authenticator, {
      required: true,
      http: failing,
      sasl: () => ({ respond: failing }),
      isCurrent: () => true,
      token: undefined
    })
    const server = await startInside({}, { authenticator })
    expect((await post(server.authority, "1")).status).toBe(401)
    await logged(server, "The program's own authenticator failed")
  })

  it("of a pool that accepts no request", async () => {
    const server = await startInside()
    Object.assign(Context.get(server.services, RequestPool), { submit: broken })
    expect((await post(server.authority, "1")).status).toBe(500)
    await logged(server, "A request failed before it was evaluated")
  })

  it("of an answer in a temporary file that cannot be read", async () => {
    const failures: Array<Error> = []
    const file = new AnswerFile(new AnswerFiles(0, (error) => failures.push(error)), "a client")
    file.append(Buffer.from("abc"))
    // As when the written data is lost.
    file.length = 100
    await new Promise<void>((cut) => {
      const response = { write: () => true, once: () => {}, end: () => {}, destroy: cut }
      file.send(response as never, null, Buffer.alloc(0))
    })
    file.close()
    expect(failures.map(({ message }) => message)).toEqual(["The file ends at byte 3, before its end."])
  })
})

describe("Log lines of failures", () => {
  it("are limited for each kind, and omitted lines are counted", async () => {
    const left: Array<string> = []
    const quotas = new FailureQuotas((kind, count) => left.push(`${count} ${kind}`))
    const one = new Error("one kind")
    const written = Array.from({ length: 1_000 }, () => quotas.take(one)).filter((isWritten) => isWritten).length
    // A new second may begin between them.
    expect([20, 40]).toContain(written)
    expect(quotas.take(new TypeError("another kind"))).toBe(true)
    await eventually(() => left.length > 0)
    expect(left).toEqual([expect.stringMatching(new RegExp(`^${1_000 - written} Error at .*InternalErrors`))])
  })
})
