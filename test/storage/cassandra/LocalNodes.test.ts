import { EventEmitter } from "node:events"
import { setImmediate } from "node:timers/promises"
import type { Client } from "cassandra-driver"
import { describe, expect, it } from "vitest"
import { CqlColumns } from "../../../src/storage/cassandra/CqlColumns.ts"
import { cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import { LocalNodes } from "../../../src/storage/cassandra/LocalNodes.ts"

const LOCAL = 0
const IGNORED = 2

/** A client that knows nodes at these distances, and answers in a later turn. `sent` has the statements. */
const clientOf = (distances: ReadonlyArray<number>) => {
  const hosts = distances.map((distance) => ({ distance, isUp: () => true }))
  const sent: Array<string> = []
  const client = {
    hosts: { length: hosts.length, values: () => hosts },
    metadata: { getPreparedInfo: () => ({}) },
    profileManager: { getDistance: (host: { readonly distance: number }) => host.distance },
    getReplicas: () => null,
    execute: async (text: string) => {
      sent.push(text)
      await setImmediate()
      return { rows: [] }
    }
  }
  return { client: client as unknown as Client, sent }
}

describe("The nodes of another datacenter", () => {
  it("do not count as nodes that can answer", () => {
    expect(new LocalNodes(clientOf([LOCAL, IGNORED, IGNORED]).client).up).toBe(1)
    expect(new LocalNodes(clientOf([LOCAL, IGNORED]).client).hasSeveral).toBe(false)
    expect(new LocalNodes(clientOf([LOCAL, LOCAL, IGNORED]).client).hasSeveral).toBe(true)
  })

  it("do not raise the number of requests in flight", async () => {
    const { client, sent } = clientOf([LOCAL, LOCAL, IGNORED, IGNORED, IGNORED])
    const options = {
      ...cqlDefaults,
      hosts: ["cluster"],
      keyspace: "test",
      username: undefined,
      password: undefined,
      readOnly: false,
      tls: undefined,
      backPressureLimit: 3
    }
    const columns = new CqlColumns(client, options)
    const reads = Array.from({ length: 20 }, (_, at) =>
      columns.secondsLeft("edgestore", Buffer.from([at]), Buffer.from([1]))
    )
    expect(sent).toHaveLength(6)
    await Promise.all(reads)
    expect(sent).toHaveLength(20)
  })
})

it("The nodes of the local datacenter are counted again when one joins, leaves, fails or comes back", () => {
  const isUp = [true, true, true]
  const hosts = isUp.map((_, at) => ({ distance: at === 2 ? IGNORED : LOCAL, isUp: () => isUp[at]! }))
  const client = Object.assign(new EventEmitter(), clientOf([]).client, {
    hosts: { length: hosts.length, values: () => hosts }
  }) as unknown as Client & EventEmitter
  const nodes = new LocalNodes(client)
  expect([nodes.up, nodes.hasSeveral]).toEqual([2, true])
  isUp[0] = false
  client.emit("hostDown")
  expect([nodes.up, nodes.hasSeveral]).toEqual([1, true])
  isUp[0] = true
  client.emit("hostUp")
  expect(nodes.up).toBe(2)
  const [left] = hosts.splice(0, 1)
  client.emit("hostRemove")
  expect([nodes.up, nodes.hasSeveral]).toEqual([1, false])
  hosts.push(left!)
  client.emit("hostAdd")
  expect([nodes.up, nodes.hasSeveral]).toEqual([2, true])
})
