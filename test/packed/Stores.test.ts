import { createServer, type Server } from "node:net"
import { describe, expect, it } from "vitest"
import { both, onLmdb, place, start, tinkerGraph, value } from "./Programs.ts"

describe("The packed stores", () => {
  it("are graphs in memory, and one on disk that survives the server", async () => {
    const schema = ["engine.graph=JanusGraphFactory", "storage.backend=inmemory"]
    const plain = ["engine.graph=JanusGraphFactory", "storage.backend=inmemory", "storage.memory.schema=false"]
    const transactions = ["engine.graph=TinkerTransactionGraph"]
    const folder = place("stores", both, { graph: onLmdb, plain, schema, tinker: tinkerGraph, transactions })
    const first = await start(folder)
    await value(
      first.authority,
      "mgmt = graph.openManagement(); mgmt.makePropertyKey('name').dataType(String.class).make(); mgmt.commit()"
    )
    const sources = ["g", "g_plain", "g_schema", "g_tinker", "g_transactions"]
    for (const g of sources) {
      await value(first.authority, `${g}.addV('person').property('name','marko')`)
      expect([g, await value(first.authority, `${g}.V().has('name','marko').values('name')`)]).toEqual([g, ["marko"]])
    }
    await first.stop()
    const second = await start(folder)
    const counts = await Promise.all(sources.map((g) => value(second.authority, `${g}.V().count()`)))
    expect(counts).toEqual([[1], [0], [0], [0], [0]])
    await second.stop()
    expect(first.log() + second.log()).not.toMatch(/ERROR|FATAL/)
  })

  /** A fake Cassandra node that refuses every login. It answers version 4 of the protocol: OPTIONS, then STARTUP. */
  const node = (): Promise<Server> =>
    new Promise((resolve) => {
      const frame = (stream: Buffer, opcode: number, body: Buffer): Buffer => {
        const head = Buffer.from([0x84, 0, 0, 0, opcode, 0, 0, 0, 0])
        stream.copy(head, 2)
        head.writeUInt32BE(body.length, 5)
        return Buffer.concat([head, body])
      }
      const text = "Provided username and/or password are incorrect"
      const error = Buffer.concat([Buffer.from([0, 0, 1, 0, 0, text.length]), Buffer.from(text)])
      const server = createServer((socket) => {
        socket.on("error", () => {})
        socket.on("data", (data) => {
          const stream = data.subarray(2, 4)
          const isOptions = data[4] === 0x05
          socket.write(isOptions ? frame(stream, 0x06, Buffer.from([0, 0])) : frame(stream, 0x00, error))
        })
      }).listen(0, "127.0.0.1", () => resolve(server))
    })

  it("include Cassandra, whose driver reports the cluster's errors", async () => {
    const cluster = await node()
    const { port } = cluster.address() as { readonly port: number }
    const lines = ["engine.graph=JanusGraphFactory", "storage.backend=cql", "storage.hostname=127.0.0.1"]
    const named = [...lines, "storage.cql.keyspace=k", "storage.username=a", "storage.password=b"]
    const refused = start(place("cql", both, { graph: [...named, `storage.port=${port}`] }))
    await expect(refused).rejects.toThrow(/The cluster of .* refuses the user or the password \(.*are incorrect/)
    await new Promise((resolve) => cluster.close(resolve))
    const away = start(place("away", both, { graph: [...named, `storage.port=${port}`] }))
    await expect(away).rejects.toThrow(/No node of .* can be reached/)
  })
})
