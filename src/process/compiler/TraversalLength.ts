import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { Binding, Bytecode, StrategySpec, Variable } from "../language/Bytecode.ts"
import { LimitExceeded } from "../language/Errors.ts"
import { ConnectiveP, NotP, P } from "../language/Predicate.ts"

/** Most instructions of a traversal: each is a part of the plan, which every strategy goes through. */
const LONGEST = 20_000
/** Most arguments of all its steps: each is a part of the plan. */
const MOST_ARGUMENTS = 100_000
/** Most members of the lists, sets and maps in it, those of a variable as often as it is named: all are looked at. */
const MOST_MEMBERS = 4_000_000
/** Characters of a text that does not count: expressions of math() and the like are read while the plan is made. */
const SHORT_TEXT = 1_024
/** Characters that are read in the time of a step. */
const CHARACTERS_PER_STEP = 64
/** Members that are looked at in the time of a step. */
const MEMBERS_PER_STEP = 1_000
/** Arguments that are read in the time of a step. */
const ARGUMENTS_PER_STEP = 64

/** Members of a list that is looked at each time. */
const SHORT_LIST = 64

/** How long a traversal is. */
export interface TraversalLength {
  /** Steps, modulators, child traversals, strategies, and predicates joined by and() or or(). */
  readonly steps: number
  /** Arguments of all of them. */
  readonly args: number
  /** Members of the lists, sets and maps among these, those of a variable as often as it is named. */
  readonly members: number
  /** What it takes to plan it: as many steps as would take as long. */
  readonly work: number
}

/**
 * How long a traversal is. Fails with LimitExceeded for one that nobody waits for: with more than 20,000 steps, more than
 * 100,000 arguments, or more than 4,000,000 members of lists, sets and maps. `variables` as in Planner.prepare.
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
  /** Lists that hold plain values only: they are looked at once, however often they are named. */
  const plain = new Set<unknown>()
  const waiting: Array<unknown> = [bytecode]
  /** Collections whose members are to be looked at. */
  const open: Array<Iterable<unknown>> = []
  const add = (parts: number): void => {
    steps += parts
    if (steps > LONGEST) throw tooLong()
  }
  /** Only objects can hold anything: lists of plain values, which may be long, are not copied. */
  const waitFor = (value: unknown): void => {
    if (typeof value === "object") {
      if (value !== null) waiting.push(value)
    } else if (typeof value === "string" && value.length > SHORT_TEXT) characters += value.length
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
          if (args > MOST_ARGUMENTS) throw tooManyArguments()
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
      if (members > MOST_MEMBERS) throw tooMany()
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
      if (waiting.length === before && looked > SHORT_LIST) plain.add(value)
    }
  }
  const looks = Math.floor(members / MEMBERS_PER_STEP) + Math.floor(args / ARGUMENTS_PER_STEP)
  return { steps, args, members, work: steps + looks + Math.floor(characters / CHARACTERS_PER_STEP) }
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
