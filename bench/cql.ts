import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { compare } from "./cql/SideBySide.ts"
import { compareSimulated, measureSimulated } from "./cql/Simulated.ts"

/**
 * npm run bench -- cql [--only parts of the names of requests] [--in-flight 1,32,256,1024] [--pools 2,256,1024] [--seconds 4]
 * [--warm 4] [--peer-warm 120] [--heap 512] [--cassandra-heap 768] [--no-peer] [--db-cache no,yes] [--import 10000]
 * [--workers 1]: starts a node of Cassandra 5, JanusGraph Server 1.1 and this server, loads 2,000 persons with 10 `knows` edges
 * each into both, and sends them the same requests in turn. It needs Java 11 or 17, and Maven for the first run.
 *
 * npm run bench -- cql --short: the requests that have goals, with 256 in flight, without caches and with them, and this server
 * alone over a simulated cluster. It takes less than 25 minutes on two cores, and prints tables for the documentation.
 *
 * npm run bench -- cql --simulated [--delay 1]: this server alone, over a simulated cluster that answers each statement after a
 * millisecond. With --against FOLDER, the server of another checkout gets the same requests in alternate turns.
 *
 * BENCH_NODE_OPTIONS are Node.js options of the server, BENCH_PROPERTIES lines of the properties file of its graph.
 */
const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    simulated: { type: "boolean", default: false },
    delay: { type: "string", default: "1" },
    only: { type: "string" },
    "in-flight": { type: "string" },
    pools: { type: "string" },
    seconds: { type: "string" },
    warm: { type: "string" },
    "peer-warm": { type: "string", default: "120" },
    heap: { type: "string", default: "512" },
    "cassandra-heap": { type: "string", default: "768" },
    "no-peer": { type: "boolean", default: false },
    "db-cache": { type: "string" },
    against: { type: "string" },
    workers: { type: "string", default: "1" },
    import: { type: "string" }
  }
})

/** The defaults of each form. `only`: parts of the names of requests. */
const whole = {
  only: "",
  "in-flight": "1,32,256,1024",
  pools: "2,256,1024",
  seconds: "4",
  warm: "4",
  "db-cache": "no",
  import: "10000"
}
const short = {
  only: "point read,hop,whole vertices,mixed",
  "in-flight": "256",
  pools: "16,256",
  seconds: "8",
  warm: "10",
  "db-cache": "no,yes",
  import: "0"
}
const simulated = { ...whole, pools: "256" }

const defaults = values.short ? short : values.simulated ? simulated : whole
const option = (name: keyof typeof whole): ReadonlyArray<string> => (values[name] ?? defaults[name]).split(",")

const plan = {
  only: option("only"),
  inFlight: option("in-flight").map(Number),
  pools: option("pools").map(Number),
  seconds: Number(option("seconds")[0]),
  warm: Number(option("warm")[0]),
  workers: Number(values.workers)
}
const begin = performance.now()
console.log(`load of the machine at the start: ${loadavg()[0]!.toFixed(1)}`)
if (!values.simulated)
  await compare({
    ...plan,
    warmPeer: Number(values["peer-warm"]),
    heap: Number(values.heap),
    cassandraHeap: Number(values["cassandra-heap"]),
    noPeer: values["no-peer"],
    dbCache: option("db-cache").map((word) => word === "yes"),
    imported: Number(option("import")[0])
  })
const delay = Number(values.delay)
if (values.simulated) {
  if (values.against === undefined) await measureSimulated(plan, delay)
  else await compareSimulated(plan, delay, values.against)
}
if (values.short) await measureSimulated({ ...plan, only: ["hop"], pools: [256] }, delay)
console.log(`the measurements took ${((performance.now() - begin) / 60_000).toFixed(1)} minutes`)
