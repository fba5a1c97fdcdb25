import type { PlanBuilder, Step, Traversal } from "./Step.ts"

/** Makes a step from the arguments of its instruction; null when the previous step has taken the arguments. */
export type StepBuilder = (args: readonly unknown[], compiler: PlanBuilder, traversal: Traversal) => Step | null

/**
 * Whether the argument `args[at]` of an instruction is a parameter. Traversals that differ only in parameters share a plan; all
 * other arguments are part of the plan.
 */
export type ParameterPositions = (args: readonly unknown[], at: number) => boolean

/** No argument is a parameter. */
export const noParameters: ParameterPositions = () => false
/** Every argument is a parameter. */
export const everyArgument: ParameterPositions = () => true
/** The arguments from the second on are parameters. */
export const afterFirst: ParameterPositions = (_args, at) => at > 0

/** An operator of the language that makes a step. */
export interface Operator {
  readonly parameters: ParameterPositions
  /** Parameters among the arguments of a with() that follows the step. */
  readonly withParameters: ParameterPositions
  /** Whether a plan with this step may be cached and shared. */
  readonly sharesPlan: boolean
  readonly build: StepBuilder
}

/** An operator whose plans may be shared, and whose with() options, if any, are part of the plan. */
export const stepOperator = (parameters: ParameterPositions, build: StepBuilder): Operator => ({
  parameters,
  withParameters: noParameters,
  sharesPlan: true,
  build
})

/** The operators that one file of steps defines, by name. */
export type Operators = Readonly<Record<string, Operator>>
