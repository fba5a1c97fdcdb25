import { StrategySpec } from "../process/language/Bytecode.ts"
import type { GremlinMap } from "../structure/collections/Collections.ts"
import { simpleName } from "../structure/scalars/ClassNames.ts"
import { checkParts, nameText } from "./ValueParts.ts"

/** TinkerPop's strategies by the package of their class. */
const packages: Readonly<Record<string, string>> = {
  "traversal.strategy.decoration":
    "Connective ElementId Event HaltedTraverser Options Partition Requirements Sack Seed SideEffect Subgraph",
  "traversal.strategy.finalization": "MatchAlgorithm Profile ReferenceElement",
  "traversal.strategy.optimization":
    "AdjacentToIncident ByModulatorOptimization Count EarlyLimit FilterRanking GValueReduction IdentityRemoval " +
    "IncidentToAdjacent InlineFilter LazyBarrier MatchPredicate OrderLimit PathProcessor PathRetraction ProductiveBy " +
    "RepeatUnroll",
  "traversal.strategy.verification":
    "ComputerVerification EdgeLabelVerification LambdaRestriction ReadOnly ReservedKeysVerification StandardVerification",
  "computer.traversal.strategy.decoration": "VertexProgram",
  "computer.traversal.strategy.finalization": "ComputerFinalization",
  "computer.traversal.strategy.optimization": "GraphFilter MessagePassingReduction",
  "computer.traversal.strategy.verification": "VertexProgramRestriction"
}

const packageOf: ReadonlyMap<string, string> = new Map(
  Object.entries(packages).flatMap(([name, strategies]) =>
    strategies.split(" ").map((strategy): [string, string] => [`${strategy}Strategy`, name])
  )
)

/** The class name of a strategy in drivers. A strategy that is not TinkerPop's keeps its simple name. */
export const strategyClass = (name: string): string => {
  const found = packageOf.get(name)
  return found === undefined ? name : `org.apache.tinkerpop.gremlin.process.${found}.${name}`
}

/** The strategy of this class with the entries of a configuration map. */
export const strategyOf = (className: string, configuration: GremlinMap): StrategySpec => {
  checkParts(configuration.size, "entries in the configuration of a strategy")
  const entries = new Map<string, unknown>()
  for (const [key, value] of configuration) entries.set(nameText(key), value)
  return new StrategySpec(simpleName(className), entries)
}
