import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { type ExplainedStrategy, TraversalExplanation } from "../../structure/profiles/Metrics.ts"
import { Bytecode } from "../language/Bytecode.ts"
import { LimitExceeded } from "../language/Errors.ts"
import { TraversalRun } from "../machine/TraversalRun.ts"
import type { Language } from "../plan/Language.ts"
import { Prepared } from "../plan/Prepared.ts"
import type { RunEnvironment } from "../plan/Run.ts"
import type { Step } from "../plan/Step.ts"
import type { Strategy } from "../plan/Strategy.ts"
import { Compiler } from "./Compiler.ts"
import { MAX_SHORT_WORK, type SourceInstructions, withSource } from "./Planner.ts"
import { inlined } from "./Rewriter.ts"
import { lengthOf } from "./TraversalLength.ts"

const categories: Readonly<Record<Strategy["kind"], string>> = {
  decoration: "DecorationStrategy",
  optimization: "OptimizationStrategy",
  finalization: "FinalizationStrategy",
  verification: "VerificationStrategy"
}

/** Limit of the work of a traversal (see TraversalLength), because all steps are shown after each strategy. */
const MAX_EXPLAINED_STEPS = 4_000
/** Limit of the length of an explanation. */
const MAX_EXPLANATION_CHARS = 4_194_304

/** Whether the last step of a traversal is explain(), which requests an explanation instead of results. */
export const isExplained = ({ stepInstructions }: Bytecode): boolean => stepInstructions.at(-1)?.operator === "explain"

/** The language of an explained traversal, and the graph whose indexes it would use. */
interface ExplainedGraph {
  readonly language: Language
  readonly transaction: GraphTransaction
  readonly environment: RunEnvironment
}

/**
 * The steps of a traversal as written, after each strategy, and in the final plan, with the index or `full scan` for each step
 * that searches elements. Does not run the traversal. Throws the errors of the compilation, and LimitExceeded if the traversal
 * or its explanation is too long.
 */
export function* explainTask(
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown> | null,
  source: SourceInstructions,
  { environment, language, transaction }: ExplainedGraph,
  slice: TimeSlice
): Task<TraversalExplanation> {
  const { work } = yield* lengthOf(bytecode, variables, slice)
  if (work > MAX_EXPLAINED_STEPS) {
    throw new LimitExceeded(
      `explain() shows traversals of at most ${MAX_EXPLAINED_STEPS} steps, but this one has more.`
    )
  }
  const instructions = bytecode.stepInstructions
  const explained = isExplained(bytecode)
    ? new Bytecode(bytecode.sourceInstructions, instructions.slice(0, -1))
    : bytecode
  const written = withSource(yield* inlined(explained, variables, slice), source)
  const texts = new StepTexts()
  let original: ReadonlyArray<string> = []
  const intermediate: Array<ExplainedStrategy> = []
  const compiled = yield* new Compiler(language, slice).compileTask(
    written,
    work > MAX_SHORT_WORK,
    (strategy, { steps }) => {
      const words = texts.of(steps)
      if (strategy === null) original = words
      else intermediate.push({ strategy: strategy.name, category: categories[strategy.kind], steps: words })
    }
  )
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

/** The texts of steps, up to the limit of an explanation. */
class StepTexts {
  #left = MAX_EXPLANATION_CHARS

  of(steps: readonly Step[]): ReadonlyArray<string> {
    return steps.map((step) => {
      const text = String(step)
      this.#left -= text.length
      if (this.#left >= 0) return text
      throw new LimitExceeded(
        `explain() writes at most ${MAX_EXPLANATION_CHARS} characters, but this traversal needs more. Explain a part of it.`
      )
    })
  }
}
