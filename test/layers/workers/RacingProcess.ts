import { attachRegion } from "../../../src/layers/workers/SharedRegion.ts"
import { workerBounds } from "../../../src/layers/workers/WorkerBounds.ts"

// A worker that takes and releases places of a count with a bound, and lanes, and reports what it saw.
const [slot, rounds, bound] = process.argv.slice(2).map(Number) as [number, number, number]
const bounds = workerBounds(await attachRegion(3), slot)
const pool = bounds.pool(bound, 10)
let most = 0
let taken = 0
let lanes = 0
for (let i = 0; i < rounds; i++) {
  let mine = 0
  while (mine < bound && bounds.connections.take(bound)) mine++
  taken += mine
  most = Math.max(most, bounds.connections.total())
  for (; mine > 0; mine--) bounds.connections.release()
  const own: Array<number> = []
  for (let lane = pool.takeLane(); lane >= 0; lane = pool.takeLane()) own.push(lane)
  lanes += own.length
  if (new Set(own).size !== own.length) throw new Error(`a lane was given twice: ${own.join()}`)
  for (const lane of own) pool.releaseLane(lane)
}
console.log(JSON.stringify({ taken, lanes, most }))
