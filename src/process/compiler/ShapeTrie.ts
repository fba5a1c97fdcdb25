import { EnumValue } from "../../structure/Enums.ts"
import { Bytecode, type Instruction } from "../language/Bytecode.ts"
import { P, TextP } from "../language/Predicate.ts"
import type { Language } from "../plan/Language.ts"
import type { Compiled } from "../plan/Prepared.ts"
import { cacheRoom } from "./CacheRoom.ts"
import { parametersOf } from "./Parameters.ts"
import { MEMBERS_AT_ONCE, PlainCheck } from "./PlainCheck.ts"
import { END, NESTED, PARAMETER, PREDICATE, type Template } from "./Shape.ts"

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

  readonly #language: Language

  constructor(capacity: number, language: Language) {
    this.#capacity = capacity
    this.#language = language
  }

  /**
   * The plan of a traversal that has no variables, its values put into `parameters`; found by walking the trie along the
   * traversal, without building a template. Undefined when it is unknown, holds more than values, enum constants,
   * predicates over values, and traversals of such, or has very many members: then {@link templateOf} decides.
   */
  find(bytecode: Bytecode, parameters: Array<unknown>): Compiled | undefined {
    return new ShapeWalk(parameters, this.#language).traversal(this.#root, bytecode)?.compiled
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

/** Follows the tokens that a template of the same traversal has, as long as the traversal holds nothing unusual. */
class ShapeWalk {
  readonly #language: Language
  readonly #parameters: Array<unknown>
  #check: PlainCheck | undefined

  /** Adds the values of the traversal to `parameters`. */
  constructor(parameters: Array<unknown>, language: Language) {
    this.#parameters = parameters
    this.#language = language
  }

  traversal(from: TrieNode, bytecode: Bytecode): TrieNode | undefined {
    let node: TrieNode | undefined = from
    for (const instruction of bytecode.sourceInstructions) {
      node = this.#instruction(node, instruction)
      if (node === undefined) return undefined
    }
    node = node.children.get(NESTED)
    if (node === undefined) return undefined
    for (const instruction of bytecode.stepInstructions) {
      // The operator that a with() belongs to decides about its arguments: left to the template.
      if (instruction.operator === "with") return undefined
      node = this.#instruction(node, instruction)
      if (node === undefined) return undefined
    }
    return node.children.get(END)
  }

  #instruction(from: TrieNode, { operator, args }: Instruction): TrieNode | undefined {
    let node = from.children.get(operator)?.children.get(args.length)
    if (args.length === 0) return node
    const isParameter = parametersOf(this.#language, operator, operator)
    for (let i = 0; i < args.length && node !== undefined; i++) {
      node = this.#argument(node, args[i], isParameter(args, i))
    }
    return node
  }

  #argument(node: TrieNode, value: unknown, open: boolean): TrieNode | undefined {
    if (typeof value !== "object" || value === null) {
      if (open) return this.#parameter(node, value)
      return node.children.get(typeof value === "number" && Object.is(value, -0) ? "-0" : value)
    }
    if (value instanceof EnumValue) return node.children.get(value)
    if (value instanceof Bytecode) return this.traversal(node, value)
    if (value instanceof P) {
      const predicate = node.children
        .get(PREDICATE)
        ?.children.get(value.operator)
        ?.children.get(value instanceof TextP)
      return predicate === undefined ? undefined : this.#argument(predicate, value.value, open)
    }
    if (!open) return undefined
    this.#check ??= new PlainCheck(MEMBERS_AT_ONCE)
    return this.#check.isPlain(value) ? this.#parameter(node, value) : undefined
  }

  #parameter(node: TrieNode, value: unknown): TrieNode | undefined {
    this.#parameters.push(value)
    return node.children.get(PARAMETER)
  }
}
