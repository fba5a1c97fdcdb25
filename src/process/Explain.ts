import type { GraphTransaction } from "../structure/GraphStore.ts"
import { type ExplainedStrategy, TraversalExplanation } from "../structure/Metrics.ts"
import { Bytecode } from "./Bytecode.ts"
import { Compiler } from "./Compiler.ts"
import { LimitExceeded } from "./Errors.ts"
import { Prepared, type TraversalSourceSettings, withSource } from "./Planner.ts"
import { inlined } from "./Shape.ts"
import { GraphStep } from "./steps/GraphStep.ts"
import type { Strategy } from "./strategies/Strategy.ts"
import { checkLength } from "./TraversalLength.ts"
import { type RunEnvironment, TraversalRun } from "./TraversalRun.ts"

const categories: Readonly<Record<Strategy["kind"], string>> = {
  decoration: "DecorationStrategy",
  optimization: "OptimizationStrategy",
  finalization: "FinalizationStrategy",
  verification: "VerificationStrategy"
}

/** Most steps of a traversal that is explained: it is planned and written out at once. */
const LONGEST = 4_000

/** True for bytecode that asks for an explanation instead of results: its last step is explain(). */
export const isExplained = ({ stepInstructions }: Bytecode): boolean => stepInstructions.at(-1)?.operator === "explain"

/**
 * The steps of a traversal as written, after each strategy, and as they would run, with the index or `full scan` in each
 * step that looks for elements. Nothing is run. Throws what compiling throws.
 */
export const explain = (
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown> | null,
  source: TraversalSourceSettings,
  transaction: GraphTransaction,
  environment: RunEnvironment
): TraversalExplanation => {
  if (checkLength(bytecode, variables) > LONGEST) {
    throw new LimitExceeded(`explain() shows traversals of at most ${LONGEST} steps, and this one has more.`)
  }
  const instructions = bytecode.stepInstructions
  const explained = isExplained(bytecode)
    ? new Bytecode(bytecode.sourceInstructions, instructions.slice(0, -1))
    : bytecode
  let original: ReadonlyArray<string> = []
  const intermediate: Array<ExplainedStrategy> = []
  const compiled = new Compiler().compile(withSource(inlined(explained, variables), source), (strategy, { steps }) => {
    const words = steps.map(String)
    if (strategy === null) original = words
    else intermediate.push({ strategy: strategy.name, category: categories[strategy.kind], steps: words })
  })
  const run = new TraversalRun(new Prepared(compiled, []), transaction, environment)
  compiled.traversal.visit((step) => {
    if (step instanceof GraphStep) step.explain(run)
  })
  run.close()
  const steps = compiled.traversal.steps.map(String)
  intermediate.push({ strategy: "IndexSelection", category: categories.finalization, steps })
  return new TraversalExplanation(original, intermediate)
}
