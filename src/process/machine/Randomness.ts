import { JavaRandom } from "../../structure/JavaRandom.ts"
import type { Run } from "../plan/Run.ts"
import type { Step } from "../plan/Step.ts"

/**
 * The random numbers of a step in a run: java.util.Random's sequence, so that SeedStrategy gives what it gives elsewhere.
 * Each step has a source of its own, all with the same seed.
 */
export const randomOf = (run: Run, step: Step): JavaRandom => {
  // What a scout draws is nobody's.
  if (run.isScouting) return new JavaRandom(0n)
  const sources = run.sharedBy(JavaRandom, () => new Map<Step, JavaRandom>())
  let source = sources.get(step)
  if (source === undefined) {
    source = new JavaRandom(run.seed ?? BigInt(Math.floor(Math.random() * 2 ** 48)))
    sources.set(step, source)
  }
  return source
}
