import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import { isTraversal, nameOf } from "../../language/Arguments.ts"
import { TraversalInvalid, VerificationFailed } from "../../language/Errors.ts"
import { PropertyProgramStep } from "../../olap/PropertyProgramStep.ts"
import type { Traversal } from "../../plan/Step.ts"

/** The options of VertexProgramStrategy. All drivers together send these. */
const OPTIONS = ["graphComputer", "workers", "result", "persist", "vertices", "edges", "configuration"]
const RESULTS = ["NEW", "ORIGINAL"]
const PERSISTS = ["NOTHING", "VERTEX_PROPERTIES", "EDGES"]

/**
 * Refuses options of VertexProgramStrategy that have an effect in TinkerPop and none here, and unknown ones with a traversal, which may
 * be misspelt filters. TinkerPop passes other options to the graph computer, so they have no effect. Throws TraversalInvalid.
 */
export const checkComputer = (name: string, configuration: ReadonlyMap<string, unknown>, root: Traversal): void => {
  for (const [key, value] of configuration) {
    if (!OPTIONS.includes(key) && isTraversal(value))
      throw new TraversalInvalid(`${name} has no option ${key}. Its options are ${OPTIONS.join(", ")}`)
  }
  const result = constantOf(name, "result", RESULTS, configuration)
  // The driver for JavaScript sends the option persist under the name of the option graphComputer.
  const computer = configuration.get("graphComputer")
  const isMisnamed = typeof computer === "string" && PERSISTS.includes(computer)
  const persist = constantOf(name, "persist", PERSISTS, configuration) ?? (isMisnamed ? computer : undefined)
  if (result !== "ORIGINAL" || persist === "NOTHING") return
  const program = root.steps.find((step) => step instanceof PropertyProgramStep)
  if (program === undefined) return
  throw new TraversalInvalid(
    `The result ORIGINAL of ${name} writes the properties that ${program.operator}() computes to the graph. Here only property() writes ` +
      `them: leave withComputer() out, and end the traversal with a step such as property('name', __.values('name'))`
  )
}

const constantOf = (
  strategy: string,
  key: string,
  constants: readonly string[],
  configuration: ReadonlyMap<string, unknown>
): string | undefined => {
  const value = configuration.get(key)
  if (value === undefined || value === null) return undefined
  const name = value instanceof HostConstant ? value.name : value
  if (typeof name === "string" && constants.includes(name)) return name
  throw new TraversalInvalid(`${strategy} takes ${constants.join(", ")} as ${key}, but was given ${nameOf(value)}`)
}

/** Refuses steps that change the graph, or read or write files, as ComputerVerificationStrategy does. Throws VerificationFailed. */
export const refuseMutations = (root: Traversal): void => {
  root.visit((step) => {
    const { access } = step.traits
    if (access !== "writes" && access !== "files") return
    throw new VerificationFailed(
      `The following step is currently not supported on GraphComputer: ${step}. Leave withComputer() out of a traversal that changes the graph`
    )
  })
}
