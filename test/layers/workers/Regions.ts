import { closeSync } from "node:fs"
import { onTestFinished } from "vitest"
import { type MadeRegion, makeRegion } from "../../../src/layers/workers/SharedRegion.ts"
import { workerBounds } from "../../../src/layers/workers/WorkerBounds.ts"
import type { SharedState } from "../../../src/services/SharedState.ts"

/** A region that is closed at the end of the test. */
export const newRegion = async (workers: number): Promise<MadeRegion> => {
  const made = await makeRegion(workers)
  onTestFinished(() => {
    made.region.close()
    closeSync(made.descriptor)
  })
  return made
}

/** The bounds of the workers of a new region. */
export const boundsOf = async (workers: number): Promise<ReadonlyArray<typeof SharedState.Service>> => {
  const { region } = await newRegion(workers)
  return Array.from({ length: workers }, (_, slot) => workerBounds(region, slot))
}
