import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { defaultSettings, EngineServer, GraphRegistry, TestServer } from "../../src/index.ts"
import { post } from "./support/HttpClient.ts"

it.live("a program starts a server, uses its graphs directly, and stops it", () =>
  Effect.gen(function* () {
    const server = yield* EngineServer.start(defaultSettings({ port: 0, channelizer: "HttpChannelizer" }))
    const graph = Context.get(server.services, GraphRegistry).graphs.get("graph")!
    const transaction = graph.begin()
    transaction.addVertex("person", undefined)
    transaction.commit()
    const answer = yield* Effect.promise(() => post(`${server.address.address}:${server.port}`, "g.V().count()"))
    assert.deepStrictEqual(answer.json.result.data, [1])
    yield* server.stop
  }).pipe(Effect.scoped)
)

it.live("a test has a server as a layer, with every transport, on a port of its own", () =>
  Effect.gen(function* () {
    const { port } = yield* EngineServer
    const answer = yield* Effect.promise(() => post(`127.0.0.1:${port}`, "g.inject(1)"))
    assert.strictEqual(answer.status, 200)
  }).pipe(Effect.provide(TestServer()))
)
