import { JavaRandom } from "../../structure/numbers/JavaRandom.ts"
import type { Run } from "../plan/Run.ts"
import type { Step } from "../plan/Step.ts"

/**
 * The random numbers of a step in a run. They have the sequence of java.util.Random, so that SeedStrategy has the same results
 * as in TinkerPop. Each step has a separate source, and all sources have the same seed.
 */
export const randomOf = (run: Run, step: Step): JavaRandom => {
  // The numbers of a scout have no effect.
  if (run.isScouting) return new JavaRandom(0n)
  const sources = run.sharedBy(JavaRandom, () => new Map<Step, JavaRandom>())
  let source = sources.get(step)
  if (source === undefined) {
    source = new JavaRandom(run.seed ?? BigInt(Math.floor(Math.random() * 2 ** 48)))
    sources.set(step, source)
  }
  return source
}
