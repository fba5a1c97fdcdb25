import { typeNames } from "./Arguments.ts"
import { ClosureSource } from "./Closure.ts"
import { TraversalInvalid } from "./Errors.ts"
import { anyValue, Kind, kindOf } from "./Kinds.ts"
import { Parameter } from "./Operand.ts"
import { acceptedAt, type CallSpec, type Signature, usage } from "./Signatures.ts"

// The parser of scripts checks literals when it reads them. The arguments of drivers and the values of variables are checked here,
// when a plan is made.

const numbers = Kind.integer | Kind.decimal
/** Objects that have no kind of their own, such as a vertex, a UUID or a duration. */
const others = Kind.element | Kind.date | Kind.uuid
/** What a parameter of a plan may be: data. A run knows its value, and the step checks it. */
const data = Kind.string | numbers | Kind.boolean | Kind.null | Kind.map | Kind.list | Kind.set | others

/** The kinds that an argument may have. As in Java, a number is converted to the type of number that a step takes. */
const kindsOf = (argument: unknown): number => {
  if (argument instanceof Parameter) return data
  if (argument instanceof ClosureSource) return Kind.closure
  const kind = kindOf(argument)
  return kind === Kind.variable ? others : (kind & numbers) === 0 ? kind : numbers
}

/**
 * Throws TraversalInvalid, with the words of Gremlin Server, if an instruction has too many or too few arguments, or one of a kind that
 * none of these calls takes. `place` is the class that would have the method.
 */
export const refuseArguments = (
  operator: string,
  args: readonly unknown[],
  place: string,
  ...calls: ReadonlyArray<CallSpec | undefined>
): void => {
  const known = calls.filter((call) => call !== undefined)
  if (known.length === 0 || known.some((call) => takes(call, args))) return
  throw new TraversalInvalid(`${noMethod(place, operator, args)}. Use ${known.map(usage).join(" or ")}`)
}

/** The words of Gremlin Server, which clients know. */
export const noMethod = (place: string, operator: string, args: readonly unknown[]): string =>
  `Could not locate method: ${place}.${operator}(${typeNames(args)})`

const takes = ({ closure, signatures }: CallSpec, args: readonly unknown[]): boolean =>
  // The parser has rules of its own for these calls.
  signatures.length === 0 || signatures.some((signature) => fits(signature, args, closure !== undefined))

const fits = (signature: Signature, args: readonly unknown[], takesClosure: boolean): boolean => {
  const { accepts, rest } = signature
  if (args.length < accepts.length || (rest === 0 && args.length > accepts.length)) return false
  return args.every((argument, at) => {
    const accepted = acceptedAt(signature, at)
    // Any value is an Object of Java: the step says what it does not take.
    if ((accepted & anyValue) === anyValue) return true
    const isAccepted = (member: unknown): boolean =>
      (accepted & kindsOf(member)) !== 0 || (takesClosure && member instanceof ClosureSource)
    // Some drivers send several arguments as one list.
    return isAccepted(argument) || (rest !== 0 && Array.isArray(argument) && argument.every(isAccepted))
  })
}
