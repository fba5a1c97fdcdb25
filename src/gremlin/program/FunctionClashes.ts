import type { Statement } from "../Statement.ts"
import type { ErrorPositions } from "../script/objects/ErrorPositions.ts"

type Definition = Extract<Statement, { readonly kind: "function" }>

/** The types of the arguments that a function takes: one list for each number of optional parameters that a call leaves out. */
const signaturesOf = ({ closure, name }: Definition): readonly string[] => {
  const parameters = closure.parameters ?? []
  const optional = parameters.filter(({ isOptional }) => isOptional).length
  return Array.from({ length: optional + 1 }, (_, given) => {
    let left = given
    const taken = parameters.filter(({ isOptional }) => !isOptional || left-- > 0)
    return `${name}(${taken.map(({ takesRest, type }) => (type || "Object") + (takesRest ? "..." : "")).join(", ")})`
  })
}

/** Fails with ScriptFailure for two functions that take the same arguments, as Groovy does. */
export const checkFunctions = (definitions: readonly Definition[], positions: ErrorPositions): void => {
  const known = new Set<string>()
  for (const definition of definitions) {
    for (const signature of signaturesOf(definition)) {
      if (known.has(signature)) {
        const problem = `the function ${signature} is defined twice, perhaps by a parameter with a default value`
        throw positions.failure(problem, definition.position)
      }
      known.add(signature)
    }
  }
}
