import { fork } from "node:child_process"
import { join } from "node:path"
import { buildServer } from "../ServerProcess.ts"
import { type CountWork, heading, line, loadGraph, measure } from "./Measure.ts"
import { requestsWith } from "./Requests.ts"
import { type Plan, startOurs } from "./Servers.ts"
import { compareVersions } from "./Versions.ts"

interface SimulatedCluster {
  readonly port: number
  readonly count: CountWork
  readonly stop: () => void
}

interface ClusterMessage {
  readonly port?: number
  readonly work?: { readonly reads: number; readonly writes: number; readonly rows: number; readonly written: number }
}

/** Starts a simulated cluster in a process of its own. */
const startSimulatedCluster = async (delay: number): Promise<SimulatedCluster> => {
  const program = join(process.cwd(), "bench", "bench.js")
  const child = fork(program, ["cluster", "--port", "0", "--delay", String(delay)])
  const kill = (): void => void child.kill("SIGKILL")
  process.once("exit", kill)
  const next = (): Promise<ClusterMessage> =>
    new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error("the simulated cluster has ended"))
      child.once("exit", ended)
      child.once("message", (message) => {
        child.off("exit", ended)
        resolve(message as ClusterMessage)
      })
    })
  const { port } = await next()
  return {
    port: port!,
    count: async () => {
      const answer = next()
      child.send("work")
      const { reads, rows, writes, written } = (await answer).work!
      return { statements: reads + writes, rows, written, cpu: undefined }
    },
    stop: () => {
      process.off("exit", kill)
      child.disconnect()
    }
  }
}

/**
 * Measures this server alone over a cluster that answers each statement after `delay` milliseconds. It shows what one server
 * process can drive when the cluster is not the limit.
 */
export const measureSimulated = async (plan: Plan, delay: number): Promise<void> => {
  buildServer()
  const cluster = await startSimulatedCluster(delay)
  for (const [at, pool] of plan.pools.entries()) {
    const server = await startOurs({ port: cluster.port, keyspace: "bench", pool, workers: plan.workers })
    if (at === 0) {
      const rate = await loadGraph(server)
      console.log(`loaded through the protocol: ${rate.toFixed(0)} elements/s; a statement takes ${delay} ms`)
    }
    console.log(`enginePool ${pool}\n${heading()}`)
    for (const request of requestsWith(plan.only)) {
      await measure(server, cluster.count, request, { inFlight: 32, seconds: plan.warm })
      for (const inFlight of plan.inFlight) {
        const figures = await measure(server, cluster.count, request, { inFlight, seconds: plan.seconds })
        console.log(line(`${request.name}, ${inFlight} in flight`, figures))
        console.log(`${request.name}: ${(1_000_000 / figures.cpu).toFixed(0)} requests/s of one core of the server`)
      }
    }
    console.log(`RSS ${server.memory().toFixed(0)} MB`)
    await server.stop()
  }
  cluster.stop()
}

/**
 * Gives the server of another checkout and this one the same requests in alternate turns, over one simulated cluster. The ratios are
 * this server / the other.
 */
export const compareSimulated = async (plan: Plan, delay: number, against: string): Promise<void> => {
  buildServer()
  buildServer(against)
  const cluster = await startSimulatedCluster(delay)
  const start = (checkout?: string) =>
    startOurs({ port: cluster.port, keyspace: "bench", pool: plan.pools[0]!, workers: plan.workers, checkout })
  const other = await start(against)
  await loadGraph(other)
  const versions = [
    { name: against, server: other },
    { name: "this checkout", server: await start() }
  ]
  for (const request of requestsWith(plan.only)) {
    for (const inFlight of plan.inFlight) await compareVersions(versions, request, inFlight, plan.seconds)
  }
  for (const { server } of versions) await server.stop()
  cluster.stop()
}
