import { isEnum, typeNames } from "../language/Arguments.ts"
import { type Instruction, StrategySpec } from "../language/Bytecode.ts"
import { ClosureSource, type Combiner } from "../language/Closure.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import { refuseClosures } from "../language/Lambdas.ts"
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

/** Applies a source instruction such as withSack() to the compilation. Throws TraversalInvalid for an unknown instruction. */
export const applySource = (instruction: Instruction, compiler: SourceSettings): void => {
  const { operator, args } = instruction
  if (holdsClosure(args)) {
    if (operator !== "withSideEffect" && operator !== "withSack") refuseClosures(operator, args)
    compiler.callsClosures = true
  }
  switch (operator) {
    case "withStrategies":
      for (const spec of args) addStrategy(spec, compiler)
      return
    case "withoutStrategies":
      for (const name of args) compiler.without.add(strategyName(name))
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
      compiler.bulk = args[0] === true
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
      throw new TraversalInvalid(`Could not locate method: GraphTraversalSource.${operator}(${typeNames(args)})`)
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

const addStrategy = (spec: unknown, compiler: SourceSettings): void => {
  if (!(spec instanceof StrategySpec)) {
    throw new TraversalInvalid(
      "withStrategies() takes strategies, such as ReadOnlyStrategy or SubgraphStrategy(vertices: ...)"
    )
  }
  refuseClosures(spec.name, spec.configuration.values())
  if (spec.name === "OptionsStrategy") for (const [key, value] of spec.configuration) compiler.options.set(key, value)
  else compiler.strategies.push(spec)
}

/** The name in an argument of withoutStrategies(): a class, a string, or a strategy without configuration. */
const strategyName = (value: unknown): string => {
  const text = value instanceof StrategySpec ? value.name : ((value as { name?: unknown } | null)?.name ?? value)
  return String(text).split(".").pop()!
}
