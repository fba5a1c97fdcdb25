import type { AddressInfo } from "node:net"
import { errorOf } from "../../scheduling/Pending.ts"
import type { Figures } from "../../services/Diagnostics.ts"
import { hostAndPort } from "../../services/ListenAddress.ts"
import { megabytes, seconds, statusLines } from "../observability/StatusLines.ts"
import type { WorkerLink } from "./WorkerLink.ts"
import type { Workers } from "./Workers.ts"

/** Time that a worker has to answer, ms. The client of the control socket waits longer. */
const ANSWER_MS = 3_000

/** What {@link statusOf} shows. */
interface StatusParts {
  readonly workers: Pick<Workers, "all">
  readonly address: AddressInfo
  /** Workers that ended without an order, and were replaced. */
  readonly replaced: number
  /** Lines about requests that are refused. */
  readonly blocked: ReadonlyArray<string>
}

/** An answer of a worker, or why there is none. A worker that starts is not asked, and has neither. */
interface Answered<A> {
  readonly link: WorkerLink
  readonly answer?: A
  readonly reason?: string
}

const asked = <A>(
  workers: Pick<Workers, "all">,
  ask: (link: WorkerLink) => Promise<A>
): Promise<ReadonlyArray<Answered<A>>> =>
  Promise.all(
    workers.all.map((link) =>
      link.state === "starting" || link.state === "failed"
        ? { link }
        : ask(link).then(
            (answer) => ({ link, answer }),
            (cause) => ({ link, reason: errorOf(cause).message })
          )
    )
  )

const sumOf = (all: ReadonlyArray<Figures>, value: (figures: Figures) => number): number =>
  all.reduce((sum, figures) => sum + value(figures), 0)

/** The figures of the server. All processes count for the memory; the size of the pool is that of the server. */
const total = (all: ReadonlyArray<Figures>): Figures => {
  const { heapUsed, rss } = process.memoryUsage()
  return {
    uptimeMs: process.uptime() * 1_000,
    pool: {
      running: sumOf(all, ({ pool }) => pool.running),
      size: Math.max(0, ...all.map(({ pool }) => pool.size)),
      lanes: sumOf(all, ({ pool }) => pool.lanes),
      queued: sumOf(all, ({ pool }) => pool.queued),
      refused: sumOf(all, ({ pool }) => pool.refused)
    },
    sessions: sumOf(all, ({ sessions }) => sessions),
    connections: sumOf(all, ({ connections }) => connections),
    residentBytes: rss + sumOf(all, ({ residentBytes }) => residentBytes),
    heapBytes: heapUsed + sumOf(all, ({ heapBytes }) => heapBytes),
    faults: [...new Set(all.flatMap(({ faults }) => faults))]
  }
}

const headOf = ({ connections, number, pid, state }: WorkerLink): string =>
  `worker ${number}: process ${pid}, ${state}, ${connections} connections`

const noAnswer = (reason: string | undefined, indent = ""): string =>
  reason === undefined ? "" : `${indent}no answer: ${reason}\n`

const workerLines = ({ answer, link, reason }: Answered<Figures>): string => {
  if (answer === undefined) return `${headOf(link)}\n${noAnswer(reason, "  ")}`
  const { heapBytes, pool, residentBytes, sessions, uptimeMs } = answer
  const memory = `${megabytes(residentBytes)} resident, ${megabytes(heapBytes)} heap`
  const work = `${pool.running} running, ${pool.queued} queued, ${sessions} sessions`
  return `${headOf(link)}\n  up ${seconds(uptimeMs)}, ${work}, ${memory}\n`
}

/** The lines of the command `status`: the whole server, then each worker. */
export const statusOf = async ({ address, blocked, replaced, workers }: StatusParts): Promise<string> => {
  const all = await asked(workers, ({ channel }) => channel.ask("status", null, ANSWER_MS))
  const figures = all.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
  const silent = all.filter(({ reason }) => reason !== undefined).map(({ link }) => link.number)
  const serving = all.filter(({ link }) => link.state === "serving").length
  const died = replaced === 0 ? "" : `, ${replaced} ended without an order and were replaced`
  return [
    `address: ${hostAndPort(address.address, address.port)}\n`,
    `primary: process ${process.pid}\n`,
    `workers: ${serving} serve${died}\n`,
    silent.length === 0 ? "" : `WARNING: the sums lack the workers that did not answer: ${silent.join(", ")}\n`,
    ...statusLines(total(figures)).map((line) => `${line}\n`),
    ...blocked.map((line) => `${line}\n`),
    ...all.map(workerLines)
  ].join("")
}

/** The answer of the command `dump`: the whole server, then what each worker evaluates. */
export const dumpOf = async (workers: Pick<Workers, "all">, format: "text" | "json"): Promise<string> => {
  const time = new Date().toISOString()
  const all = await asked(workers, ({ channel }) => channel.ask("dump", format, ANSWER_MS))
  if (format === "json") {
    const shown = all.map(({ answer, link: { connections, number, pid, state }, reason }) => ({
      worker: number,
      pid,
      state,
      connections,
      ...(answer === undefined ? { error: reason } : { fibers: fibersOf(answer) })
    }))
    return `${JSON.stringify({ time, pid: process.pid, workers: shown }, null, 2)}\n`
  }
  const blocks = all.map(({ answer, link, reason }) => `${headOf(link)}\n${answer ?? noAnswer(reason)}`)
  return `${time}\nengine-server ${process.pid}, primary process of ${all.length} workers\n\n${blocks.join("\n")}`
}

const fibersOf = (dump: string): unknown => (JSON.parse(dump) as { readonly fibers: unknown }).fibers
