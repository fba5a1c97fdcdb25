import { header } from "../../../src/layers/workers/RegionLayout.ts"
import { attachRegion } from "../../../src/layers/workers/SharedRegion.ts"
import { workerBounds } from "../../../src/layers/workers/WorkerBounds.ts"

// A worker that takes the same names as another one, each at the same instant, and reports which ones it got.
const [slot, rounds] = process.argv.slice(2).map(Number) as [number, number]
const region = await attachRegion(3)
const { imports } = workerBounds(region, slot)
const taken: Array<number> = []
for (let round = 0; round < rounds; round++) {
  region.add(header.users, 1)
  while (region.get(header.users) < 2 * (round + 1));
  if (imports.take(`file ${round}`) === "taken") taken.push(round)
}
console.log(JSON.stringify(taken))
