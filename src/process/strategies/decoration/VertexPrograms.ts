import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import { TraversalInvalid, VerificationFailed } from "../../language/Errors.ts"
import { PropertyProgramStep } from "../../olap/PropertyProgramStep.ts"
import { VertexHereStep } from "../../olap/VertexHereStep.ts"
import { VertexProgramStep } from "../../olap/VertexProgramStep.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy, StrategyContext } from "../../plan/Strategy.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { moveLabels } from "../StepInsertion.ts"
import { traversalOf } from "../StrategyConfiguration.ts"
import { checkComputer, refuseMutations } from "./ComputerOptions.ts"
import { subgraph } from "./SubgraphStrategy.ts"

const NAME = "VertexProgramStrategy"

/**
 * VertexProgramStrategy, withComputer(): the traversal runs on the same machine as every traversal. Of the options, only the graph
 * filter has an effect: the traversal and its programs see only the elements that `vertices` and `edges` select.
 */
export const vertexProgram: Strategy = {
  name: NAME,
  kind: "decoration",
  apply: (root, configuration, compiler) => {
    checkComputer(NAME, configuration, root)
    refuseMutations(root)
    const vertices = traversalOf(NAME, configuration, "vertices")
    const edges = traversalOf(NAME, configuration, "edges")
    if (vertices === null && edges === null) return undefined
    const criteria = new Map<string, unknown>()
    if (vertices !== null) criteria.set("vertices", vertices)
    if (edges !== null) criteria.set("edges", edgeCriterion(edges))
    return subgraph.apply(root, criteria, compiler)
  }
}

/**
 * The edges of a graph filter start at a vertex: bothE('knows') selects all edges with that label. A filter that ends with
 * limit(0) selects none, whatever it starts with, as TinkerPop's documents show.
 */
const edgeCriterion = ({ stepInstructions }: Bytecode): Bytecode => {
  const [first, ...more] = stepInstructions
  const last = stepInstructions.at(-1)
  if (last?.operator === "limit") return noEdges(last)
  if (first?.operator !== "bothE") {
    throw new TraversalInvalid(
      `The edges of ${NAME} must start with bothE(), such as __.bothE('knows'): both vertices of an edge see it, or neither does`
    )
  }
  return new Bytecode([], first.args.length === 0 ? more : [new Instruction("hasLabel", first.args), ...more])
}

/** The criterion of limit(0). The number is a parameter of the plan, so each run refuses another one. */
const noEdges = (limit: Instruction): Bytecode => {
  const child = (operator: string, argument: unknown): Bytecode =>
    new Bytecode([], [new Instruction(operator, [argument])])
  const refusal = `The edges of ${NAME} may end with limit(0), which selects none, and with no other limit()`
  return new Bytecode(
    [],
    [
      new Instruction("constant", limit.args),
      new Instruction("choose", [child("is", 0), child("limit", 0), child("fail", refusal)])
    ]
  )
}

/** VertexProgramRestrictionStrategy: refuses the use of a graph computer. */
export const vertexProgramRestriction: Strategy = {
  name: "VertexProgramRestrictionStrategy",
  kind: "verification",
  apply: (root, _configuration, compiler) => {
    const program = programsOf(root)[0]
    if (usesComputer(compiler) || program !== undefined) {
      const what = program === undefined ? "" : `: ${program.operator}() needs one`
      throw new VerificationFailed(`The TraversalSource does not allow the use of a GraphComputer${what}`)
    }
  }
}

/** Whether the traversal runs with a graph computer in TinkerPop. */
export const usesComputer = ({ strategies, without }: StrategyContext): boolean =>
  !without.has(NAME) && strategies.some(({ name }) => name === NAME)

const programsOf = (root: Traversal): ReadonlyArray<VertexProgramStep> => {
  const programs: Array<VertexProgramStep> = []
  root.visit((step) => {
    if (step instanceof VertexProgramStep) programs.push(step)
  })
  return programs
}

/**
 * Prepares pageRank() and the other programs. They must be on the main line. They start with the number of traversers at each
 * vertex only if steps precede them. A V() directly before programs does not count, because TinkerPop runs it after them.
 */
export const vertexPrograms: Strategy = {
  name: "VertexPrograms",
  kind: "decoration",
  *apply(root, _configuration, compiler) {
    for (const program of programsOf(root)) {
      if (program.traversal !== root) {
        throw new VerificationFailed(
          `${program.operator}() works on the whole graph: it can only stand on the main line of a traversal, not inside ${program.traversal.parent?.operator}()`
        )
      }
    }
    let others = 0
    let last: Step | undefined
    for (const step of root.steps) {
      if (step instanceof VertexProgramStep) step.isSeeded = last instanceof GraphStep ? others > 1 : others > 0
      else {
        last = step
        others++
      }
    }
    const before = root.steps.filter((step, at) => at > 0 && step instanceof GraphStep && isProgram(root.steps[at + 1]))
    for (const step of before) {
      moveAfterPrograms(step as GraphStep, compiler)
      // A move takes time linear in the number of steps.
      if (compiler.slice.isOverNow()) yield
    }
  }
}

const isProgram = (step: Step | undefined): boolean => step instanceof PropertyProgramStep

/** Moves V() or E() from the middle of a traversal to the place after programs, where it continues from the vertex of each traverser. */
const moveAfterPrograms = (step: GraphStep, compiler: StrategyContext): void => {
  const { traversal } = step
  const { steps } = traversal
  let last = steps.indexOf(step) + 1
  while (isProgram(steps[last + 1])) last++
  const here = step.element === "vertex" ? new VertexHereStep() : new VertexStep("outE", "OUT", true, null)
  const selected = step.ids.length === 0 ? [] : compiler.build([new Instruction("hasId", step.ids)]).steps
  const end = selected.at(-1) ?? here
  moveLabels(step, end)
  for (let at = steps.indexOf(step) + 1; at <= last; at++) moveLabels(steps[at]!, end)
  traversal.replace(steps[last]!, steps[last]!, here, ...selected)
  traversal.remove(step)
}
