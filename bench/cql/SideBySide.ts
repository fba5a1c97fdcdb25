import { installJanusGraph, startJanusGraph } from "../JanusGraph.ts"
import { buildServer, type ServerProcess } from "../ServerProcess.ts"
import { type MeasuredCassandra, startCassandra } from "./Cassandra.ts"
import { measureLargeWork } from "./LargeWork.ts"
import { type CountWork, heading, line, loadGraph, measure } from "./Measure.ts"
import { type Request, requestsWith } from "./Requests.ts"
import { Results } from "./Results.ts"
import { type Comparison, janusGraphProperties, startOurs } from "./Servers.ts"

const KEYSPACES = { ours: "bench_ours", JanusGraph: "bench_janusgraph" } as const

/** A server under test, and the cluster's count of work for its keyspace. */
interface Side {
  readonly name: keyof typeof KEYSPACES
  readonly server: ServerProcess
  readonly count: CountWork
}

/** The settings of both servers in one part of a comparison. */
interface Setting {
  /** `enginePool` and `gremlinPool`. */
  readonly pool: number
  /** `cache.db-cache`. */
  readonly dbCache: boolean
}

const startSides = async (
  cassandra: MeasuredCassandra,
  plan: Comparison,
  { dbCache, pool }: Setting
): Promise<ReadonlyArray<Side>> => {
  const cache = dbCache ? "cache.db-cache=true\n" : ""
  const ours: Side = {
    name: "ours",
    server: await startOurs({
      port: cassandra.port,
      keyspace: KEYSPACES.ours,
      pool,
      workers: plan.workers,
      more: cache
    }),
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

const measureSetting = async (
  sides: ReadonlyArray<Side>,
  plan: Comparison,
  setting: Setting,
  results: Results
): Promise<void> => {
  const wanted = requestsWith(plan.only)
  // JanusGraph comes first, so that Cassandra's code is warm when this server is measured.
  for (const side of sides.toReversed()) {
    await warmUp(side, wanted, side.name === "ours" ? plan.warm * wanted.length : plan.warmPeer)
  }
  const cache = setting.dbCache ? ", cache.db-cache=true" : ""
  console.log(`enginePool and gremlinPool ${setting.pool}${cache}\n${heading()}`)
  for (const request of wanted) {
    for (const inFlight of plan.inFlight) {
      for (const { count, name, server } of sides) {
        const figures = await measure(server, count, request, { inFlight, seconds: plan.seconds })
        results.add({ ...setting, request: request.name, inFlight, server: name }, figures)
        console.log(line(`${request.name}, ${inFlight} in flight, ${name}`, figures))
      }
    }
  }
  for (const { name, server } of sides) console.log(`RSS of ${name} ${server.memory().toFixed(0)} MB`)
}

const settingsOf = ({ dbCache, pools }: Comparison): ReadonlyArray<Setting> =>
  dbCache.flatMap((isOn) => pools.map((pool) => ({ pool, dbCache: isOn })))

/** Loads both graphs, and leaves the node with all of their rows in files. */
const loadGraphs = async (cassandra: MeasuredCassandra, plan: Comparison, setting: Setting): Promise<void> => {
  for (const { name, server } of await startSides(cassandra, plan, setting)) {
    console.log(`${name}: loaded through the protocol, ${(await loadGraph(server)).toFixed(0)} elements/s`)
    await server.stop()
  }
  await cassandra.restart()
}

/** Measures this server and JanusGraph Server beside each other over one node of Cassandra. The servers take turns. */
export const compare = async (plan: Comparison): Promise<void> => {
  buildServer()
  if (!plan.noPeer && !installJanusGraph())
    throw new Error("JanusGraph needs Java 11 or 17, and Maven for the first run")
  const cassandra = await startCassandra(plan.cassandraHeap)
  const results = new Results()
  const settings = settingsOf(plan)
  await loadGraphs(cassandra, plan, settings[0]!)
  for (const setting of settings) {
    const sides = await startSides(cassandra, plan, setting)
    await measureSetting(sides, plan, setting, results)
    for (const { server } of sides) await server.stop()
  }
  if (!plan.noPeer) for (const dbCache of plan.dbCache) console.log(results.table(plan, dbCache))
  if (plan.imported > 0) await measureLargeWork(cassandra, plan)
  await cassandra.stop()
}
