import { setTimeout as sleep } from "node:timers/promises"
import { ENDLESS, expectRunning } from "../Endless.ts"
import { connectHttp, type LoadResult, load } from "../Load.ts"
import { median, medianBy } from "../Median.ts"
import { evalMessage } from "../Messages.ts"
import { cpuBetween, cpuMicroseconds } from "../ServerProcess.ts"
import type { Connection } from "../WebSocketClient.ts"
import { type Contender, connections, connectionsByWorker, divisionOf, type Served } from "./Contenders.ts"
import { spent, treeCpu } from "./ProcessTree.ts"
import { COMMIT, messageOf, POINT_READ } from "./Requests.ts"
import { goal } from "./Results.ts"
import type { Times } from "./Turns.ts"

/** What was measured, its figures, and the goal. */
export type Line = readonly [what: string, figures: string, goal: string]

const ms = ({ p50, p99 }: LoadResult): string => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`

/** Opens and closes HTTP connections one after the other, each with one request. */
const accept = async ({ port }: Served, count: number): Promise<void> => {
  for (let i = 0; i < count; i++) {
    const connection = connectHttp(port)
    await connection.call('{"gremlin":"g.inject(1)"}')
    connection.close()
  }
}

/** The CPU time of the processes for an HTTP connection with one request, when their code is compiled. */
export const accepting = async (server: Served, workers: number): Promise<Line> => {
  const COUNT = 1_000
  await accept(server, 2 * COUNT * workers)
  const before = treeCpu(server.pid)
  await accept(server, COUNT)
  const { primary, serving } = spent(before, treeCpu(server.pid))
  const each = [primary, serving].map((time) => (time / COUNT).toFixed(0))
  return [`a connection with one request, ${workers} workers`, `primary ${each[0]} us, workers ${each[1]} us`, ""]
}

/** The connections of each of two workers, when so many are open. */
export const balance = async (contender: Contender, count: number): Promise<Line> => {
  const open = await connections(contender, count)
  const division = await divisionOf(contender.servers[0]!)
  for (const connection of open) connection.close()
  const shares = division.map((each) => each / count)
  return [
    `${count} connections, 2 workers`,
    division.join(" and "),
    goal(
      shares.every((share) => share >= 0.4 && share <= 0.6),
      "each 40 to 60 %"
    )
  ]
}

const ENDLESS_REQUESTS = 16

/** Point reads while a connection of a worker runs 16 endless requests: latencies on its worker, and on the other. */
export const besideEndless = async (server: Served, { rounds, seconds }: Times): Promise<ReadonlyArray<Line>> => {
  const [[same, busy], [other]] = [...(await connectionsByWorker(server, 4)).values()] as [
    [Connection, Connection],
    [Connection]
  ]
  const endless = (): Buffer => evalMessage(ENDLESS, {}, "gremlin-lang", 0)
  for (let i = 0; i < ENDLESS_REQUESTS; i++) void busy.call(endless()).catch(() => undefined)
  await expectRunning(server.port, ENDLESS_REQUESTS)
  const results = { other: [] as Array<LoadResult>, same: [] as Array<LoadResult> }
  for (let round = 0; round < rounds; round++) {
    results.other.push(await load([other], seconds, messageOf(POINT_READ)))
    results.same.push(await load([same], seconds, messageOf(POINT_READ)))
  }
  await expectRunning(server.port, ENDLESS_REQUESTS)
  for (const connection of [same, busy, other]) connection.close()
  return (["other", "same"] as const).map((which) => [
    `point reads beside 16 endless requests, on the ${which} worker`,
    ms(medianBy(results[which], ({ p99 }) => p99)!),
    ""
  ])
}

const READERS = 16
const WRITERS = 16
const COMMITS_PER_SECOND = 1_000

/** Commits at a rate until `isOver()`. Returns their number. */
const writing = async (writers: ReadonlyArray<Connection>, isOver: () => boolean): Promise<number> => {
  const message = messageOf(COMMIT)
  const intervalMs = (1_000 * writers.length) / COMMITS_PER_SECOND
  let count = 0
  await Promise.all(
    writers.map(async (writer, i) => {
      let next = performance.now() + (intervalMs * i) / writers.length
      while (!isOver()) {
        await sleep(Math.max(0, next - performance.now()))
        await writer.call(message())
        next = Math.max(next + intervalMs, performance.now() - intervalMs)
        count++
      }
    })
  )
  return count
}

/** A turn of reads. `commits`: commits per second beside them. */
interface Reads extends LoadResult {
  readonly microseconds: number
  readonly commits: number
}

/** The turns of a round. */
interface Row {
  readonly alone: Reads
  readonly beside: Reads
}

/** Reads of some connections without commits and beside those of others, in alternate turns. */
const besideWriters = async (
  what: string,
  pid: number,
  [readers, writers]: readonly [ReadonlyArray<Connection>, ReadonlyArray<Connection>],
  { compileSeconds, rounds, seconds }: Times
): Promise<{ readonly line: Line; readonly ratio: number }> => {
  const turn = async (): Promise<Reads> => {
    const before = cpuMicroseconds(pid)
    const result = await load(readers, seconds, messageOf(POINT_READ))
    return { ...result, microseconds: cpuBetween(before, cpuMicroseconds(pid)) / result.requests, commits: 0 }
  }
  const beside = async (): Promise<Reads> => {
    let isOver = false
    const begin = performance.now()
    const written = writing(writers, () => isOver)
    const reads = await turn()
    isOver = true
    return { ...reads, commits: ((await written) / (performance.now() - begin)) * 1_000 }
  }
  await load([...readers, ...writers], compileSeconds, messageOf(COMMIT))
  await load(readers, compileSeconds, messageOf(POINT_READ))
  const rows: Array<Row> = []
  for (let round = 0; round < rounds; round++) rows.push({ alone: await turn(), beside: await beside() })
  for (const connection of [...readers, ...writers]) connection.close()
  const cpu = rows.map(({ alone, beside }) => beside.microseconds / alone.microseconds)
  const of = (which: keyof Row): string =>
    `${median(rows.map((row) => row[which].requests / row[which].seconds)).toFixed(0)}/s, ` +
    `${median(rows.map((row) => row[which].microseconds)).toFixed(0)} us of CPU, ` +
    `p99 ${median(rows.map((row) => row[which].p99)).toFixed(2)} ms`
  const commits = median(rows.map(({ beside }) => beside.commits)).toFixed(0)
  const ratio = median(cpu)
  return {
    line: [what, `alone ${of("alone")}; beside ${commits} commits/s ${of("beside")}; CPU x ${ratio.toFixed(2)}`, ""],
    ratio
  }
}

/** Point reads beside the commits of the only process. Its CPU time has the commits in it. */
export const besideWritersOfOne = async (contender: Contender, times: Times): Promise<Line> => {
  const both = [await connections(contender, READERS), await connections(contender, WRITERS)] as const
  const { line } = await besideWriters(
    "point reads, 1 worker (CPU: commits included)",
    contender.servers[0]!.pid,
    both,
    times
  )
  return line
}

/** Point reads of one worker beside the commits of the other. */
export const besideWritersOfOther = async (server: Served, times: Times): Promise<Line> => {
  const [[pid, readers], [, writers]] = [...(await connectionsByWorker(server, READERS + WRITERS))] as [
    [number, ReadonlyArray<Connection>],
    [number, ReadonlyArray<Connection>]
  ]
  const { line, ratio } = await besideWriters(
    "point reads of a worker, commits of the other",
    pid,
    [readers, writers],
    times
  )
  return [line[0], line[1], goal(ratio <= 1.25, "CPU x 1.25")]
}
