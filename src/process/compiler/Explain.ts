import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { GraphTransaction } from "../../structure/GraphStore.ts"
import { type ExplainedStrategy, TraversalExplanation } from "../../structure/Metrics.ts"
import { Bytecode } from "../language/Bytecode.ts"
import { LimitExceeded } from "../language/Errors.ts"
import { TraversalRun } from "../machine/TraversalRun.ts"
import type { Language } from "../plan/Language.ts"
import { Prepared } from "../plan/Prepared.ts"
import type { RunEnvironment } from "../plan/Run.ts"
import type { Step } from "../plan/Step.ts"
import type { Strategy } from "../plan/Strategy.ts"
import { Compiler } from "./Compiler.ts"
import { SHORT, type TraversalSourceSettings, withSource } from "./Planner.ts"
import { inlined } from "./Rewriter.ts"
import { lengthOf } from "./TraversalLength.ts"

const categories: Readonly<Record<Strategy["kind"], string>> = {
  decoration: "DecorationStrategy",
  optimization: "OptimizationStrategy",
  finalization: "FinalizationStrategy",
  verification: "VerificationStrategy"
}

/** Most steps of a traversal that is explained, and thousands of its arguments: they are shown after each strategy. */
const LONGEST = 4_000
/** Most characters of an explanation. */
const MOST_CHARACTERS = 4_194_304

/** True for bytecode that asks for an explanation instead of results: its last step is explain(). */
export const isExplained = ({ stepInstructions }: Bytecode): boolean => stepInstructions.at(-1)?.operator === "explain"

/** The language of an explained traversal, and where its indexes are looked up. */
interface ExplainedGraph {
  readonly language: Language
  readonly transaction: GraphTransaction
  readonly environment: RunEnvironment
}

/**
 * The steps of a traversal as written, after each strategy, and as they would run, with the index or `full scan` in each
 * step that looks for elements. Nothing is run. Throws what compiling throws, and LimitExceeded where the traversal or
 * what is to be said of it is very long.
 */
export function* explainTask(
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown> | null,
  source: TraversalSourceSettings,
  { environment, language, transaction }: ExplainedGraph,
  slice: TimeSlice
): Task<TraversalExplanation> {
  const { work } = yield* lengthOf(bytecode, variables, slice)
  if (work > LONGEST) {
    throw new LimitExceeded(`explain() shows traversals of at most ${LONGEST} steps, and this one has more.`)
  }
  const instructions = bytecode.stepInstructions
  const explained = isExplained(bytecode)
    ? new Bytecode(bytecode.sourceInstructions, instructions.slice(0, -1))
    : bytecode
  const written = withSource(yield* inlined(explained, variables, slice), source)
  const texts = new StepTexts()
  let original: ReadonlyArray<string> = []
  const intermediate: Array<ExplainedStrategy> = []
  const compiled = yield* new Compiler(language, slice).compileTask(written, work > SHORT, (strategy, { steps }) => {
    const words = texts.of(steps)
    if (strategy === null) original = words
    else intermediate.push({ strategy: strategy.name, category: categories[strategy.kind], steps: words })
  })
  const run = new TraversalRun(new Prepared(compiled, []), transaction, environment)
  const explaining: Array<Step> = []
  compiled.traversal.visit((step) => {
    if (step.explain !== undefined) explaining.push(step)
  })
  for (const step of explaining) {
    step.explain!(run)
    if (slice.isOverNow()) yield
  }
  run.close()
  intermediate.push({
    strategy: "IndexSelection",
    category: categories.finalization,
    steps: texts.of(compiled.traversal.steps)
  })
  return new TraversalExplanation(original, intermediate)
}

/** Steps in words, as many as there may be. */
class StepTexts {
  #left = MOST_CHARACTERS

  of(steps: readonly Step[]): ReadonlyArray<string> {
    return steps.map((step) => {
      const text = String(step)
      this.#left -= text.length
      if (this.#left >= 0) return text
      throw new LimitExceeded(
        `explain() says at most ${MOST_CHARACTERS} characters, and there are more to say of this traversal. Explain a part of it.`
      )
    })
  }
}
