import { literal } from "../../conformance/Literal.ts"
import { show, type Value } from "../../conformance/Value.ts"
import type { Argument, Call, Predicate, Traversal } from "./Traversal.ts"

/** Thrown for a value without a literal in the language. Only bytecode can contain it. */
export class NoLiteral extends Error {}

const valueText = (value: Value): string => {
  const written = literal(value)
  if (written === undefined) throw new NoLiteral(`${show(value)} has no literal`)
  return written
}

/** An enum constant as a key of a map is written in parentheses. */
const keyText = (value: Value): string => (value.kind === "enum" ? `(${valueText(value)})` : valueText(value))

const list = (args: ReadonlyArray<Argument>): string => args.map(argumentText).join(", ")

const predicateText = (predicate: Predicate): string => {
  switch (predicate.kind) {
    case "P":
    case "TextP":
      return `${predicate.kind}.${predicate.name}(${list(predicate.args)})`
    case "both":
      return `${predicateText(predicate.left)}.and(${predicateText(predicate.right)})`
    case "either":
      return `${predicateText(predicate.left)}.or(${predicateText(predicate.right)})`
    case "negated":
      return `P.not(${predicateText(predicate.inner)})`
  }
}

const argumentText = (argument: Argument): string => {
  switch (argument.kind) {
    case "value":
      return valueText(argument.value)
    case "child":
      return argument.steps.length === 0 ? "__.identity()" : `__.${callsText(argument.steps)}`
    case "cardinality":
      return `Cardinality.${argument.name}(${valueText(argument.value)})`
    case "map":
      return argument.entries.length === 0
        ? "[:]"
        : `[${argument.entries.map(([key, value]) => `${keyText(key)}: ${argumentText(value)}`).join(", ")}]`
    case "strategy": {
      const configuration = argument.configuration.map(([key, value]) => `${key}: ${argumentText(value)}`)
      return `new ${argument.name}(${configuration.join(", ")})`
    }
    case "class":
      return argument.name
    default:
      return predicateText(argument)
  }
}

const callsText = (calls: ReadonlyArray<Call>): string =>
  calls.map(({ name, args }) => `${name}(${list(args)})`).join(".")

/** A traversal as a script in the Gremlin language. Throws NoLiteral if a value has no literal in the language. */
export const scriptOf = ({ source, steps }: Traversal): string => `g.${callsText([...source, ...steps])}`

/** A traversal for reports: a script, or the notation of the suite if a value has no literal. */
export const shown = (traversal: Traversal): string => {
  try {
    return scriptOf(traversal)
  } catch (error) {
    if (!(error instanceof NoLiteral)) throw error
    return `(bytecode) g.${[...traversal.source, ...traversal.steps].map(shownCall).join(".")}`
  }
}

const shownCall = ({ name, args }: Call): string => `${name}(${args.map(shownArgument).join(", ")})`

const shownArgument = (argument: Argument): string => {
  if (argument.kind === "child") return `__.${argument.steps.map(shownCall).join(".")}`
  try {
    return argumentText(argument)
  } catch {
    return argument.kind === "value" ? show(argument.value) : argument.kind
  }
}
