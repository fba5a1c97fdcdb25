import { installJanusGraph, startJanusGraph } from "../JanusGraph.ts"
import { buildServer, type ServerProcess } from "../ServerProcess.ts"
import { type MeasuredCassandra, startCassandra } from "./Cassandra.ts"
import { measureLargeWork } from "./LargeWork.ts"
import { type CountWork, type Figures, heading, line, loadGraph, measure } from "./Measure.ts"
import { type Request, requests } from "./Requests.ts"
import { type Comparison, janusGraphProperties, startOurs } from "./Servers.ts"

/** A server under test, and the cluster's count of work for its keyspace. */
interface Side {
  readonly name: string
  readonly server: ServerProcess
  readonly count: CountWork
}

const KEYSPACES = { ours: "bench_ours", JanusGraph: "bench_janusgraph" } as const

const startSides = async (
  cassandra: MeasuredCassandra,
  plan: Comparison,
  pool: number
): Promise<ReadonlyArray<Side>> => {
  const cache = plan.dbCache ? "cache.db-cache=true\n" : ""
  const ours: Side = {
    name: "ours",
    server: await startOurs(cassandra.port, KEYSPACES.ours, pool, cache),
    count: cassandra.countIn(KEYSPACES.ours)
  }
  if (plan.noPeer) return [ours]
  const properties = janusGraphProperties(cassandra.port, KEYSPACES.JanusGraph) + cache
  const theirs: Side = {
    name: "JanusGraph",
    server: await startJanusGraph({ heap: plan.heap, pool, properties }),
    count: cassandra.countIn(KEYSPACES.JanusGraph)
  }
  return [ours, theirs]
}

/** Requests in flight during the warm-up. */
const WARM_IN_FLIGHT = 64

const warmUp = async ({ count, server }: Side, wanted: ReadonlyArray<Request>, seconds: number): Promise<void> => {
  for (const request of wanted) {
    await measure(server, count, request, { inFlight: WARM_IN_FLIGHT, seconds: seconds / wanted.length })
  }
}

/** All figures, by request, requests in flight, server and pool. */
type Results = Map<string, Figures>

const keyOf = (request: Request, inFlight: number, side: string, pool: number): string =>
  `${request.name}, ${inFlight} in flight, ${side} ${pool}`

const measurePool = async (
  sides: ReadonlyArray<Side>,
  plan: Comparison,
  pool: number,
  results: Results
): Promise<void> => {
  const wanted = requests.filter(({ name }) => name.includes(plan.only))
  // JanusGraph comes first, so that Cassandra's code is warm when this server is measured.
  for (const side of sides.toReversed()) {
    await warmUp(side, wanted, side.name === "ours" ? plan.warm * wanted.length : plan.warmPeer)
  }
  console.log(`enginePool and gremlinPool ${pool}\n${heading()}`)
  for (const request of wanted) {
    for (const inFlight of plan.inFlight) {
      for (const { count, name, server } of sides) {
        const figures = await measure(server, count, request, { inFlight, seconds: plan.seconds })
        results.set(keyOf(request, inFlight, name, pool), figures)
        console.log(line(`${request.name}, ${inFlight} in flight, ${name}`, figures))
      }
    }
  }
  for (const { name, server } of sides) console.log(`RSS of ${name} ${server.memory().toFixed(0)} MB`)
}

/** Prints the best pool of each server beside the other: the one with the most requests per second. */
const summarize = (plan: Comparison, results: Results): void => {
  const best = (request: Request, inFlight: number, side: string): readonly [Figures, number] =>
    plan.pools
      .map((pool) => [results.get(keyOf(request, inFlight, side, pool))!, pool] as const)
      .reduce((a, b) => (b[0].perSecond > a[0].perSecond ? b : a))
  console.log("best pool of each: requests/s, CPU us, p99 ms, Cassandra's CPU us; ratios are ours / JanusGraph")
  for (const request of requests.filter(({ name }) => name.includes(plan.only))) {
    for (const inFlight of plan.inFlight) {
      const [ours, ourPool] = best(request, inFlight, "ours")
      const [theirs, theirPool] = best(request, inFlight, "JanusGraph")
      const pair = (name: keyof Figures, digits: number): string => {
        const [a, b] = [ours[name] ?? 0, theirs[name] ?? 0]
        return `${a.toFixed(digits)} / ${b.toFixed(digits)} = ${(a / b).toFixed(2)}`
      }
      const rest = [pair("perSecond", 0), pair("cpu", 0), pair("p99", 1), pair("clusterCpu", 0)]
      console.log(`${request.name}, ${inFlight} in flight (pools ${ourPool}, ${theirPool}): ${rest.join("; ")}`)
    }
  }
}

/** Measures this server and JanusGraph Server beside each other over one node of Cassandra. The servers take turns. */
export const compare = async (plan: Comparison): Promise<void> => {
  buildServer()
  if (!plan.noPeer && !installJanusGraph())
    throw new Error("JanusGraph needs Java 11 or 17, and Maven for the first run")
  const cassandra = await startCassandra(plan.cassandraHeap)
  const results: Results = new Map()
  for (const [at, pool] of plan.pools.entries()) {
    const sides = await startSides(cassandra, plan, pool)
    if (at === 0) {
      for (const { name, server } of sides) {
        console.log(`${name}: loaded through the protocol, ${(await loadGraph(server)).toFixed(0)} elements/s`)
      }
    }
    await measurePool(sides, plan, pool, results)
    for (const { server } of sides) await server.stop()
  }
  if (!plan.noPeer) summarize(plan, results)
  if (plan.imported > 0) await measureLargeWork(cassandra, plan)
  await cassandra.stop()
}
