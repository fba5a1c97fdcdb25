import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { Binding, Bytecode, StrategySpec, Variable } from "../language/Bytecode.ts"
import { LimitExceeded } from "../language/Errors.ts"
import { ConnectiveP, NotP, P } from "../language/Predicate.ts"

/** Maximum number of {@link TraversalLength.steps}. Every strategy visits all steps. */
const MAX_STEPS = 20_000
/** Maximum number of arguments of all steps together. The plan contains all of them. */
const MAX_ARGUMENTS = 100_000
/** Maximum number of {@link TraversalLength.members}. Planning visits all of them. */
const MAX_MEMBERS = 4_000_000
/** Texts up to this length do not count as work. Longer texts count, because planning parses some of them (math()). */
const SHORT_TEXT_CHARS = 1_024
/** Number of characters whose work equals one step. */
const CHARACTERS_PER_STEP = 64
/** Number of members of collections whose work equals one step. */
const MEMBERS_PER_STEP = 1_000
/** Number of arguments whose work equals one step. */
const ARGUMENTS_PER_STEP = 64

/** Longer collections without nested objects are visited once, even if a variable that names them occurs several times. */
const SHORT_LIST_MEMBERS = 64

/** The size of a traversal, and the work to plan it. */
export interface TraversalLength {
  /** Number of steps, modulators, child traversals, strategies, and predicates inside and() or or(). */
  readonly steps: number
  /** Number of arguments of all steps. */
  readonly args: number
  /** Number of members of all lists, sets and maps in the arguments. A variable counts each time it occurs. */
  readonly members: number
  /** Estimated work to plan the traversal. The unit is the work for one step. */
  readonly work: number
}

/**
 * Measures a traversal. Throws LimitExceeded for more than {@link MAX_STEPS} steps, {@link MAX_ARGUMENTS} arguments or
 * {@link MAX_MEMBERS} members of collections. `variables` has the values of the traversal's variables; null if it has none.
 */
export function* lengthOf(
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown> | null,
  slice: TimeSlice
): Task<TraversalLength> {
  let steps = 0
  let members = 0
  let args = 0
  let characters = 0
  /** Visited collections that are longer than {@link SHORT_LIST_MEMBERS} and contain no nested objects. */
  const plain = new Set<unknown>()
  const waiting: Array<unknown> = [bytecode]
  /** Collections whose members must be visited. */
  const open: Array<Iterable<unknown>> = []
  const add = (parts: number): void => {
    steps += parts
    if (steps > MAX_STEPS) throw tooLong()
  }
  /** Queues objects only, so that long lists of plain values are not copied. */
  const waitFor = (value: unknown): void => {
    if (typeof value === "object") {
      if (value !== null) waiting.push(value)
    } else if (typeof value === "string" && value.length > SHORT_TEXT_CHARS) characters += value.length
  }
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (slice.isOver()) yield
    if (value instanceof Bytecode) {
      if (value !== bytecode) add(1)
      for (const instructions of [value.sourceInstructions, value.stepInstructions]) {
        add(instructions.length)
        for (const instruction of instructions) {
          args += instruction.args.length
          if (args > MAX_ARGUMENTS) throw tooManyArguments()
          for (let at = 0; at < instruction.args.length; at++) {
            waitFor(instruction.args[at])
            if (slice.isOver()) yield
          }
        }
      }
    } else if (value instanceof ConnectiveP) {
      add(value.predicates.length)
      for (const part of value.predicates) waiting.push(part)
    } else if (value instanceof NotP) waiting.push(value.predicate)
    else if (value instanceof P || value instanceof Binding) waitFor(value.value)
    else if (value instanceof Variable) waitFor(variables?.get(value.name))
    else if (value instanceof StrategySpec) {
      add(1)
      for (const item of value.configuration.values()) waitFor(item)
    } else if (Array.isArray(value) || value instanceof GremlinSet || value instanceof GremlinMap) {
      members += Array.isArray(value) ? value.length : value.size
      if (members > MAX_MEMBERS) throw tooMany()
      if (plain.has(value)) continue
      if (value instanceof GremlinMap) open.push(value.keys(), value.values())
      else open.push(value)
      const before = waiting.length
      let looked = 0
      for (let of = open.pop(); of !== undefined; of = open.pop()) {
        for (const member of of) {
          waitFor(member)
          looked++
          if (slice.isOver()) yield
        }
      }
      if (waiting.length === before && looked > SHORT_LIST_MEMBERS) plain.add(value)
    }
  }
  const looks = Math.floor(members / MEMBERS_PER_STEP) + Math.floor(args / ARGUMENTS_PER_STEP)
  return { steps, args, members, work: steps + looks + Math.floor(characters / CHARACTERS_PER_STEP) }
}

const tooLong = (): LimitExceeded =>
  new LimitExceeded(
    `A traversal has at most ${MAX_STEPS} steps and predicates, including those of its child traversals, but this one has more. ` +
      "Send it in parts; to process many values, pass them as a list to inject().unfold()."
  )

const tooManyArguments = (): LimitExceeded =>
  new LimitExceeded(
    `The steps of a traversal have at most ${MAX_ARGUMENTS} arguments together, but this one has more. Pass many values ` +
      "as one list, as in inject(list).unfold(), V(list) or within(list)."
  )

const tooMany = (): LimitExceeded =>
  new LimitExceeded(
    `The lists, sets and maps in a traversal have at most ${MAX_MEMBERS} members, but this one has more (a variable counts ` +
      "each time it is named). Send it in parts."
  )
