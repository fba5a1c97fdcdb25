import { beforeAll, describe, expect, it } from "vitest"
import { bundled } from "../support/ServerProcess.ts"
import { type Answer, SocketClient } from "../support/SocketClient.ts"
import { startWorkers, until } from "../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

const session = "s"

const inSession = (client: SocketClient, value: object): Promise<Answer> => {
  const gremlin = { "@type": "g:Bytecode", "@value": value }
  return client.answer(client.send("bytecode", "session", { session, gremlin, aliases: { g: "g" } }))
}

const add = (client: SocketClient) => inSession(client, { step: [["addV", "lost"], ["none"]] })
const commit = (client: SocketClient) => inSession(client, { source: [["tx", "commit"]] })

/** The error of a commit in the session of a connection that is lost, as soon as the server knows that it is lost. */
const refusedCommit = (client: SocketClient): Promise<Answer> =>
  until(
    () => commit(client),
    ({ status }) => !status.message.includes("is not bound")
  )

const expectLoss = async (authority: string): Promise<void> => {
  const second = await SocketClient.connect(authority)
  const { status } = await refusedCommit(second)
  expect([status.code, status.message]).toEqual([
    500,
    expect.stringContaining("The transaction of the session 's' has ended without a commit")
  ])
  expect((await commit(second)).status).toEqual(status)
  expect((await inSession(second, { source: [["tx", "rollback"]] })).status.code).toBe(204)
  expect((await commit(second)).status.code).toBe(204)
  expect((await second.eval("g.V().count()")).result.data).toEqual([0])
}

describe("A commit in the session of a connection that is lost, in a server with workers", () => {
  it("fails after the death of the worker that had the session", async () => {
    const server = await startWorkers(bundle, 2)
    const [first] = await server.pids()
    const client = await SocketClient.connect(server.authority)
    expect((await add(client)).status.code).toBe(204)
    process.kill(first!, "SIGKILL")
    await client.closed
    await expectLoss(server.authority)
  })

  it("fails after a reload that did not wait for the end of the transaction", async () => {
    const server = await startWorkers(bundle, 2, ["shutdownTimeout: 50"])
    const client = await SocketClient.connect(server.authority)
    expect((await add(client)).status.code).toBe(204)
    await server.reload()
    expect((await client.closed).code).toBe(1012)
    await expectLoss(server.authority)
  })
})
