import { EnumValue } from "../../structure/scalars/Enums.ts"
import { Bytecode, type Instruction } from "../language/Bytecode.ts"
import { P, TextP } from "../language/Predicate.ts"
import type { Language } from "../plan/Language.ts"
import type { Compiled } from "../plan/Prepared.ts"
import { cacheRoom } from "./CacheRoom.ts"
import { parametersOf } from "./Parameters.ts"
import { MAX_UNYIELDED_MEMBERS, PlainCheck } from "./PlainCheck.ts"
import { END, NEGATIVE_ZERO, NESTED, PARAMETER, PREDICATE, SOURCE, type Template } from "./Shape.ts"

interface TrieNode {
  children: Map<unknown, TrieNode>
  compiled: Compiled | undefined
}

/** Average tokens of a plan for which the cache has room. Longer plans use the room of several. */
const TOKENS_PER_PLAN = 128
/** Limit of the tokens of all plans. Each takes about 330 bytes, with its part of the plan. */
const MAX_CACHED_TOKENS = cacheRoom(262_144)

/** A cache of plans by shape. Clients fill it, so it is bounded; it is cleared when full. */
export class ShapeTrie {
  readonly #capacity: number
  #root: TrieNode = { children: new Map(), compiled: undefined }
  #size = 0
  #tokens = 0

  readonly #language: Language

  /** @param capacity Limit of the number of plans. */
  constructor(capacity: number, language: Language) {
    this.#capacity = capacity
    this.#language = language
  }

  /**
   * Finds the plan of a traversal without variables, and appends its values to `parameters`. Follows the traversal through the
   * trie without building a template. Undefined if there is no plan, or if the traversal contains unusual arguments or many
   * members. The caller then uses templateOf().
   */
  find(bytecode: Bytecode, parameters: Array<unknown>): Compiled | undefined {
    return new ShapeWalk(parameters, this.#language).traversal(this.#root, bytecode)?.compiled
  }

  /** The plan of a template; undefined if there is none. */
  get(template: Template): Compiled | undefined {
    if (template.tokens === undefined) return undefined
    let node: TrieNode | undefined = this.#root
    for (const token of template.tokens) {
      node = node.children.get(token)
      if (node === undefined) return undefined
    }
    return node.compiled
  }

  /** Adds the plan of a template, if its shape can be cached. */
  set(template: Template, compiled: Compiled): void {
    if (template.tokens === undefined) return
    const { length } = template.tokens
    if (
      this.#size >= this.#capacity ||
      this.#tokens + length > Math.min(MAX_CACHED_TOKENS, this.#capacity * TOKENS_PER_PLAN)
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

/** Follows the tokens that a template of the same traversal would have. Stops at unusual arguments. */
class ShapeWalk {
  readonly #language: Language
  readonly #parameters: Array<unknown>
  #check: PlainCheck | undefined

  /** @param parameters The values of the traversal are appended to it. */
  constructor(parameters: Array<unknown>, language: Language) {
    this.#parameters = parameters
    this.#language = language
  }

  /** The node after the tokens of a traversal; undefined if there is none. */
  traversal(from: TrieNode, bytecode: Bytecode): TrieNode | undefined {
    let node: TrieNode | undefined = bytecode.sourceInstructions.length > 0 ? from.children.get(SOURCE) : from
    if (node === undefined) return undefined
    for (const instruction of bytecode.sourceInstructions) {
      node = this.#instruction(node, instruction)
      if (node === undefined) return undefined
    }
    node = node.children.get(NESTED)
    if (node === undefined) return undefined
    for (const instruction of bytecode.stepInstructions) {
      // The parameters of a with() depend on the modified step: templateOf() handles it.
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
      return node.children.get(typeof value === "number" && Object.is(value, -0) ? NEGATIVE_ZERO : value)
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
    this.#check ??= new PlainCheck(MAX_UNYIELDED_MEMBERS)
    return this.#check.isPlain(value) ? this.#parameter(node, value) : undefined
  }

  #parameter(node: TrieNode, value: unknown): TrieNode | undefined {
    this.#parameters.push(value)
    return node.children.get(PARAMETER)
  }
}
