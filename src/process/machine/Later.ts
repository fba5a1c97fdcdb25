import type { Later } from "../../structure/GraphStore.ts"

/** A promise as what a run waits for. Its failure is the run's, whenever the run comes to ask. */
export const laterOf = (promise: Promise<unknown>): Later => {
  const outcome = promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
  )
  return { onDone: (resume) => void outcome.then(resume) }
}
