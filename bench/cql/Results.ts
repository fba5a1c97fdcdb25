import type { Figures } from "./Measure.ts"
import { requestsWith } from "./Requests.ts"
import type { Plan } from "./Servers.ts"

/** What figures belong to. */
interface Measured {
  readonly request: string
  readonly inFlight: number
  readonly server: "ours" | "JanusGraph"
  readonly pool: number
  readonly dbCache: boolean
}

/** What this server should reach beside JanusGraph. */
const LEAST_RATIO = 1.5
const LEAST_RATIO_OF_POINT_READS = 3
const LEAST_RATIO_WITH_CACHES = 5
/** Share of JanusGraph's CPU time. */
const MOST_CPU = 0.2

const leastRatio = (request: string, dbCache: boolean): number => {
  if (dbCache) return LEAST_RATIO_WITH_CACHES
  return request === "point read" ? LEAST_RATIO_OF_POINT_READS : LEAST_RATIO
}

const goal = (isMet: boolean, text: string): string => `${text} ${isMet ? "yes" : "no"}`

const headings = [
  "request",
  "in flight",
  "pools",
  "requests/s",
  "ratio",
  "p99 ms",
  "CPU us",
  "ratio",
  "Cassandra's CPU us",
  "goals"
]

/** All figures of a comparison. */
export class Results {
  readonly #figures = new Map<string, Figures>()

  add(measured: Measured, figures: Figures): void {
    this.#figures.set(nameOf(measured), figures)
  }

  /** The figures of the pool with the most requests per second. */
  #best(measured: Omit<Measured, "pool">, pools: ReadonlyArray<number>): readonly [Figures, pool: number] {
    return pools
      .map((pool) => [this.#figures.get(nameOf({ ...measured, pool }))!, pool] as const)
      .reduce((a, b) => (b[0].perSecond > a[0].perSecond ? b : a))
  }

  /**
   * A table in Markdown: the best pool of this server beside the best pool of JanusGraph, ours / theirs. `dbCache`: the rows with
   * or without caches.
   */
  table({ inFlight, only, pools }: Plan, dbCache: boolean): string {
    const rows = requestsWith(only).flatMap(({ name: request }) =>
      inFlight.map((count) => {
        const measured = { request, inFlight: count, dbCache }
        const ours = this.#best({ ...measured, server: "ours" }, pools)
        const theirs = this.#best({ ...measured, server: "JanusGraph" }, pools)
        return rowOf(request, count, dbCache, ours, theirs)
      })
    )
    const caches = dbCache ? "cache.db-cache=true in both" : "without caches"
    const all = [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
    return [`The best pool of each server, ${caches}; this server / JanusGraph:`, "", ...all, ""].join("\n")
  }
}

const nameOf = ({ dbCache, inFlight, pool, request, server }: Measured): string =>
  [request, inFlight, server, pool, dbCache].join()

const rowOf = (
  request: string,
  inFlight: number,
  dbCache: boolean,
  [ours, ourPool]: readonly [Figures, number],
  [theirs, theirPool]: readonly [Figures, number]
): ReadonlyArray<string> => {
  const pair = (name: "perSecond" | "p99" | "cpu" | "clusterCpu", digits: number): string =>
    [ours, theirs].map((figures) => (figures[name] ?? 0).toFixed(digits)).join(" / ")
  const [rate, cpu] = [ours.perSecond / theirs.perSecond, ours.cpu / theirs.cpu]
  const least = leastRatio(request, dbCache)
  const goals = [
    goal(rate >= least, `requests/s x ${least}:`),
    goal(cpu <= MOST_CPU, `CPU x ${MOST_CPU}:`),
    goal(ours.p99 < theirs.p99, "p99 below:")
  ]
  return [
    request,
    `${inFlight}`,
    `${ourPool} / ${theirPool}`,
    pair("perSecond", 0),
    rate.toFixed(2),
    pair("p99", 1),
    pair("cpu", 0),
    cpu.toFixed(2),
    pair("clusterCpu", 0),
    goals.join(", ")
  ]
}
