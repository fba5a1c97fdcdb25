import { JavaRandom } from "../structure/JavaRandom.ts"
import type { TraversalRun } from "./TraversalRun.ts"

/**
 * The random numbers of a run: java.util.Random's sequence, so that SeedStrategy gives what it gives elsewhere. All steps
 * of a run share one source.
 */
export const randomOf = (run: TraversalRun): JavaRandom =>
  run.sharedBy(JavaRandom, () => new JavaRandom(run.seed ?? BigInt(Math.floor(Math.random() * 2 ** 48))))
