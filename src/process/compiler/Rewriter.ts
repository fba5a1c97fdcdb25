import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { Binding, Bytecode, Instruction, Lambda, StrategySpec, Variable } from "../language/Bytecode.ts"
import { ClosureSource } from "../language/Closure.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import { Parameter } from "../language/Operand.ts"
import { ConnectiveP, NotP, P, type Predicate, TextP } from "../language/Predicate.ts"
import type { Language } from "../plan/Language.ts"
import { noParameters } from "../plan/Operator.ts"
import { parametersOf } from "./Parameters.ts"

/** A traversal whose plan is made for one run. */
interface Rewritten {
  /** The traversal without variables, and with Parameters in place of the extracted values. */
  readonly bytecode: Bytecode
  readonly parameters: readonly unknown[]
}

/**
 * Does what templateOf() does, with yields and without tokens, for a traversal that is too long for the caches.
 */
export const rewritten = (
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown> | null,
  language: Language,
  slice: TimeSlice
): Task<Rewritten> => new Rewriter(variables, language, slice).rewrite(bytecode)

/** The traversal with its variables replaced by their values, and without parameters, for explain() and profile(). */
export function* inlined(
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown> | null,
  slice: TimeSlice
): Task<Bytecode> {
  return (yield* new Rewriter(variables, null, slice).rewrite(bytecode)).bytecode
}

/** Longer lists of plain values are visited only once. */
const SHORT_LIST_MEMBERS = 64

class Rewriter {
  readonly #variables: ReadonlyMap<string, unknown> | null
  /** Null = values are not replaced by parameters. */
  readonly #language: Language | null
  readonly #parameters: Array<unknown> = []
  /** Whether the current argument is, or contains, a part of the plan. */
  #isStructure = false
  /** Long lists of plain values that were visited. A traversal may name a variable several times. */
  readonly #plain = new Set<unknown>()

  readonly #slice: TimeSlice

  constructor(variables: ReadonlyMap<string, unknown> | null, language: Language | null, slice: TimeSlice) {
    this.#slice = slice
    this.#variables = variables
    this.#language = language
  }

  *rewrite(bytecode: Bytecode): Task<Rewritten> {
    return { bytecode: yield* this.#bytecode(bytecode), parameters: this.#parameters }
  }

  *#bytecode({ sourceInstructions, stepInstructions }: Bytecode): Task<Bytecode> {
    const source: Array<Instruction> = []
    for (const instruction of sourceInstructions) source.push(yield* this.#instruction(instruction, ""))
    const steps: Array<Instruction> = []
    let modulated = ""
    for (const instruction of stepInstructions) {
      if (instruction.operator !== "with") modulated = instruction.operator
      steps.push(yield* this.#instruction(instruction, modulated))
    }
    return new Bytecode(source, steps)
  }

  *#instruction({ operator, args }: Instruction, modulated: string): Task<Instruction> {
    if (this.#slice.isOverNow()) yield
    const out = new Array<unknown>(args.length)
    const isParameter = this.#language === null ? noParameters : parametersOf(this.#language, operator, modulated)
    for (let at = 0; at < args.length; at++) {
      const open = isParameter(args, at)
      const argument = args[at]
      this.#isStructure = false
      let value = argument
      if (typeof argument === "object" && argument !== null) value = yield* this.#value(argument, open)
      if (open && !this.#isStructure) {
        this.#parameters.push(value)
        value = new Parameter(this.#parameters.length - 1)
      }
      out[at] = value
      if (this.#slice.isOver()) yield
    }
    return new Instruction(operator, out)
  }

  /** An object of the arguments with its variables replaced; the same object if it has none. */
  *#value(given: object, open: boolean): Task<unknown> {
    const value = given instanceof Binding || given instanceof Variable ? this.#named(given) : given
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return yield* this.#list(value, open)
    if (value instanceof GremlinSet) return yield* this.#set(value)
    if (value instanceof GremlinMap) return yield* this.#map(value)
    if (value instanceof EnumValue || value instanceof Lambda || value instanceof ClosureSource)
      this.#isStructure = true
    else if (value instanceof Bytecode) {
      const bytecode = yield* this.#bytecode(value)
      this.#isStructure = true
      return bytecode
    } else if (value instanceof P || value instanceof ConnectiveP || value instanceof NotP) {
      const predicate = yield* this.#predicate(value, open)
      this.#isStructure = true
      return predicate
    } else if (value instanceof StrategySpec) {
      const configuration = new Map<string, unknown>()
      for (const [key, item] of value.configuration) configuration.set(key, yield* this.#member(item, false))
      this.#isStructure = true
      return new StrategySpec(value.name, configuration)
    }
    return value
  }

  #named(value: Binding | Variable): unknown {
    if (value instanceof Binding) return value.value instanceof Variable ? this.#named(value.value) : value.value
    const { name } = value
    if (this.#variables === null || !this.#variables.has(name)) {
      throw new TraversalInvalid(`No such variable: ${name}. Give it a value in the request's bindings.`)
    }
    return this.#variables.get(name)
  }

  *#member(value: unknown, open: boolean): Task<unknown> {
    return typeof value === "object" && value !== null ? yield* this.#value(value, open) : value
  }

  *#list(list: ReadonlyArray<unknown>, open: boolean): Task<ReadonlyArray<unknown>> {
    if (this.#plain.has(list)) return list
    const outer = this.#isStructure
    this.#isStructure = false
    let changed: Array<unknown> | undefined
    for (let at = 0; at < list.length; at++) {
      const member = list[at]
      const value = typeof member === "object" && member !== null ? yield* this.#value(member, open) : member
      if (value !== member) changed ??= list.slice(0, at)
      if (changed !== undefined) changed.push(value)
      if (this.#slice.isOverAfter(at + 1)) yield
    }
    if (changed === undefined && !this.#isStructure && list.length > SHORT_LIST_MEMBERS) this.#plain.add(list)
    this.#isStructure ||= outer
    return changed ?? list
  }

  *#set(set: GremlinSet): Task<GremlinSet> {
    const members: Array<unknown> = []
    let isSame = true
    for (const member of set) {
      members.push(yield* this.#member(member, false))
      isSame &&= members[members.length - 1] === member
      if (this.#slice.isOverAfter(members.length)) yield
    }
    if (isSame) return set
    const changed = new GremlinSet()
    for (let at = 0; at < members.length; at++) {
      changed.add(members[at])
      if (this.#slice.isOverAfter(at + 1)) yield
    }
    return changed
  }

  *#map(map: GremlinMap): Task<GremlinMap> {
    const entries: Array<readonly [unknown, unknown]> = []
    let isSame = true
    for (const [key, value] of map) {
      const entry = [yield* this.#member(key, false), yield* this.#member(value, false)] as const
      entries.push(entry)
      isSame &&= entry[0] === key && entry[1] === value
      if (this.#slice.isOverAfter(entries.length)) yield
    }
    if (isSame) return map
    const changed = new GremlinMap()
    for (let at = 0; at < entries.length; at++) {
      changed.set(entries[at]![0], entries[at]![1])
      if (this.#slice.isOverAfter(at + 1)) yield
    }
    return changed
  }

  *#predicate(predicate: Predicate, open: boolean): Task<Predicate> {
    if (predicate instanceof ConnectiveP) {
      const parts: Array<Predicate> = []
      for (const part of predicate.predicates) parts.push(yield* this.#predicate(part, open))
      return new ConnectiveP(predicate.operator, parts)
    }
    if (predicate instanceof NotP) return new NotP(yield* this.#predicate(predicate.predicate, open))
    const outer = this.#isStructure
    this.#isStructure = false
    let value = yield* this.#member(predicate.value, open)
    if (open && !this.#isStructure) {
      this.#parameters.push(value)
      value = new Parameter(this.#parameters.length - 1)
    }
    this.#isStructure ||= outer
    if (value === predicate.value) return predicate
    return predicate instanceof TextP ? new TextP(predicate.operator, value) : new P(predicate.operator, value)
  }
}
