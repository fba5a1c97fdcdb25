import { GremlinMap, GremlinSet } from "../structure/Collections.ts"
import { Binding, Bytecode, StrategySpec, Variable } from "./Bytecode.ts"
import { LimitExceeded } from "./Errors.ts"
import { ConnectiveP, NotP, P } from "./Predicate.ts"

/** Most instructions of a traversal: it is planned at once, which takes some 20 ms for so many. */
const LONGEST = 20_000
/** Most arguments of all its steps: each is a part of the plan, which takes some 10 ms for so many. */
const MOST_ARGUMENTS = 100_000
/** Most members of the lists, sets and maps in it, those of a variable as often as it is named: all are looked at. */
const MOST_MEMBERS = 4_000_000

/**
 * Fails with LimitExceeded for a traversal that is too long to be planned at once: with more than 20,000 steps, modulators,
 * child traversals, and predicates joined by and() or or(), or with more than 100,000 arguments. Gives how long it is, a thousand members or
 * arguments as one. `variables` as in Planner.prepare.
 */
export const checkLength = (bytecode: Bytecode, variables: ReadonlyMap<string, unknown> | null): number => {
  let length = 0
  let members = 0
  let given = 0
  /** Lists that hold plain values only: they are looked at once, however often they are named. */
  const plain = new Set<unknown>()
  const waiting: Array<unknown> = [bytecode]
  const add = (parts: number): void => {
    length += parts
    if (length > LONGEST) throw tooLong()
  }
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== "object" || value === null) continue
    if (value instanceof Bytecode) {
      if (value !== bytecode) add(1)
      for (const instructions of [value.sourceInstructions, value.stepInstructions]) {
        add(instructions.length)
        for (const { args } of instructions) {
          given += args.length
          if (given > MOST_ARGUMENTS) throw tooManyArguments()
          waitFor(args, waiting)
        }
      }
    } else if (value instanceof ConnectiveP) {
      add(value.predicates.length)
      waitFor(value.predicates, waiting)
    } else if (value instanceof NotP) waiting.push(value.predicate)
    else if (value instanceof P || value instanceof Binding) waiting.push(value.value)
    else if (value instanceof Variable) waiting.push(variables?.get(value.name))
    else if (value instanceof StrategySpec) waitFor(value.configuration.values(), waiting)
    else if (Array.isArray(value) || value instanceof GremlinSet || value instanceof GremlinMap) {
      members += Array.isArray(value) ? value.length : value.size
      if (members > MOST_MEMBERS) throw tooMany()
    }
    if (plain.has(value)) continue
    if (Array.isArray(value) || value instanceof GremlinSet) {
      const before = waiting.length
      waitFor(value, waiting)
      if (waiting.length === before) plain.add(value)
    } else if (value instanceof GremlinMap) {
      waitFor(value.keys(), waiting)
      waitFor(value.values(), waiting)
    }
  }
  return length + Math.floor((members + given) / 1_000)
}

/** Only objects can hold anything: lists of plain values, which may be long, are not copied. */
const waitFor = (values: Iterable<unknown>, waiting: Array<unknown>): void => {
  for (const value of values) if (typeof value === "object" && value !== null) waiting.push(value)
}

const tooLong = (): LimitExceeded =>
  new LimitExceeded(
    `A traversal has at most ${LONGEST} steps and predicates, with those of its child traversals, and this one has more. ` +
      "Send it in parts; to work on many values, give them as a list to inject().unfold()."
  )

const tooManyArguments = (): LimitExceeded =>
  new LimitExceeded(
    `The steps of a traversal have at most ${MOST_ARGUMENTS} arguments together, and this one has more. Give many values ` +
      "as one list, as in inject(list).unfold(), V(list) or within(list)."
  )

const tooMany = (): LimitExceeded =>
  new LimitExceeded(
    `The lists, sets and maps in a traversal have at most ${MOST_MEMBERS} members, those of a variable counted as often as ` +
      "it is named, and this one has more. Send it in parts."
  )
