import { EnumValue } from "../../structure/Enums.ts"
import { typeNames } from "../language/Arguments.ts"
import { type Instruction, StrategySpec } from "../language/Bytecode.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import { refuseLambdas } from "../language/Lambdas.ts"
import { refuseTraversalValue } from "../language/TraversalValues.ts"
import type { SackSpec } from "../plan/Prepared.ts"

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
  givenSideEffect(key: string, value: unknown, operator: EnumValue | null): void
}

/** Applies a source instruction such as withSack() to the compilation. Throws TraversalInvalid for an unknown instruction. */
export const applySource = (instruction: Instruction, compiler: SourceSettings): void => {
  const { operator, args } = instruction
  refuseLambdas(args)
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
      compiler.givenSideEffect(
        String(key),
        initial,
        reducer instanceof EnumValue && reducer.enumName === "Operator" ? reducer : null
      )
      return
    }
    case "withSack": {
      refuseTraversalValue("withSack()", args[0])
      const merge = args.find((arg, at) => at > 0 && arg instanceof EnumValue && arg.enumName === "Operator")
      compiler.sack = { initial: args[0], merge: (merge as EnumValue | undefined) ?? null }
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

const addStrategy = (spec: unknown, compiler: SourceSettings): void => {
  if (!(spec instanceof StrategySpec)) {
    throw new TraversalInvalid(
      "withStrategies() takes strategies, such as ReadOnlyStrategy or SubgraphStrategy(vertices: ...)"
    )
  }
  refuseLambdas(spec.configuration.values())
  if (spec.name === "OptionsStrategy") for (const [key, value] of spec.configuration) compiler.options.set(key, value)
  else compiler.strategies.push(spec)
}

/** The name in an argument of withoutStrategies(): a class, a string, or a strategy without configuration. */
const strategyName = (value: unknown): string => {
  const text = value instanceof StrategySpec ? value.name : ((value as { name?: unknown } | null)?.name ?? value)
  return String(text).split(".").pop()!
}
