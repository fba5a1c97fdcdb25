import type { PlanBuilder, Step, Traversal } from "./Step.ts"

/** Makes a step of the arguments of its instruction; null when the step before it has taken them. */
export type StepBuilder = (args: readonly unknown[], compiler: PlanBuilder, traversal: Traversal) => Step | null

/**
 * Which arguments of an instruction are parameters of a plan: traversals that differ only in these share a plan. The others
 * are part of the plan.
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
  /** The same for the arguments of a with() that follows the step. */
  readonly withParameters: ParameterPositions
  /** Whether traversals that differ only in parameters share a plan of which this is a part. */
  readonly sharesPlan: boolean
  readonly build: StepBuilder
}

/** An operator of plans that are shared, whose with() options, if it takes any, are part of the plan. */
export const stepOperator = (parameters: ParameterPositions, build: StepBuilder): Operator => ({
  parameters,
  withParameters: noParameters,
  sharesPlan: true,
  build
})

/** Operators that the file of a step defines, by name. */
export type Operators = Readonly<Record<string, Operator>>
