import { header, slotWords } from "../../../src/layers/workers/RegionLayout.ts"
import { attachRegion } from "../../../src/layers/workers/SharedRegion.ts"

// A process that adds to two words of the region on descriptor 3: one that all processes write, and one of its own slot.
const [slot, times] = process.argv.slice(2).map(Number) as [number, number]
const region = await attachRegion(3)
for (let i = 0; i < times; i++) {
  region.add(header.users, 1)
  region.addTo(slot, slotWords.waiting, 1)
}
region.close()
