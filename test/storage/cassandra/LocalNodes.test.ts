import { setImmediate } from "node:timers/promises"
import type { Client } from "cassandra-driver"
import { describe, expect, it } from "vitest"
import { CqlColumns } from "../../../src/storage/cassandra/CqlColumns.ts"
import { cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import { hasSeveralNodes, localNodesUp } from "../../../src/storage/cassandra/LocalNodes.ts"

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
    expect(localNodesUp(clientOf([LOCAL, IGNORED, IGNORED]).client)).toBe(1)
    expect(hasSeveralNodes(clientOf([LOCAL, IGNORED]).client)).toBe(false)
    expect(hasSeveralNodes(clientOf([LOCAL, LOCAL, IGNORED]).client)).toBe(true)
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
