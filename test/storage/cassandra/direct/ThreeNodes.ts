import { EventEmitter } from "node:events"
import type { Client } from "cassandra-driver"
import { onTestFinished } from "vitest"
import { DirectNodes } from "../../../../src/storage/cassandra/direct/DirectNodes.ts"
import { DirectReads } from "../../../../src/storage/cassandra/direct/DirectReads.ts"
import { type RowBlock, RowCursor } from "../../../../src/storage/cassandra/RowBlock.ts"
import type { StatementText } from "../../../../src/storage/cassandra/Statements.ts"

const OPTIONS = {
  consistency: 1,
  fetchSize: 100,
  pageState: undefined,
  readTimeout: 1000,
  hasKey: false,
  isScan: false
}

/** Reads over a client, each of which has `timeout` ms. */
export const readsOver = (client: Client, timeout = 60_000): DirectReads =>
  new DirectReads(client, new DirectNodes(client, "keyspace", timeout), timeout)

/** Reads a row of a node. Returns the column of its first cell. */
export const columnRead = async (
  reads: DirectReads,
  cql: StatementText,
  node: number,
  isScan: boolean
): Promise<string> => {
  const key = Buffer.from([node])
  const block = await new Promise<RowBlock>((resolve, reject) =>
    reads.read({ cql, parameters: [key] }, { ...OPTIONS, isScan, routingKey: key }, resolve, reject)
  )
  const cursor = new RowCursor(block, false)
  cursor.next()
  return Buffer.from(cursor.cell().column).toString()
}

/** An answer without metadata that has one cell, whose column names the node. It may begin with warnings. */
export const answer = (stream: number, node: string, warnings: ReadonlyArray<string> = []): Buffer => {
  const int = (value: number): Buffer => Buffer.from([0, 0, 0, value])
  const cell = [int(node.length), Buffer.from(node), int(1), Buffer.from("v")]
  const texts = warnings.flatMap((warning) => [Buffer.from([0, warning.length]), Buffer.from(warning)])
  const list = warnings.length === 0 ? [] : [Buffer.from([0, warnings.length]), ...texts]
  const body = Buffer.concat([...list, int(2), int(4), int(2), int(1), ...cell])
  const header = Buffer.from([0x84, list.length === 0 ? 0 : 8, 0, stream, 8, 0, 0, 0, body.length])
  return Buffer.concat([header, body])
}

/**
 * A cluster of three nodes: the first byte of a key is the number of the node that has the row. The answer of a node names it, unless
 * `answers` has another one for the stream of the statement.
 */
export const threeNodes = () => {
  const answers = new Map<number, (stream: number) => Buffer>()
  const sent: Array<number> = []
  const silent = new Set<number>()
  const down = new Set<number>()
  const busy = new Set<number>()
  /** The answers of silent nodes. */
  const held: Array<() => void> = []
  const executed: Array<string> = []
  const hosts = [0, 1, 2].map((node) => {
    const protocol = { header: null, headerChunks: { byteLength: 0 }, write: (_: Buffer) => true }
    let streams = 0
    const netClient = Object.assign(new EventEmitter(), {
      write: (frame: Buffer) => {
        sent.push(node)
        const other = answers.get(node)
        // A frame of a statement with its stream id at byte 3. The test sends one at a time.
        const bytes = other === undefined ? answer(frame[3]!, `node${node}`) : other(frame[3]!)
        if (silent.has(node)) held.push(() => protocol.write(bytes))
        else setImmediate(() => protocol.write(bytes))
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
    const borrowConnection = () => {
      if (busy.has(node)) throw new Error("All connections to host are busy")
      return connection
    }
    return { node, connection, isUp: () => !down.has(node), borrowConnection, checkHealth: () => undefined }
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
    },
    batch: async () => void executed.push("batch")
  }
  const close = (node: number): void => void hosts[node]!.connection.netClient.emit("close")
  // Connections that stay open check their statements in the time of later tests.
  onTestFinished(() => {
    for (const { node } of hosts) close(node)
  })
  return { answers, busy, client: client as unknown as Client, close, executed, held, sent, silent, down }
}
