/** A placeholder for a value that each run supplies: traversals that differ only in parameters share a plan. */
export class Parameter {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
  /** The text in explain(): the plan does not have the value. */
  toString(): string {
    return `$${this.index}`
  }
}

/** The values of a plan's parameters in one run. */
export interface ParameterValues {
  readonly parameters: readonly unknown[]
}

/**
 * The value of an argument in this run: that of the parameter, or the argument itself. Resolves the members of arrays, too. Arrays in
 * arrays have no parameters.
 */
export const resolve = (argument: unknown, run: ParameterValues): unknown => {
  if (argument instanceof Parameter) return run.parameters[argument.index]
  if (Array.isArray(argument) && argument.some((item) => item instanceof Parameter)) {
    return argument.map((item) => resolve(item, run))
  }
  return argument
}
