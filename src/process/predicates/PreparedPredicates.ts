import type { Task } from "../../scheduling/Task.ts"
import type { Run } from "../plan/Run.ts"
import type { Test } from "./PredicateEvaluation.ts"

/** A test whose compilation is running or has ended. */
interface Preparing {
  readonly task: Task<Test>
  test: Test | null
}

/**
 * The test of a predicate, compiled once for each run, in one slice for each call. Null until it is compiled: then the step
 * must return false before it does any work, and is called again. `about` is the key of the test.
 */
export const preparedTest = (about: object, run: Run, begin: () => Task<Test>): Test | null => {
  const preparing = run.sharedBy<Preparing>(about, () => ({ task: begin(), test: null }))
  if (preparing.test === null) {
    const { done, value } = preparing.task.next()
    if (done === true) preparing.test = value
  }
  return preparing.test
}
