import type { Task } from "../../scheduling/Task.ts"
import type { Run } from "../plan/Run.ts"
import type { Test } from "./PredicateEvaluation.ts"

/** A test that is being made, or is made. */
interface Preparing {
  readonly task: Task<Test>
  test: Test | null
}

/**
 * The test of a predicate, made once for a run, a piece with each call. Null as long as it is not there: the step that asks
 * has done nothing yet and is called again. `about` is what the test belongs to.
 */
export const preparedTest = (about: object, run: Run, begin: () => Task<Test>): Test | null => {
  const preparing = run.sharedBy<Preparing>(about, () => ({ task: begin(), test: null }))
  if (preparing.test === null) {
    const { done, value } = preparing.task.next()
    if (done === true) preparing.test = value
  }
  return preparing.test
}
