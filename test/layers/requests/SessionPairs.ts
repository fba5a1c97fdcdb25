import * as Context from "effect/Context"
import { expect } from "vitest"
import { emptyTinkerGraph, type ServerSettings, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { type HeldGraph, serving } from "../support/HeldGraph.ts"
import { type Answer, SocketClient } from "../support/SocketClient.ts"
import { eventually, type InsideServer, startInside } from "../support/TestServers.ts"
import { boundsOf } from "../workers/Regions.ts"

const factory = { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults } as const
export const transactional: Partial<ServerSettings> = {
  graphs: new Map([["graph", { ...emptyTinkerGraph, name: "graph", factory }]])
}

/** A client of a server, and one that comes after it: at the same server, or at another worker of it. */
interface Pair {
  readonly first: SocketClient
  readonly server: InsideServer
  /** Ends the connection of the first client, and returns a second client when the server has noticed. */
  readonly reconnected: () => Promise<SocketClient>
}

export const pairOf = async (
  workers: number,
  settings: Partial<ServerSettings>,
  ...graphs: ReadonlyArray<HeldGraph>
): Promise<Pair> => {
  const parts = graphs.length === 0 ? {} : { graphs: serving(...graphs) }
  const bounds = workers === 1 ? [undefined] : await boundsOf(workers)
  const servers = await Promise.all(bounds.map((own) => startInside(settings, parts, own)))
  const server = servers[0]!
  const first = await SocketClient.connect(server.authority)
  return {
    first,
    server,
    reconnected: async () => {
      first.ws.terminate()
      await eventually(() => Context.get(server.services, Sessions).count() === 0)
      return SocketClient.connect(servers.at(-1)!.authority)
    }
  }
}

export const session = "s"

export const run = (client: SocketClient, gremlin: string): Promise<Answer> => client.eval(gremlin, { session })

const sendBytecode = (
  client: SocketClient,
  source: ReadonlyArray<unknown>,
  step: ReadonlyArray<unknown> = []
): string => {
  const gremlin = { "@type": "g:Bytecode", "@value": { source, step } }
  return client.send("bytecode", "session", { session, gremlin, aliases: { g: "g" } })
}

export const bytecode = (
  client: SocketClient,
  source: ReadonlyArray<unknown>,
  step: ReadonlyArray<unknown> = []
): Promise<Answer> => {
  return client.answer(sendBytecode(client, source, step))
}

export const commit = (client: SocketClient) => bytecode(client, [["tx", "commit"]])
/** A commit for whose answer the test does not wait. */
export const sendCommit = (client: SocketClient) => sendBytecode(client, [["tx", "commit"]])
export const add = (client: SocketClient) => bytecode(client, [], [["addV", "lost"], ["none"]])

export const count = async (client: SocketClient) => (await client.eval("g.V().count()")).result.data

export const countOf = async (client: SocketClient): Promise<unknown> =>
  ((await count(client)) as ReadonlyArray<unknown>)[0]

export const lost = {
  code: 500,
  message: expect.stringContaining("The transaction of the session 's' has ended without a commit"),
  attributes: expect.objectContaining({ exceptions: ["TransactionLost"] })
}

export const unknown = {
  code: 500,
  message: expect.stringContaining("while the transaction was being committed"),
  attributes: expect.objectContaining({ exceptions: ["TransactionLost"], commitOutcome: "unknown" })
}
