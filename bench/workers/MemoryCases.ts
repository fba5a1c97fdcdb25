import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { load } from "../Load.ts"
import { loadGraph } from "../Persons.ts"
import type { ServerProcess } from "../ServerProcess.ts"
import { type Contender, connections, served } from "./Contenders.ts"
import { treeMemory } from "./Memory.ts"
import { COMMIT, messageOf, POINT_READ, READS } from "./Requests.ts"
import { compare, compile, middle, type Times } from "./Turns.ts"

const CLIENTS = 64

const memory = (name: string, { pid }: ServerProcess): void => {
  const each = treeMemory(pid).map(({ own, proportional }) => `${own.toFixed(0)} (${proportional.toFixed(0)})`)
  console.log(`${name}: own memory of each process (with its part of shared memory), MB: ${each.join(", ")}`)
}

/** Memory of each process while it is idle, and after reads and commits. */
export const memories = async (contenders: ReadonlyArray<Contender>, times: Times): Promise<void> => {
  for (const contender of contenders) {
    const [server] = contender.servers
    memory(`${contender.name}, graph loaded`, server!)
    for (const script of [READS.hop, COMMIT]) {
      await compile(contender, script, times.compileSeconds)
      const open = await connections(contender, CLIENTS)
      await load(open, times.seconds, messageOf(script))
      for (const connection of open) connection.close()
    }
    memory(`${contender.name}, after ${CLIENTS} clients`, server!)
  }
}

/** Two workers with a graph on disk, and two with one on a memory disk without syncs. */
export const disks = async (folder: string, times: Times): Promise<void> => {
  const memoryDisk = mkdtempSync("/dev/shm/engine-server-bench-")
  const servers = [
    await served(2, { directory: join(folder, "disk"), sync: "durable" }),
    await served(2, { directory: join(memoryDisk, "graph"), sync: "none" })
  ] as const
  for (const server of servers) await loadGraph(server)
  const contenders = servers.map((server): Contender => ({ name: "2 workers", servers: [server] }))
  for (const script of [POINT_READ, COMMIT]) {
    for (const contender of contenders) await compile(contender, script, times.compileSeconds)
  }
  for (const [name, script, clients] of [
    ["point read", POINT_READ, CLIENTS],
    ["commit, 1 client", COMMIT, 1],
    ["commit, 16 clients", COMMIT, 16],
    ["commit, 256 clients", COMMIT, 256]
  ] as const) {
    const [disk, ram] = (await compare(contenders, script, clients, times)).map(
      (turns) => `${middle(turns, "perSecond").toFixed(0)} /s, ${middle(turns, "microseconds").toFixed(0)} us`
    )
    console.log(`${name.padEnd(24)} disk ${disk}; memory disk ${ram}`)
  }
  for (const server of servers) await server.stop()
  rmSync(memoryDisk, { recursive: true, force: true })
}
