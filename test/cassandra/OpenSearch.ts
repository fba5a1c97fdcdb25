import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const cache = join(import.meta.dirname, "..", "..", ".cache", "cassandra")

/** Time in which an engine must answer. Small machines are slow. */
const START_TIMEOUT_MS = 240_000

/** Downloads the jars of OpenSearch with Maven, once, about 48 MB. `OPENSEARCH_JARS` names a folder that has them. */
const obtainOpenSearch = (): string => {
  const given = process.env.OPENSEARCH_JARS
  if (given !== undefined) return given
  const folder = join(cache, "opensearch-2.11.0-geo")
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const pom = join(import.meta.dirname, "opensearch", "pom.xml")
  const goal = ["-B", "-q", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${unfinished}`]
  execFileSync("mvn", goal, { cwd: cache, stdio: ["ignore", "pipe", "pipe"] })
  renameSync(unfinished, folder)
  return folder
}

/** The module with fields of shapes. */
const GEO = "org.opensearch.geo.GeoModulePlugin"

/** Ports that the runner takes: it counts from the first to 9299. */
const PORTS = { first: 9220, last: 9298 } as const

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().on("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/** A free port for an engine. */
export const freeEnginePort = async (): Promise<number> => {
  for (let port: number = PORTS.first; port <= PORTS.last; port++) if (await isFree(port)) return port
  throw new Error(`No port from ${PORTS.first} to ${PORTS.last} is free for OpenSearch`)
}

/** A running engine. */
export interface OpenSearch {
  readonly port: number
  /** Kills the process. */
  crash(): Promise<void>
}

/**
 * Starts OpenSearch 2.11 with the data of a folder, and resolves when it answers as the version of Elasticsearch that JanusGraph
 * expects.
 */
export const startOpenSearch = async (folder: string, port: number): Promise<OpenSearch> => {
  const runner = ["org.codelibs.opensearch.runner.OpenSearchRunner", "-basePath", folder, "-numOfNode", "1"]
  const options = ["-clusterName", "tests", "-baseHttpPort", String(port - 1), "-pluginTypes", GEO]
  const jars = join(obtainOpenSearch(), "*")
  const child = spawn("java", ["-Xmx512m", "-cp", jars, ...runner, ...options], { cwd: folder, stdio: "ignore" })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const kill = (): void => void child.kill("SIGKILL")
  process.once("exit", kill)
  const body = JSON.stringify({ persistent: { "compatibility.override_main_response_version": true } })
  const begin = performance.now()
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/_cluster/settings`, {
      method: "PUT",
      body,
      headers: { "content-type": "application/json" }
    }).catch(() => undefined)
    if (answer?.ok) break
    if (child.exitCode !== null || performance.now() - begin > START_TIMEOUT_MS) {
      kill()
      throw new Error(`OpenSearch does not answer on the port ${port}`)
    }
    await pause(200)
  }
  return {
    port,
    crash: async () => {
      kill()
      await ended
      process.off("exit", kill)
    }
  }
}
