import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  Channelizers,
  composition,
  defaultSettings,
  EngineServer,
  GraphRegistry,
  LaneRequestPool,
  openGraph,
  RequestPool,
  RunQueue,
  TestServer
} from "../../src/index.ts"
import { post } from "./support/HttpClient.ts"

it.live("A program starts a server, uses its graphs directly, and stops it", () =>
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

it.live("A test uses a server as a layer, with every transport, on a free port", () =>
  Effect.gen(function* () {
    const { port } = yield* EngineServer
    const answer = yield* Effect.promise(() => post(`127.0.0.1:${port}`, "g.inject(1)"))
    assert.strictEqual(answer.status, 200)
  }).pipe(Effect.provide(TestServer()))
)

/** One graph under a name that is not in the settings. */
const people = Layer.scoped(
  GraphRegistry,
  Effect.gen(function* () {
    const settings = defaultSettings().graphs.get("graph")!
    const store = yield* Effect.acquireRelease(openGraph(settings), (store) => Effect.promise(() => store.close()))
    const source = { name: "people", store, settings: { instructions: [] } }
    return { graphs: new Map([["people", store]]), sources: new Map([["people", source]]), plain: () => source }
  })
)

/** Two lanes, whatever the settings say. */
const twoLanes = Layer.scoped(
  RequestPool,
  Effect.gen(function* () {
    const runQueue = yield* RunQueue
    const options = { size: 2, queue: 0, lanesOnDemand: false, idleLane: 60_000 }
    return yield* Effect.acquireRelease(
      Effect.sync(() => LaneRequestPool.makePool(options, runQueue)),
      (pool) => Effect.sync(pool.close)
    )
  })
)

it.live("A program replaces graphs, pool and transport", () =>
  Effect.gen(function* () {
    const settings = defaultSettings({ port: 0, channelizer: "WebSocketChannelizer", enginePool: 7 })
    const parts = { graphs: people, pool: twoLanes, channelizer: Channelizers.HttpChannelizer }
    const { port, services } = yield* EngineServer.start(settings, parts)
    const ask = (gremlin: string) => Effect.promise(() => post(`127.0.0.1:${port}`, gremlin))
    assert.deepStrictEqual((yield* ask("people.addV('person').count()")).json.result.data, [1])
    assert.deepStrictEqual((yield* ask("people.V().hasLabel('person').count()")).json.result.data, [1])
    assert.notStrictEqual((yield* ask("g.V().count()")).status, 200)
    assert.strictEqual(Context.get(services, RequestPool).status().size, 2)
  }).pipe(Effect.scoped)
)

it.live("A program builds a whole server from a layer", () =>
  Effect.gen(function* () {
    const services = yield* Layer.build(composition(defaultSettings({ port: 0 }), { graphs: people }))
    assert.deepStrictEqual([...Context.get(services, GraphRegistry).graphs.keys()], ["people"])
  }).pipe(Effect.scoped)
)
