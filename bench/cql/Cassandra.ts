import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import cassandra from "cassandra-driver"
import { freePort, obtainCassandra, startNode } from "../../test/cassandra/Cassandra.ts"
import { cpuMicroseconds } from "../ServerProcess.ts"
import type { CountWork } from "./Measure.ts"

/** A node of Cassandra, in a process of its own. */
export interface MeasuredCassandra {
  readonly port: number
  /** Counts the work for one keyspace. The statements are those of all keyspaces. */
  readonly countIn: (keyspace: string) => CountWork
  /**
   * Stops the node and starts it again, which moves all rows from memory to files. While two keyspaces are loaded one after the
   * other, Cassandra flushes one of them: its rows then cost up to twice the CPU time of the rows that are still in memory.
   */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts an empty node of Cassandra with a heap of the given size, in MB. Maven downloads it unless CASSANDRA_JARS names a folder with its jars. */
export const startCassandra = async (heap: number): Promise<MeasuredCassandra> => {
  const root = process.cwd()
  const cache = join(root, ".cache", "cassandra")
  mkdirSync(cache, { recursive: true })
  const jars = process.env.CASSANDRA_JARS ?? obtainCassandra(cache, join(root, "conf", "cassandra", "pom.xml"))
  const folder = join(root, ".cache", "bench", "cassandra")
  rmSync(folder, { recursive: true, force: true })
  const [port, storagePort] = [await freePort(), await freePort()]
  const start = () => startNode(jars, { folder, port, storagePort, heap: `${heap}m`, commitLog: "periodic" })
  let node = await start()
  let client = await connect(port)
  const stop = async (): Promise<void> => {
    await client.shutdown()
    await node.stop()
  }
  const sumOf = async (query: string, column: string, parameters: ReadonlyArray<string>): Promise<number> => {
    const { rows } = await client.execute(query, [...parameters], { prepare: true })
    return rows.reduce((sum, row) => sum + Number(row[column]), 0)
  }
  const countIn = (keyspace: string): CountWork => {
    const latency = (kind: string): Promise<number> =>
      sumOf(`SELECT count FROM system_views.local_${kind}_latency WHERE keyspace_name = ? ALLOW FILTERING`, "count", [
        keyspace
      ])
    return async () => ({
      statements: await sumOf(
        "SELECT completed_tasks FROM system_views.thread_pools WHERE name = ?",
        "completed_tasks",
        ["Native-Transport-Requests"]
      ),
      rows: await latency("read"),
      written: await latency("write"),
      cpu: cpuMicroseconds(node.pid)
    })
  }
  return {
    port,
    countIn,
    restart: async () => {
      await stop()
      node = await start()
      client = await connect(port)
    },
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const connect = async (port: number): Promise<cassandra.Client> => {
  const client = new cassandra.Client({
    contactPoints: ["127.0.0.1"],
    protocolOptions: { port },
    localDataCenter: "datacenter1"
  })
  await client.connect()
  return client
}
