import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { compare } from "./cql/SideBySide.ts"
import { measureSimulated } from "./cql/Simulated.ts"

/**
 * npm run bench -- cql [--only part of a request's name] [--in-flight 1,32,256,1024] [--pools 2,256,1024] [--seconds 4]
 * [--warm 4] [--peer-warm 120] [--heap 512] [--cassandra-heap 768] [--no-peer] [--db-cache] [--import 10000]: starts a node of
 * Cassandra 5, JanusGraph Server 1.1 and this server, loads 2,000 persons with 10 `knows` edges each into both, and sends
 * them the same requests in turn. It needs Java 11 or 17, and Maven for the first run.
 *
 * npm run bench -- cql --simulated [--delay 1]: this server alone, over a simulated cluster that answers each statement after a
 * millisecond. BENCH_NODE_OPTIONS are Node.js options of the server, BENCH_PROPERTIES lines of the properties file of its graph.
 */
const { values } = parseArgs({
  options: {
    simulated: { type: "boolean", default: false },
    delay: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    "in-flight": { type: "string", default: "1,32,256,1024" },
    pools: { type: "string" },
    seconds: { type: "string", default: "4" },
    warm: { type: "string", default: "4" },
    "peer-warm": { type: "string", default: "120" },
    heap: { type: "string", default: "512" },
    "cassandra-heap": { type: "string", default: "768" },
    "no-peer": { type: "boolean", default: false },
    "db-cache": { type: "boolean", default: false },
    import: { type: "string", default: "10000" }
  }
})

const numbers = (list: string): ReadonlyArray<number> => list.split(",").map(Number)

const plan = {
  only: values.only,
  inFlight: numbers(values["in-flight"]),
  pools: numbers(values.pools ?? (values.simulated ? "256" : "2,256,1024")),
  seconds: Number(values.seconds),
  warm: Number(values.warm)
}
console.log(`load of the machine at the start: ${loadavg()[0]!.toFixed(1)}`)
if (values.simulated) await measureSimulated(plan, Number(values.delay))
else
  await compare({
    ...plan,
    warmPeer: Number(values["peer-warm"]),
    heap: Number(values.heap),
    cassandraHeap: Number(values["cassandra-heap"]),
    noPeer: values["no-peer"],
    dbCache: values["db-cache"],
    imported: Number(values.import)
  })
