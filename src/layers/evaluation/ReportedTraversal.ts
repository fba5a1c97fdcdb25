import type { Script } from "../../gremlin/Script.ts"
import { constantNamed } from "../../gremlin/ScriptConstants.ts"
import { Bytecode, Instruction } from "../../process/language/Bytecode.ts"
import { InvalidRequestArguments } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"

/** What a report is about. */
interface ReportedTraversal {
  readonly bytecode: Bytecode
  /** The name of its source, such as `g`. */
  readonly source: string
  readonly variables: ReadonlyMap<string, unknown>
}

/**
 * The traversal of a script that a report is asked for. A script is only reported on when it is one traversal: other
 * scripts have statements around it, which would have to run. Throws InvalidRequestArguments.
 */
export const reportedTraversal = (script: Script, { bindings, report }: EvaluationRequest): ReportedTraversal => {
  const { source, traversal, variables: names } = script
  if (traversal === undefined) {
    throw new InvalidRequestArguments(
      `/gremlin/${report} takes one traversal of a traversal source, such as g.V().count(). Values that the traversal ` +
        "calculates belong into the bindings."
    )
  }
  const variables = new Map<string, unknown>(bindings)
  for (const name of names.keys()) {
    if (variables.has(name)) continue
    const constant = constantNamed(script, name)
    if (constant !== undefined) {
      variables.set(name, constant)
      continue
    }
    throw new InvalidRequestArguments(`The variable '${name}' has no value: add it to the bindings of the request.`)
  }
  return { bytecode: traversal, source, variables }
}

/** The traversal with profile() at its end, unless it has that already. */
export const profiled = (bytecode: Bytecode): Bytecode => {
  const { sourceInstructions, stepInstructions } = bytecode
  const last = stepInstructions.at(-1)
  if (last?.operator === "profile" && last.args.length === 0) return bytecode
  return new Bytecode(sourceInstructions, [...stepInstructions, new Instruction("profile", [])])
}
