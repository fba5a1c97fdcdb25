import { setTimeout as sleep } from "node:timers/promises"
import { CONDITION_MS } from "./Limits.ts"

/** Waits until the predicate is true. Fails after {@link CONDITION_MS} with its text. */
export const eventually = async (test: () => boolean | Promise<boolean>): Promise<void> => {
  const limit = performance.now() + CONDITION_MS
  while (!(await test())) {
    if (performance.now() > limit) throw new Error(`it did not become true: ${test}`)
    await sleep(5)
  }
}
