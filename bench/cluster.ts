import { parseArgs } from "node:util"
import { startCluster } from "./cluster/ClusterServer.ts"

/**
 * npm run bench -- cluster [--port 9042] [--delay 1]: a simulated Cassandra. It speaks the CQL protocol on the loopback address,
 * keeps JanusGraph's tables in memory, and answers each request after so many milliseconds. A parent process can send the
 * message "work" and gets a count of statements and rows.
 */
const { values } = parseArgs({
  options: { port: { type: "string", default: "9042" }, delay: { type: "string", default: "1" } }
})
const { cluster, port } = await startCluster(Number(values.port), Number(values.delay))
if (process.send === undefined) console.log(`The simulated cluster listens on 127.0.0.1:${port}`)
process.send?.({ port })
process.on("message", (message) => {
  if (message === "work") process.send?.({ work: cluster.work })
})
// The cluster ends with the process that started it.
process.on("disconnect", () => process.exit(0))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0))
