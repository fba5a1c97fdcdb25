import type { Task } from "../../../scheduling/Task.ts"
import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { type Step, Traversal } from "../../plan/Step.ts"
import type { Strategy, StrategyContext } from "../../plan/Strategy.ts"
import { VertexPropertyFilterStep } from "../../steps/filter/VertexPropertyFilterStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { PropertiesStep } from "../../steps/flatmap/PropertiesStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { EdgeOtherVertexStep, EdgeVertexStep } from "../../steps/map/EdgeVertexStep.ts"
import { PropertyMapStep } from "../../steps/map/PropertyMapStep.ts"
import { AddEdgeStep, AddVertexStep } from "../../steps/mutation/AddSteps.ts"
import { By } from "../../steps/shared/By.ts"
import { ByKeyStep } from "../../steps/shared/ByKeyStep.ts"
import { ModulatedStep } from "../../steps/shared/ModulatedStep.ts"
import { insertAfter, insertPropertyFilter, moveLabels } from "../StepInsertion.ts"
import { booleanOf, traversalOf } from "../StrategyConfiguration.ts"
import { refuseClosures } from "./ClosureRefusal.ts"

const NAME = "SubgraphStrategy"

interface Criteria {
  readonly vertices: Bytecode | null
  readonly edges: Bytecode | null
  readonly vertexProperties: Bytecode | null
  readonly checkAdjacentVertices: boolean
}

/**
 * SubgraphStrategy: the traversal sees only vertices, edges and vertex properties that satisfy the criteria. It sees an edge
 * only if it sees both vertices, unless checkAdjacentVertices is false.
 */
export const subgraph: Strategy = {
  name: NAME,
  kind: "decoration",
  *apply(root, configuration, compiler) {
    const criteria: Criteria = {
      vertices: traversalOf(NAME, configuration, "vertices"),
      edges: traversalOf(NAME, configuration, "edges"),
      vertexProperties: traversalOf(NAME, configuration, "vertexProperties"),
      checkAdjacentVertices: booleanOf(NAME, configuration, "checkAdjacentVertices", true)
    }
    if (criteria.vertices === null && criteria.edges === null && criteria.vertexProperties === null) {
      throw new TraversalInvalid("A subgraph must be filtered by a vertex, edge, or vertex property criterion")
    }
    refuseClosures([criteria.vertices, criteria.edges, criteria.vertexProperties], NAME)
    // The criteria themselves see the whole graph: the steps are collected before any filter is inserted.
    const steps: Array<Step> = []
    root.visit((step) => steps.push(step))
    for (const step of steps) {
      if (criteria.vertexProperties !== null) yield* limitProperties(step, criteria.vertexProperties, compiler)
      limitElements(step, criteria, compiler)
      yield* compiler.finish()
      // An insertion takes time linear in the number of steps.
      if (compiler.slice.isOverNow()) yield
    }
  }
}

const filter = (child: Bytecode, compiler: StrategyContext): Step =>
  compiler.build([new Instruction("filter", [child])]).steps[0]!

const limitElements = (step: Step, criteria: Criteria, compiler: StrategyContext): void => {
  const { vertices, edges } = criteria
  if (step instanceof VertexStep && !step.edges && edges !== null) {
    throughEdges(step, criteria, compiler)
    return
  }
  if (emitsVertices(step)) {
    if (vertices !== null) insertAfter(step, filter(vertices, compiler))
    return
  }
  const filters = edgeFilters(step, criteria).map((child) => filter(child, compiler))
  if (filters.length > 0) insertAfter(step, ...filters)
}

const emitsVertices = (step: Step): boolean =>
  (step instanceof GraphStep && step.element === "vertex") ||
  (step instanceof VertexStep && !step.edges) ||
  step instanceof EdgeVertexStep ||
  step instanceof EdgeOtherVertexStep ||
  step instanceof AddVertexStep

/** Replaces out() by outE().filter(edges).inV().filter(vertices) if there is a criterion for edges. */
const throughEdges = (step: VertexStep, criteria: Criteria, compiler: StrategyContext): void => {
  const edgeStep = new VertexStep(`${step.operator}E`, step.direction, true, step.edgeLabels)
  const end =
    step.direction === "BOTH"
      ? new EdgeOtherVertexStep()
      : new EdgeVertexStep(step.direction === "OUT" ? "inV" : "outV", step.direction === "OUT" ? "IN" : "OUT")
  const steps: Array<Step> = [edgeStep, filter(criteria.edges!, compiler), end]
  if (criteria.vertices !== null) steps.push(filter(criteria.vertices, compiler))
  moveLabels(step, steps[steps.length - 1]!)
  step.traversal.replace(step, ...steps)
}

const edgeFilters = (step: Step, { vertices, edges, checkAdjacentVertices }: Criteria): Array<Bytecode> => {
  const own = edges === null ? [] : [edges]
  if (step instanceof AddEdgeStep) return own
  const adjacent = vertices !== null && checkAdjacentVertices
  if (step instanceof GraphStep && step.element === "edge") {
    return adjacent ? [...own, endMeets("inV", vertices), endMeets("outV", vertices)] : own
  }
  if (step instanceof VertexStep && step.edges) {
    if (!adjacent) return own
    return [...own, endMeets(step.direction === "OUT" ? "inV" : step.direction === "IN" ? "outV" : "otherV", vertices)]
  }
  return []
}

const endMeets = (end: string, vertices: Bytecode): Bytecode =>
  new Bytecode([], [new Instruction(end, []), new Instruction("filter", [vertices])])

/** Filters the properties that a step reads. Properties of edges and meta-properties pass. */
function* limitProperties(step: Step, criterion: Bytecode, compiler: StrategyContext): Task {
  if (step instanceof PropertiesStep) {
    insertPropertyFilter(step, new VertexPropertyFilterStep(criterion, compiler), compiler)
  } else if (step instanceof PropertyMapStep) {
    step.through(visible(new PropertiesStep("properties", step.keys), criterion, step, compiler))
  }
  if (!(step instanceof ModulatedStep)) return
  const bys: Array<By> = []
  for (const by of step.bys()) {
    if (by.function.kind !== "key") {
      bys.push(by)
      continue
    }
    const traversal = visible(new ByKeyStep(by.function.key), criterion, step, compiler)
    traversal.add(compiler.build([new Instruction("value", [])]).steps[0]!)
    bys.push(new By({ kind: "traversal", traversal }, by.orNull, true))
    yield* compiler.finish()
    if (compiler.slice.isOverNow()) yield
  }
  step.replaceBys(bys)
}

/** The properties that a step emits, filtered by the criterion, as a child of `parent`. */
const visible = (properties: Step, criterion: Bytecode, parent: Step, compiler: StrategyContext): Traversal => {
  const traversal = new Traversal([properties, new VertexPropertyFilterStep(criterion, compiler)])
  traversal.parent = parent
  return traversal
}
