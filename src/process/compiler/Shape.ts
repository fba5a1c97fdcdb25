import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { Binding, Bytecode, Instruction, Lambda, StrategySpec, Variable } from "../language/Bytecode.ts"
import { ClosureSource } from "../language/Closure.ts"
import { ClosureParameter } from "../language/ClosureParameter.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import { Parameter } from "../language/Operand.ts"
import { ConnectiveP, NotP, P, type Predicate, TextP } from "../language/Predicate.ts"
import type { Language } from "../plan/Language.ts"
import { refuseOtherLanguage } from "./ClosureArguments.ts"
import { parametersOf } from "./Parameters.ts"
import { MAX_UNYIELDED_MEMBERS, PlainCheck } from "./PlainCheck.ts"

/**
 * The shape of a traversal: its steps, labels, keys, enum values and predicates, with plain values replaced by parameters.
 * Traversals of the same shape share a plan.
 */
export interface Template {
  /** The traversal with a {@link Parameter} in place of each extracted value. */
  readonly bytecode: Bytecode
  readonly parameters: readonly unknown[]
  /** The path in the trie; undefined if a part of the shape has no key, so that the plan cannot be cached. */
  readonly tokens: ReadonlyArray<unknown> | undefined
  /** True if every variable is a parameter, so that the template is valid for other values of the variables. */
  readonly reusable: boolean
  /**
   * The parameters for other values of the variables. Undefined if a value is missing or changes the shape (a P, a traversal), or
   * if the values have more than {@link MAX_UNYIELDED_MEMBERS} members.
   */
  fill(variables: ReadonlyMap<string, unknown> | null): readonly unknown[] | undefined
}

// Structure tokens are symbols, so that no string of a client equals one. Each kind of value begins with its own token, or is its own
// token. Without this, a traversal could get the plan of another one with the same tokens.
/** The token of a parameter. */
export const PARAMETER = Symbol("parameter")
/** The token before the source instructions of a traversal that has some. */
export const SOURCE = Symbol("source")
/** The token before the steps of a traversal. */
export const NESTED = Symbol("nested")
/** The token after the steps of a traversal. */
export const END = Symbol("end")
/** The token of the constant -0, which a Map takes for 0. */
export const NEGATIVE_ZERO = Symbol("-0")
const LIST = Symbol("list")
const SET = Symbol("set")
const MAP = Symbol("map")
const STRATEGY = Symbol("strategy")
const CLOSURE = Symbol("closure")
/** The token of a predicate. */
export const PREDICATE = Symbol("predicate")

/** Limit of the tokens of a cached plan. */
export const MAX_SHAPE_TOKENS = 4_096
/** Limit of the characters or members of a constant in a cached plan. */
const MAX_CONSTANT_SIZE = 1_024

const isLong = (value: unknown): boolean =>
  typeof value === "string" || Array.isArray(value)
    ? value.length > MAX_CONSTANT_SIZE
    : (value instanceof GremlinSet || value instanceof GremlinMap) && value.size > MAX_CONSTANT_SIZE

/** The variable of a closure, and the parameter in its place. */
class ClosureOrigin {
  readonly name: string
  readonly parameter: ClosureParameter
  constructor(name: string, parameter: ClosureParameter) {
    this.name = name
    this.parameter = parameter
  }
}

/** The origin of a parameter: a variable, a map with variables, the variable of a closure, or undefined for a literal. */
type Origin = string | GremlinMap | ClosureOrigin | undefined

/** Extracts the values of a traversal. Throws TraversalInvalid for a variable without a value. */
export const templateOf = (
  bytecode: Bytecode,
  variables: ReadonlyMap<string, unknown> | null,
  language: Language
): Template => new TemplateBuilder(variables, language).build(bytecode)

class TemplateBuilder {
  readonly #variables: ReadonlyMap<string, unknown> | null
  readonly #parameters: Array<unknown> = []
  readonly #origins: Array<Origin> = []
  readonly #tokens: Array<unknown> = []
  readonly #plain = new Set<unknown>()
  readonly #check = new PlainCheck(Number.POSITIVE_INFINITY)
  #cacheable = true
  #reusable = true

  readonly #language: Language

  constructor(variables: ReadonlyMap<string, unknown> | null, language: Language) {
    this.#variables = variables
    this.#language = language
  }

  build(bytecode: Bytecode): Template {
    const rewritten = this.#bytecode(bytecode)
    const parameters = this.#parameters
    const origins = this.#origins
    if (this.#tokens.length > MAX_SHAPE_TOKENS) this.#cacheable = false
    // A cache keeps `fill`, which must not keep the values of this request.
    const literals = parameters.map((value, at) => (origins[at] === undefined ? value : undefined))
    return {
      bytecode: rewritten,
      parameters,
      tokens: this.#cacheable ? this.#tokens : undefined,
      reusable: this.#reusable && this.#cacheable,
      fill: (variables) => filled(literals, origins, variables)
    }
  }

  #bytecode(bytecode: Bytecode): Bytecode {
    // Without this token, the operator of a child's source could be a constant of its parent.
    if (bytecode.sourceInstructions.length > 0) this.#tokens.push(SOURCE)
    const source = bytecode.sourceInstructions.map((instruction) => this.#instruction(instruction, ""))
    this.#tokens.push(NESTED)
    let modulated = ""
    const steps = bytecode.stepInstructions.map((instruction) => {
      if (instruction.operator !== "with") modulated = instruction.operator
      return this.#instruction(instruction, modulated)
    })
    this.#tokens.push(END)
    return new Bytecode(source, steps)
  }

  /** `modulated`: the operator that a with() modifies. */
  #instruction(instruction: Instruction, modulated: string): Instruction {
    const { operator, args } = instruction
    this.#tokens.push(operator, args.length)
    const out = new Array<unknown>(args.length)
    const isParameter = parametersOf(this.#language, operator, modulated)
    for (let i = 0; i < args.length; i++) {
      out[i] = this.#closure(args[i]) ?? this.#argument(args[i], isParameter(args, i))
    }
    return new Instruction(operator, out)
  }

  /** The parameter in place of an argument that is a closure; undefined for any other argument. */
  #closure(argument: unknown): ClosureParameter | undefined {
    const name = argument instanceof Variable ? argument.name : undefined
    const closure = name === undefined ? argument : this.#variables?.get(name)
    if (!(closure instanceof ClosureSource)) return undefined
    if (closure instanceof Lambda) refuseOtherLanguage(closure)
    const parameter = new ClosureParameter(this.#parameters.length, closure)
    this.#tokens.push(CLOSURE, parameter.parameterCount, parameter.isPure)
    this.#parameters.push(closure)
    this.#origins.push(name === undefined ? undefined : new ClosureOrigin(name, parameter))
    return parameter
  }

  /** `inList`: whether the argument is a member of a list, in which a list that is not data is a constant. */
  #argument(argument: unknown, open: boolean, inList = false): unknown {
    let value = argument
    let name: string | undefined
    let map: GremlinMap | undefined
    if (value instanceof Binding) value = value.value
    if (value instanceof Variable) {
      name = value.name
      if (this.#variables === null || !this.#variables.has(name)) {
        throw new TraversalInvalid(`No such variable: ${name}. Give it a value in the request's bindings.`)
      }
      value = this.#variables.get(name)
    } else if (open && value instanceof GremlinMap && this.#check.holdsTraversal(value)) {
      const whole = this.#check.filled(value, this.#variables)
      if (whole !== undefined) {
        map = value
        value = whole
      }
    }
    if (open && this.#isPlain(value)) {
      this.#tokens.push(PARAMETER)
      this.#parameters.push(value)
      this.#origins.push(map ?? name)
      return new Parameter(this.#parameters.length - 1)
    }
    if (name !== undefined) this.#reusable = false
    // A run supplies the members of a list, but not those of the lists in it.
    return this.#structure(value, open && !(inList && Array.isArray(value)))
  }

  /** Visits a long list only once, even if the traversal names its variable several times. */
  #isPlain(value: unknown): boolean {
    if (!Array.isArray(value) || value.length <= MAX_CONSTANT_SIZE) return this.#check.isPlain(value)
    if (this.#plain.has(value)) return true
    const plain = this.#check.isPlain(value)
    if (plain) this.#plain.add(value)
    return plain
  }

  #structure(value: unknown, open: boolean): unknown {
    if (value instanceof Bytecode) return this.#bytecode(value)
    if (value instanceof P || value instanceof ConnectiveP || value instanceof NotP) return this.#predicate(value, open)
    if (isLong(value)) {
      // A plan with a large constant is not cached.
      this.#cacheable = false
      if (this.#isPlain(value)) return value
    }
    if (Array.isArray(value)) {
      this.#tokens.push(LIST, value.length)
      return value.map((item) => this.#argument(item, open, true))
    }
    if (value instanceof StrategySpec) {
      this.#tokens.push(STRATEGY, value.name, value.configuration.size)
      const configuration = new Map<string, unknown>()
      for (const [key, item] of value.configuration) {
        this.#tokens.push(key)
        configuration.set(key, this.#argument(item, false))
      }
      return new StrategySpec(value.name, configuration)
    }
    if (value instanceof GremlinSet) {
      this.#tokens.push(SET, value.size)
      return new GremlinSet([...value].map((item) => this.#argument(item, false)))
    }
    if (value instanceof GremlinMap) {
      this.#tokens.push(MAP, value.size)
      return new GremlinMap([...value].map(([key, item]) => [this.#argument(key, false), this.#argument(item, false)]))
    }
    // Tokens are compared by identity or primitive value, so any other object prevents caching.
    if (typeof value === "object" && value !== null && !(value instanceof EnumValue)) this.#cacheable = false
    this.#tokens.push(typeof value === "number" && Object.is(value, -0) ? NEGATIVE_ZERO : value)
    return value
  }

  #predicate(predicate: Predicate, open: boolean): Predicate {
    this.#tokens.push(PREDICATE)
    if (predicate instanceof ConnectiveP) {
      this.#tokens.push(predicate.operator, predicate.predicates.length)
      return new ConnectiveP(
        predicate.operator,
        predicate.predicates.map((part) => this.#predicate(part, open))
      )
    }
    if (predicate instanceof NotP) {
      this.#tokens.push("not")
      return new NotP(this.#predicate(predicate.predicate, open))
    }
    const text = predicate instanceof TextP
    this.#tokens.push(predicate.operator, text)
    const value = this.#argument(predicate.value, open)
    return text ? new TextP(predicate.operator, value) : new P(predicate.operator, value)
  }
}

/** The parameters for these values of the variables; see {@link Template.fill}. */
const filled = (
  literals: readonly unknown[],
  origins: readonly Origin[],
  variables: ReadonlyMap<string, unknown> | null
): readonly unknown[] | undefined => {
  const check = new PlainCheck(MAX_UNYIELDED_MEMBERS)
  const out = new Array<unknown>(literals.length)
  for (let i = 0; i < out.length; i++) {
    const origin = origins[i]
    if (origin === undefined) out[i] = literals[i]
    else if (origin instanceof ClosureOrigin) {
      const closure = variables?.get(origin.name)
      if (!(closure instanceof ClosureSource) || closure instanceof Lambda || !origin.parameter.fits(closure)) {
        return undefined
      }
      out[i] = closure
    } else {
      const value = origin instanceof GremlinMap ? check.filled(origin, variables) : variables?.get(origin)
      if (value === undefined || !check.isPlain(value)) return undefined
      out[i] = value
    }
  }
  return out
}
