import { inWords, kindOf } from "../../../process/language/Kinds.ts"
import { type CallSpec, type CallState, usage } from "../../../process/language/Signatures.ts"
import { sourceSteps, steps } from "../../../process/language/StepSignatures.ts"
import { OperandError } from "../values/OperandErrors.ts"

// The parser checks the arguments of a step. Those of a spread list, and those of a step of a variable, are known only when the script
// runs.

/**
 * The operator of a step with these arguments, which the parser has not checked: a spread list gave some, or the step continues a
 * traversal in a variable. Fails with OperandError if the step does not take them.
 */
export const checkedOperator = (operator: string, args: readonly unknown[]): string => {
  const spec = steps.get(operator) ?? sourceSteps.get(operator)
  if (spec === undefined) return operator
  const here = sourceSteps.get(operator)
  const problem = problemOf(spec, args)
  // mergeV() of a source takes other arguments than mergeV() after a step.
  if (problem === undefined || (here !== undefined && problemOf(here, args) === undefined)) {
    return args.length === 0 ? spec.emptyOperator : spec.operator
  }
  throw new OperandError(`${problem}: ${usage(spec)}`, "MissingMethodException")
}

const problemOf = (spec: CallSpec, args: readonly unknown[]): string | undefined => {
  const count = `${args.length} argument${args.length === 1 ? "" : "s"}`
  let state: CallState = spec.start
  for (const [at, arg] of args.entries()) {
    if (state.accepts === 0) return `${spec.name}() does not take ${count}`
    const next = state.after(kindOf(arg))
    if (next !== null) state = next
    else {
      const given = inWords(kindOf(arg))
      return `argument ${at + 1} of ${spec.name}() is ${given}, but ${inWords(state.accepts)} was expected`
    }
  }
  return state.complete ? undefined : `${count} ${args.length === 1 ? "is" : "are"} not enough for ${spec.name}()`
}

/** The only argument of a predicate or a method that takes one. Fails with OperandError for more or none. */
export const onlyArgument = (name: string, args: readonly unknown[]): unknown => {
  if (args.length === 1) return args[0]
  throw new OperandError(
    `${name}() takes 1 argument, and the spread list gives ${args.length}`,
    "MissingMethodException"
  )
}
