import { EventEmitter } from "node:events"
import type { Client } from "cassandra-driver"
import { afterEach, expect, it, onTestFinished, vi } from "vitest"
import { DirectReads } from "../../../../src/storage/cassandra/direct/DirectReads.ts"
import { type RowBlock, RowCursor } from "../../../../src/storage/cassandra/RowBlock.ts"

const TEXT = "SELECT column1, value FROM t WHERE key = ?"
const OPTIONS = { consistency: 1, fetchSize: 100, hasKey: false, prepare: true }

/** An answer without metadata that has one cell, whose column names the node. */
const answer = (stream: number, node: string): Buffer => {
  const int = (value: number): Buffer => Buffer.from([0, 0, 0, value])
  const cell = [int(node.length), Buffer.from(node), int(1), Buffer.from("v")]
  const body = Buffer.concat([int(2), int(4), int(2), int(1), ...cell])
  const header = Buffer.from([0x84, 0, 0, stream, 8, 0, 0, 0, body.length])
  return Buffer.concat([header, body])
}

/** A cluster of three nodes: the first byte of a key is the number of the node that has the row. */
const threeNodes = () => {
  const silent = new Set<number>()
  const down = new Set<number>()
  const executed: Array<string> = []
  const hosts = [0, 1, 2].map((node) => {
    const protocol = { header: null, headerChunks: { byteLength: 0 }, write: (_: Buffer) => true }
    let streams = 0
    const netClient = Object.assign(new EventEmitter(), {
      write: (frame: Buffer) => {
        // A frame of a statement with its stream id at byte 3. The test sends one at a time.
        if (!silent.has(node)) setImmediate(() => protocol.write(answer(frame[3]!, `node${node}`)))
        return true
      }
    })
    const connection = {
      protocolVersion: 4,
      timedOutOperations: 0,
      netClient,
      protocol,
      _getStreamId: () => streams++ % 100,
      freeStreamId: () => undefined
    }
    return { node, isUp: () => !down.has(node), borrowConnection: () => connection }
  })
  const client = {
    keyspace: undefined,
    hosts: { length: 3, values: () => hosts },
    metadata: { getPreparedInfo: () => ({ queryId: Buffer.from("id") }) },
    profileManager: { getDistance: () => 0 },
    getReplicas: (_: string, key: Buffer) => [hosts[key[0]!]!],
    execute: async (text: string) => {
      executed.push(text)
      return { rows: [{ column1: Buffer.from("driver"), value: Buffer.from("v") }] }
    }
  }
  const close = (node: number): void => void hosts[node]!.borrowConnection().netClient.emit("close")
  // Connections that stay open check their statements in the time of later tests.
  onTestFinished(() => {
    for (const { node } of hosts) close(node)
  })
  return { client: client as unknown as Client, close, executed, silent, down }
}

const columnOf = async (reads: DirectReads, node: number): Promise<string> => {
  const key = Buffer.from([node])
  const block = await new Promise<RowBlock>((resolve, reject) =>
    reads.read({ text: TEXT, parameters: [key] }, { ...OPTIONS, routingKey: key }, resolve, reject)
  )
  const cursor = new RowCursor(block, false)
  cursor.next()
  return Buffer.from(cursor.cell().column).toString()
}

afterEach(() => {
  vi.useRealTimers()
})

it("A statement goes to a node that has the row, and through the driver when that node is down", async () => {
  const { client, down, executed } = threeNodes()
  const reads = new DirectReads(client, "keyspace", 60_000)
  // The driver prepares the text.
  expect(await columnOf(reads, 0)).toBe("driver")
  for (const node of [0, 1, 2, 1]) expect(await columnOf(reads, node)).toBe(`node${node}`)
  expect(executed).toHaveLength(1)
  down.add(2)
  expect(await columnOf(reads, 2)).toBe("driver")
  expect(await columnOf(reads, 0)).toBe("node0")
})

it("A statement whose node does not answer in time goes to another node, and then to the driver", async () => {
  const { client, executed, silent } = threeNodes()
  const reads = new DirectReads(client, "keyspace", 60_000)
  expect(await columnOf(reads, 0)).toBe("driver")
  silent.add(1)
  for (let at = 0; at < 3; at++) expect(await columnOf(reads, 1)).toMatch(/^node[02]$/)
  expect(await columnOf(reads, 2)).toBe("node2")
  expect(executed).toHaveLength(1)
  for (const node of [0, 2]) silent.add(node)
  expect(await columnOf(reads, 1)).toBe("driver")
  expect(executed).toHaveLength(2)
  silent.clear()
  expect(await columnOf(reads, 1)).toBe("node1")
  expect(executed).toHaveLength(2)
})

it("Another replica is asked first when a node does not answer in time", async () => {
  const { client, executed, silent } = threeNodes()
  const { getReplicas, hosts } = client as unknown as {
    getReplicas: (keyspace: string, key: Buffer) => ReadonlyArray<unknown>
    hosts: { values: () => ReadonlyArray<unknown> }
  }
  const [, second, third] = hosts.values()
  Object.assign(client, {
    getReplicas: (keyspace: string, key: Buffer) => (key[0] === 1 ? [second, third] : getReplicas(keyspace, key))
  })
  const reads = new DirectReads(client, "keyspace", 60_000)
  await columnOf(reads, 0)
  silent.add(1)
  for (let at = 0; at < 4; at++) expect(await columnOf(reads, 1)).toBe("node2")
  expect(executed).toHaveLength(1)
})

it("A statement that another node has answered is not executed again when the connection of the silent node closes", async () => {
  const { client, close, executed, silent } = threeNodes()
  const reads = new DirectReads(client, "keyspace", 60_000)
  await columnOf(reads, 0)
  silent.add(1)
  for (let at = 0; at < 3; at++) expect(await columnOf(reads, 1)).toMatch(/^node[02]$/)
  close(1)
  expect(executed).toHaveLength(1)
})

it("A statement without an answer is executed again when its connection closes, but not after its timeout", async () => {
  const { client, close, executed, silent } = threeNodes()
  const timeout = 1000
  const reads = new DirectReads(client, "keyspace", timeout)
  await columnOf(reads, 0)
  // One read opens the connections whose statements are checked once in each timeout.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  for (const node of [0, 1]) expect(await columnOf(reads, node)).toBe(`node${node}`)
  vi.advanceTimersByTime(timeout / 2)
  const begin = (node: number): void => {
    const key = Buffer.from([node])
    const options = { ...OPTIONS, routingKey: key, isLong: true }
    silent.add(node)
    reads.read(
      { text: TEXT, parameters: [key] },
      options,
      () => undefined,
      () => undefined
    )
  }
  begin(0)
  begin(1)
  vi.advanceTimersByTime(timeout * 0.75)
  close(0)
  expect(executed).toHaveLength(2)
  vi.advanceTimersByTime(timeout / 2)
  close(1)
  expect(executed).toHaveLength(2)
})
