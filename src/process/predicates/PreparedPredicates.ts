import { PIECE, type Pieces } from "../machine/Pieces.ts"
import type { TraversalRun } from "../machine/TraversalRun.ts"
import type { Test } from "./PredicateEvaluation.ts"

/** A test that is being made, or is made. */
interface Preparing {
  readonly pieces: Pieces<Test>
  test: Test | null
}

/**
 * The test of a predicate, made once for a run, a piece with each call. Null as long as it is not there: the step that asks
 * has done nothing yet and is called again. `about` is what the test belongs to.
 */
export const preparedTest = (about: object, run: TraversalRun, begin: () => Pieces<Test>): Test | null => {
  const preparing = run.sharedBy<Preparing>(about, () => ({ pieces: begin(), test: null }))
  if (preparing.test === null) {
    const { done, value } = preparing.pieces.next()
    if (done === true) preparing.test = value
    else run.worked(PIECE)
  }
  return preparing.test
}
