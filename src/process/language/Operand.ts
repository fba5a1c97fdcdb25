/** A value of the traversal that is given when the plan runs: plans are shared by traversals that differ only in these. */
export class Parameter {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
  /** For people who read a plan: the value is not part of it. */
  toString(): string {
    return `$${this.index}`
  }
}

/** Who knows the values of parameters: the run of a plan. */
export interface ParameterValues {
  readonly parameters: readonly unknown[]
}

/** The value of an argument in this run: the parameter's, or the argument itself. Looks one level into arrays. */
export const resolve = (argument: unknown, run: ParameterValues): unknown => {
  if (argument instanceof Parameter) return run.parameters[argument.index]
  if (Array.isArray(argument) && argument.some((item) => item instanceof Parameter)) {
    return argument.map((item) => resolve(item, run))
  }
  return argument
}
