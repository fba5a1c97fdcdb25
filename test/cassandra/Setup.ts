import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { freePort, obtainCassandra, startNode } from "./Cassandra.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The port of a node on the loopback address. */
    readonly cassandraPort: number
    /** The jars with which a test starts more nodes. */
    readonly cassandraJars: string
  }
}

const cache = join(import.meta.dirname, "..", "..", ".cache", "cassandra")

/**
 * Starts one node for all tests; each test creates its own keyspaces. `CASSANDRA_PORT` names a running node on the loopback
 * address instead.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  mkdirSync(cache, { recursive: true })
  const jars = process.env.CASSANDRA_JARS ?? obtainCassandra(cache)
  project.provide("cassandraJars", jars)
  const running = process.env.CASSANDRA_PORT
  if (running !== undefined) {
    project.provide("cassandraPort", Number(running))
    return async () => undefined
  }
  const folder = mkdtempSync(join(tmpdir(), "engine-server-cassandra-"))
  const node = await startNode(jars, { folder, port: await freePort(), storagePort: await freePort() })
  project.provide("cassandraPort", node.port)
  return async () => {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
