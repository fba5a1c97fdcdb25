import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { EnumValue } from "../../structure/Enums.ts"
import { Binding, Bytecode, Instruction, Lambda, StrategySpec, Variable } from "../language/Bytecode.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import { ConnectiveP, NotP, P, type Predicate, TextP } from "../language/Predicate.ts"
import { Parameter } from "../plan/Operand.ts"
import { cacheRoom } from "./CacheRoom.ts"
import type { Compiled } from "./Compiler.ts"

/**
 * The shape of a traversal: its steps, labels, keys, enum values and predicates, with the plain values that a plan can
 * take from outside replaced by parameters. Traversals of one shape share a plan.
 */
export interface Template {
  /** The traversal with {@link Parameter} in place of the values taken out. */
  readonly bytecode: Bytecode
  readonly parameters: readonly unknown[]
  /** The way through the trie; undefined when the shape holds something that has no key (then it is not cached). */
  readonly tokens: ReadonlyArray<unknown> | undefined
  /** True when every variable became a parameter, so that the template serves other values of them. */
  readonly reusable: boolean
  /**
   * Parameters for other values of the variables; undefined when one of them changes the shape (a P, a traversal, missing)
   * or they have more than {@link MEMBERS_AT_ONCE} members.
   */
  fill(variables: ReadonlyMap<string, unknown> | null): readonly unknown[] | undefined
}

/** Marks in the token sequence; objects, so that no string of a client can be taken for one. */
const PARAMETER = Symbol("parameter")
const NESTED = Symbol("nested")
const END = Symbol("end")
const LIST = Symbol("list")
const PREDICATE = Symbol("predicate")

/** Which arguments of a step are taken out: decided by operator and position, because the others shape the plan. */
export const isParameterPosition = (
  operator: string,
  args: readonly unknown[],
  at: number,
  modulated: string
): boolean => {
  switch (operator) {
    case "call":
      return at > 0
    case "with":
      return at === 1 && modulated === "call"
    case "V":
    case "E":
    case "inject":
    case "hasId":
    case "hasValue":
    case "is":
    case "filter":
    case "all":
    case "any":
    case "none":
    case "choose":
    case "limit":
    case "skip":
    case "range":
    case "tail":
    case "hasKey":
    case "constant":
    case "mergeV":
    case "mergeE":
      return true
    case "has":
      return at > 0 && at === args.length - 1
    case "property": {
      const first = args[0] instanceof EnumValue && args[0].enumName === "Cardinality" ? 2 : 1
      return at >= first && (at - first) % 2 === 0
    }
    case "option":
      return true
    default:
      return false
  }
}

/** Members of all its lists and maps together of a traversal that is gone through at once. */
export const MEMBERS_AT_ONCE = 32_768

/** Members that may still be looked at: while a known plan is looked for, not more than {@link MEMBERS_AT_ONCE}. */
let left = Number.POSITIVE_INFINITY

/** Values that are data to a plan, never structure; false where there are more than may be looked at. */
const isPlain = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  !(
    value instanceof P ||
    value instanceof ConnectiveP ||
    value instanceof NotP ||
    value instanceof Bytecode ||
    value instanceof EnumValue ||
    value instanceof Lambda ||
    value instanceof StrategySpec ||
    value instanceof Variable ||
    value instanceof Binding ||
    (Array.isArray(value) && !isPlainList(value)) ||
    (value instanceof GremlinMap && holdsTraversal(value))
  )

const isPlainList = (list: ReadonlyArray<unknown>): boolean => {
  left -= list.length
  return left >= 0 && list.every(isPlain)
}

/** Tokens of a plan that is kept. */
export const LONGEST_SHAPE = 4_096
/** Members of a constant, and characters, in a plan that is kept. */
const LONGEST_CONSTANT = 1_024

const isLong = (value: unknown): boolean =>
  typeof value === "string" || Array.isArray(value)
    ? value.length > LONGEST_CONSTANT
    : (value instanceof GremlinSet || value instanceof GremlinMap) && value.size > LONGEST_CONSTANT

/** Traversals are part of the plan, and variables have to be replaced by their values. */
const holdsTraversal = (map: GremlinMap): boolean => {
  left -= map.size
  if (left < 0) return true
  for (const [key, value] of map) if (isOpen(key) || isOpen(value)) return true
  return false
}

const isOpen = (value: unknown): boolean =>
  value instanceof Bytecode ||
  value instanceof Variable ||
  value instanceof Binding ||
  (Array.isArray(value) && isOpenList(value)) ||
  (value instanceof GremlinMap && holdsTraversal(value))

const isOpenList = (list: ReadonlyArray<unknown>): boolean => {
  left -= list.length
  return left < 0 || list.some(isOpen)
}

/**
 * A map with the values of the variables that are written in it, as mergeV([uid: x]) has it: such a map is data. Undefined
 * when one has no value, or when something in the map is a part of the plan.
 */
const filled = (map: GremlinMap, variables: ReadonlyMap<string, unknown> | null): GremlinMap | undefined => {
  const out = new GremlinMap()
  for (const [key, value] of map) {
    const name = memberOf(key, variables)
    const whole = memberOf(value, variables)
    if (name === undefined || whole === undefined) return undefined
    out.set(name, whole)
  }
  return out
}

/** What a member of a map is; lists and maps in it that have variables are left to the plan. */
const memberOf = (member: unknown, variables: ReadonlyMap<string, unknown> | null): unknown => {
  const value =
    member instanceof Variable ? variables?.get(member.name) : member instanceof Binding ? member.value : member
  return isOpen(value) || !isPlainOrEnum(value) ? undefined : value
}

const isPlainOrEnum = (value: unknown): boolean => value instanceof EnumValue || isPlain(value)

/** Takes the values out of a traversal. */
export const templateOf = (bytecode: Bytecode, variables: ReadonlyMap<string, unknown> | null): Template =>
  new TemplateBuilder(variables).build(bytecode)

class TemplateBuilder {
  readonly #variables: ReadonlyMap<string, unknown> | null
  readonly #parameters: Array<unknown> = []
  /** For each parameter the variable it came from, a map with variables in it, or undefined for a literal. */
  readonly #origins: Array<string | GremlinMap | undefined> = []
  readonly #tokens: Array<unknown> = []
  readonly #plain = new Set<unknown>()
  #cacheable = true
  #reusable = true

  constructor(variables: ReadonlyMap<string, unknown> | null) {
    this.#variables = variables
  }

  build(bytecode: Bytecode): Template {
    left = Number.POSITIVE_INFINITY
    const rewritten = this.#bytecode(bytecode)
    const parameters = this.#parameters
    const origins = this.#origins
    if (this.#tokens.length > LONGEST_SHAPE) this.#cacheable = false
    return {
      bytecode: rewritten,
      parameters,
      tokens: this.#cacheable ? this.#tokens : undefined,
      reusable: this.#reusable && this.#cacheable,
      fill: (variables) => {
        left = MEMBERS_AT_ONCE
        const out = new Array<unknown>(parameters.length)
        for (let i = 0; i < out.length; i++) {
          const origin = origins[i]
          if (origin === undefined) out[i] = parameters[i]
          else {
            const value = origin instanceof GremlinMap ? filled(origin, variables) : variables?.get(origin)
            if (value === undefined || !isPlain(value)) return undefined
            out[i] = value
          }
        }
        return out
      }
    }
  }

  #bytecode(bytecode: Bytecode): Bytecode {
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

  /** `modulated`: the operator that a with() belongs to. */
  #instruction(instruction: Instruction, modulated: string): Instruction {
    const { operator, args } = instruction
    this.#tokens.push(operator, args.length)
    const out = new Array<unknown>(args.length)
    for (let i = 0; i < args.length; i++)
      out[i] = this.#argument(args[i], isParameterPosition(operator, args, i, modulated))
    return new Instruction(operator, out)
  }

  #argument(argument: unknown, open: boolean): unknown {
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
    } else if (open && value instanceof GremlinMap && holdsTraversal(value)) {
      const whole = filled(value, this.#variables)
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
    return this.#structure(value, open)
  }

  /** Long lists are gone through once, however often they are named. */
  #isPlain(value: unknown): boolean {
    if (!Array.isArray(value) || value.length <= LONGEST_CONSTANT) return isPlain(value)
    if (this.#plain.has(value)) return true
    const plain = isPlain(value)
    if (plain) this.#plain.add(value)
    return plain
  }

  #structure(value: unknown, open: boolean): unknown {
    if (value instanceof Bytecode) return this.#bytecode(value)
    if (value instanceof P || value instanceof ConnectiveP || value instanceof NotP) return this.#predicate(value, open)
    if (isLong(value)) {
      // Kept plans would hold it, and there are many: such a plan is made for one run.
      this.#cacheable = false
      if (this.#isPlain(value)) return value
    }
    if (Array.isArray(value)) {
      this.#tokens.push(LIST, value.length)
      return value.map((item) => this.#argument(item, open))
    }
    if (value instanceof StrategySpec) {
      this.#tokens.push(value.name, value.configuration.size)
      const configuration = new Map<string, unknown>()
      for (const [key, item] of value.configuration) {
        this.#tokens.push(key)
        configuration.set(key, this.#argument(item, false))
      }
      return new StrategySpec(value.name, configuration)
    }
    if (value instanceof GremlinSet) {
      this.#tokens.push(LIST, value.size, "set")
      return new GremlinSet([...value].map((item) => this.#argument(item, false)))
    }
    if (value instanceof GremlinMap) {
      this.#tokens.push(LIST, value.size, "map")
      return new GremlinMap([...value].map(([key, item]) => [this.#argument(key, false), this.#argument(item, false)]))
    }
    // Constants are compared by identity or primitive value; an object that is neither an enum nor known has no key.
    if (typeof value === "object" && value !== null && !(value instanceof EnumValue)) this.#cacheable = false
    this.#tokens.push(typeof value === "number" && Object.is(value, -0) ? "-0" : value)
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

interface TrieNode {
  children: Map<unknown, TrieNode>
  compiled: Compiled | undefined
}

/** Tokens of each plan for which there is room; long ones take the room of several. */
const TOKENS_PER_PLAN = 128
/** Tokens of all plans; each takes a third of a kilobyte, with its part of the plan. */
const MOST_TOKENS = cacheRoom(262_144)

/** Plans by shape. Clients fill it, so it is bounded: when full it starts anew. */
export class ShapeTrie {
  readonly #capacity: number
  #root: TrieNode = { children: new Map(), compiled: undefined }
  #size = 0
  #tokens = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /**
   * The plan of a traversal that has no variables, its values put into `parameters`; found by walking the trie along the
   * traversal, without building a template. Undefined when it is unknown, holds more than values, enum constants,
   * predicates over values, and traversals of such, or has very many members: then {@link templateOf} decides.
   */
  find(bytecode: Bytecode, parameters: Array<unknown>): Compiled | undefined {
    left = MEMBERS_AT_ONCE
    return walk(this.#root, bytecode, parameters)?.compiled
  }

  get(template: Template): Compiled | undefined {
    if (template.tokens === undefined) return undefined
    let node: TrieNode | undefined = this.#root
    for (const token of template.tokens) {
      node = node.children.get(token)
      if (node === undefined) return undefined
    }
    return node.compiled
  }

  set(template: Template, compiled: Compiled): void {
    if (template.tokens === undefined) return
    const { length } = template.tokens
    if (
      this.#size >= this.#capacity ||
      this.#tokens + length > Math.min(MOST_TOKENS, this.#capacity * TOKENS_PER_PLAN)
    ) {
      this.#root = { children: new Map(), compiled: undefined }
      this.#size = 0
      this.#tokens = 0
    }
    let node = this.#root
    for (const token of template.tokens) {
      let next = node.children.get(token)
      if (next === undefined) node.children.set(token, (next = { children: new Map(), compiled: undefined }))
      node = next
    }
    node.compiled = compiled
    this.#size++
    this.#tokens += length
  }
}

/** Follows the tokens that {@link TemplateBuilder} makes of the same traversal, as long as it holds nothing unusual. */
const walk = (from: TrieNode, bytecode: Bytecode, parameters: Array<unknown>): TrieNode | undefined => {
  let node: TrieNode | undefined = from
  for (const instruction of bytecode.sourceInstructions) {
    node = walkInstruction(node, instruction, parameters)
    if (node === undefined) return undefined
  }
  node = node.children.get(NESTED)
  if (node === undefined) return undefined
  for (const instruction of bytecode.stepInstructions) {
    // What a with() belongs to decides about its arguments: left to the builder.
    if (instruction.operator === "with") return undefined
    node = walkInstruction(node, instruction, parameters)
    if (node === undefined) return undefined
  }
  return node.children.get(END)
}

const walkInstruction = (
  from: TrieNode,
  { operator, args }: Instruction,
  parameters: Array<unknown>
): TrieNode | undefined => {
  let node = from.children.get(operator)?.children.get(args.length)
  for (let i = 0; i < args.length && node !== undefined; i++) {
    node = walkArgument(node, args[i], isParameterPosition(operator, args, i, operator), parameters)
  }
  return node
}

const walkArgument = (
  node: TrieNode,
  value: unknown,
  open: boolean,
  parameters: Array<unknown>
): TrieNode | undefined => {
  if (typeof value !== "object" || value === null) {
    if (open) {
      parameters.push(value)
      return node.children.get(PARAMETER)
    }
    return node.children.get(typeof value === "number" && Object.is(value, -0) ? "-0" : value)
  }
  if (value instanceof EnumValue) return node.children.get(value)
  if (value instanceof Bytecode) return walk(node, value, parameters)
  if (value instanceof P) {
    const predicate = node.children
      .get(PREDICATE)
      ?.children.get(value.operator)
      ?.children.get(value instanceof TextP)
    return predicate === undefined ? undefined : walkArgument(predicate, value.value, open, parameters)
  }
  if (open && isPlain(value)) {
    parameters.push(value)
    return node.children.get(PARAMETER)
  }
  return undefined
}
