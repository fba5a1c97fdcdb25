import { attachRegion } from "../../../src/layers/workers/SharedRegion.ts"
import { workerBounds } from "../../../src/layers/workers/WorkerBounds.ts"

// A worker that takes something of everything, says so, and keeps it until it is killed.
const bounds = workerBounds(await attachRegion(3), Number(process.argv[2]))
const pool = bounds.pool(4, 10)
for (let i = 0; i < 3; i++) pool.takeLane()
pool.enterQueue(0)
bounds.connections.take(10)
bounds.sessions.open("its session", 10)
bounds.transactions("marko", "its session").hold("changes")
bounds.transactions("marko", "another").hold("outcome")
const committed = bounds.transactions("marko", "committed")
committed.hold("changes")
committed.forget()
bounds.held.set(3_000_000)
bounds.held.setLargest(2_000_000)
bounds.arriving.set(1_000_000)
bounds.answers.set(1_000_000)
const attempts = bounds.failures("an address")
attempts.take(5)
console.log("holding")
setInterval(() => {}, 60_000)
