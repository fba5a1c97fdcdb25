import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { loadGraph } from "./Persons.ts"
import { buildServer } from "./ServerProcess.ts"
import {
  accepting,
  balance,
  besideEndless,
  besideWritersOfOne,
  besideWritersOfOther,
  type Line
} from "./workers/Cases.ts"
import { type Contender, Copies, served } from "./workers/Contenders.ts"
import { disks, memories } from "./workers/MemoryCases.ts"
import { COMMIT, READS } from "./workers/Requests.ts"
import { markdown, Results } from "./workers/Results.ts"
import { compare, compile, type Times } from "./workers/Turns.ts"

/**
 * npm run bench -- workers [--rounds 9] [--seconds 1]: a graph on disk, served by 1, 2 and 4 workers, side by side in alternate
 * turns. Prints tables for the documentation, and whether each row reaches its goals: the CPU time of a request (all processes of the
 * server, without the client), the share of the busiest worker, and requests per second. The requests are also sent to 2 and 4 separate
 * servers: the ratio to as many of them is what the workers cost, and the rest is what more processes than processors cost. Then
 * connections, reads beside commits, and reads beside endless requests. It takes less than 12 minutes on two cores.
 *
 * `--short` shows in three minutes that it works. With `--clients N` only the throughput with N connections, for machines whose
 * processors are not shared with the client. `--memory` only measures the memory of each process, and two workers over a graph on
 * disk beside two over one on a memory disk.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    seconds: { type: "string" },
    short: { type: "boolean", default: false },
    clients: { type: "string" },
    memory: { type: "boolean", default: false }
  }
})
const times: Times = {
  rounds: Number(values.rounds ?? (values.short ? 3 : 9)),
  seconds: Number(values.seconds ?? (values.short ? 0.3 : 1)),
  compileSeconds: values.short ? 1 : 6
}
const READERS = 64

buildServer()
const folder = mkdtempSync(join(tmpdir(), "engine-server-bench-"))
/** The folder of a graph that is loaded once. Without syncs, so that it takes as long on every disk. */
const graph = join(folder, "loaded")
const loading = await served(1, { directory: graph, sync: "none" })
await loadGraph(loading, 100)
await loading.stop()

const copies = new Copies(graph, folder)
const [one, two, four] = [await copies.start(1), await copies.start(2), await copies.start(4)]
const withOne: Contender = { name: "1 worker", servers: [one] }
const withTwo: Contender = { name: "2 workers", servers: [two] }
const withFour: Contender = { name: "4 workers", servers: [four] }

const readTable = async (contenders: ReadonlyArray<Contender>, clients: number): Promise<string> => {
  const results = new Results()
  for (const [name, script] of Object.entries(READS)) {
    for (const contender of contenders) await compile(contender, script, times.compileSeconds)
    results.add(name, await compare(contenders, script, clients, times))
  }
  return results.table
}

const everything = async (): Promise<void> => {
  const separate = [one, await copies.start(1), await copies.start(1), await copies.start(1)]
  const twoServers: Contender = { name: "2 servers", servers: separate.slice(0, 2) }
  const fourServers: Contender = { name: "4 servers", servers: separate }
  const reads = await readTable([withOne, withTwo, twoServers, withFour, fourServers], READERS)
  const commits = new Results()
  const writers = [withOne, withTwo, twoServers]
  for (const contender of writers) await compile(contender, COMMIT, times.compileSeconds)
  for (const clients of [1, 16, 64, 256]) {
    commits.add(`commit, ${clients} clients`, await compare(writers, COMMIT, clients, times), true)
  }
  const lines: ReadonlyArray<Line> = [
    await balance(withTwo, 4),
    await balance(withTwo, 64),
    await accepting(two, 2),
    await accepting(four, 4),
    await besideWritersOfOne(withOne, times),
    await besideWritersOfOther(two, times),
    ...(await besideEndless(two, times))
  ]
  console.log(["", reads, "", commits.table, "", markdown([["measured", "figures", "goal"], ...lines])].join("\n"))
}

if (values.memory) {
  await memories([withOne, withTwo, withFour], times)
  await disks(folder, times)
} else if (values.clients !== undefined) {
  console.log(await readTable([withOne, withTwo, withFour], Number(values.clients)))
} else await everything()
await copies.stop()
rmSync(folder, { recursive: true, force: true })
