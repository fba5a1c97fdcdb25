import { isEnum } from "../language/Arguments.ts"
import { type Instruction, StrategySpec } from "../language/Bytecode.ts"
import { noMethod, refuseArguments } from "../language/CallArguments.ts"
import { ClosureSource, type Combiner } from "../language/Closure.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import { refuseClosures } from "../language/Lambdas.ts"
import { sourceMethods } from "../language/StepSignatures.ts"
import { refuseTraversalValue } from "../language/TraversalValues.ts"
import type { SackSpec } from "../plan/Prepared.ts"
import { holdsClosure } from "./ClosureArguments.ts"

/** What the source instructions of a traversal set. */
export interface SourceSettings {
  /** Options of with(). */
  readonly options: Map<string, unknown>
  /** Strategies of withStrategies(). */
  readonly strategies: Array<StrategySpec>
  /** Names of withoutStrategies(). */
  readonly without: Set<string>
  sack: SackSpec | null
  bulk: boolean
  path: boolean
  /** Declares a side effect whose first value is a value of the traversal. */
  givenSideEffect(key: string, value: unknown, operator: Combiner | null): void
  /** Set if the traversal has closures. */
  callsClosures: boolean
}

const SOURCE = "GraphTraversalSource"

/** Applies a source instruction such as withSack() to the compilation. Throws TraversalInvalid for an unknown instruction. */
export const applySource = (instruction: Instruction, compiler: SourceSettings): void => {
  const { operator, args } = instruction
  if (holdsClosure(args)) {
    if (operator !== "withSideEffect" && operator !== "withSack") refuseClosures(operator, args)
    compiler.callsClosures = true
  }
  refuseArguments(operator, args, SOURCE, sourceMethods.get(operator))
  switch (operator) {
    case "withStrategies":
      addStrategies(args, compiler)
      return
    case "withoutStrategies":
      for (const name of args) removeStrategy(strategyName(name), compiler)
      return
    case "withSideEffect": {
      const [key, initial, reducer] = args
      refuseTraversalValue("withSideEffect()", initial)
      compiler.givenSideEffect(String(key), initial, combinerOf(reducer))
      return
    }
    case "withSack": {
      refuseTraversalValue("withSack()", args[0])
      compiler.sack = sackOf(args)
      return
    }
    case "withBulk":
      // A later withBulk(true) does not take the requirement of one bulk back.
      compiler.bulk &&= args[0] === true
      return
    case "withPath":
      compiler.path = true
      return
    case "with":
      compiler.options.set(String(args[0]), args.length > 1 ? args[1] : true)
      return
    case "withComputer":
      compiler.strategies.push(new StrategySpec("VertexProgramStrategy", new Map()))
      return
    case "CardinalityValueTraversal":
      return
    default:
      throw new TraversalInvalid(noMethod(SOURCE, operator, args))
  }
}

const combinerOf = (value: unknown): Combiner | null =>
  value instanceof ClosureSource || isEnum(value, "Operator") ? value : null

/** withSack(value), withSack(value, merger), withSack(value, splitter) and withSack(value, splitter, merger). */
const sackOf = ([initial, second, third]: readonly unknown[]): SackSpec => {
  const isMerger = isEnum(second, "Operator") || (second instanceof ClosureSource && second.parameterCount === 2)
  const splitter = !isMerger && second instanceof ClosureSource ? second : null
  return { initial, splitter, merge: combinerOf(isMerger ? second : third) }
}

/**
 * Adds the strategies of one withStrategies(). As in TinkerPop, they replace earlier ones of their names, and of two with one name in the
 * same call the first applies. Two that filter the graph are refused, because a source that seems to have both criteria has only one.
 */
const addStrategies = (specs: ReadonlyArray<unknown>, compiler: SourceSettings): void => {
  const added: Array<StrategySpec> = []
  for (const spec of specs) {
    const strategy = strategyOf(spec)
    const { name } = strategy
    const isGiven = added.some((other) => other.name === name)
    if (filtering.has(name) && (isGiven || compiler.strategies.some((other) => other.name === name))) throw twice(name)
    if (!isGiven) added.push(strategy)
  }
  for (const spec of added) {
    if (spec.name === "OptionsStrategy") for (const [key, value] of spec.configuration) compiler.options.set(key, value)
    else {
      removeStrategy(spec.name, compiler)
      compiler.without.delete(spec.name)
      compiler.strategies.push(spec)
    }
  }
}

/** Strategies whose criteria restrict what a traversal sees. */
const filtering: ReadonlySet<string> = new Set(["PartitionStrategy", "SubgraphStrategy"])

const twice = (name: string): TraversalInvalid =>
  new TraversalInvalid(
    `The source has two strategies of the class ${name}, of which Gremlin Server applies only one. Write one with both criteria` +
      (name === "SubgraphStrategy" ? ", such as SubgraphStrategy(vertices: __.and(...))" : "")
  )

const removeStrategy = (name: string, compiler: SourceSettings): void => {
  const { strategies, without } = compiler
  without.add(name)
  const at = strategies.findIndex((spec) => spec.name === name)
  if (at >= 0) strategies.splice(at, 1)
}

const strategyOf = (spec: unknown): StrategySpec => {
  if (!(spec instanceof StrategySpec)) {
    throw new TraversalInvalid(
      "withStrategies() takes strategies, such as ReadOnlyStrategy or SubgraphStrategy(vertices: ...)"
    )
  }
  refuseClosures(spec.name, spec.configuration.values())
  return spec
}

/** The name in an argument of withoutStrategies(): a class, a string, or a strategy without configuration. */
const strategyName = (value: unknown): string => {
  const text = value instanceof StrategySpec ? value.name : ((value as { name?: unknown } | null)?.name ?? value)
  return String(text).split(".").pop()!
}
