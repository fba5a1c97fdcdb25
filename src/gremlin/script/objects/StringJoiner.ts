import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { Budget } from "../budget/Budget.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import type { Caller } from "../methods/MemberCalls.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { TextBuilder } from "./TextBuilder.ts"

/** Estimated size of a character in bytes. */
const CHARACTER_BYTES = 2

/** The text of an argument. Fails with OperandError for a value that is no text. */
const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof TextBuilder) return value.text
  throw new OperandError(`a text was expected, not ${typeName(value)}`, "MissingMethodException")
}

/** A java.util.StringJoiner: texts with a separator between them, and a text before and after all of them. */
export class StringJoiner extends CalledValue {
  readonly #separator: string
  readonly #prefix: string
  readonly #suffix: string
  /** The texts that were added, with separators; undefined before the first one. */
  #joined: string | undefined
  /** The result without texts, if it is not the prefix and the suffix. */
  #empty: string | undefined

  /** Fails with OperandError for arguments that are not one text or three. */
  constructor(args: readonly unknown[]) {
    super()
    if (args.length !== 1 && args.length !== 3) {
      throw new OperandError("new StringJoiner() takes a separator, or a separator, a prefix and a suffix")
    }
    const [separator = "", prefix = "", suffix = ""] = args.map(textOf)
    this.#separator = separator
    this.#prefix = prefix
    this.#suffix = suffix
  }

  get [Symbol.toStringTag](): string {
    return "StringJoiner"
  }

  override toString(): string {
    if (this.#joined === undefined && this.#empty !== undefined) return this.#empty
    return `${this.#prefix}${this.#joined ?? ""}${this.#suffix}`
  }

  override get heldBytes(): number {
    return this.toString().length * CHARACTER_BYTES
  }

  override call(name: string, args: readonly unknown[]): unknown {
    const [first] = args
    if (name === "length" && args.length === 0) return this.toString().length
    if (name === "setEmptyValue" && args.length === 1) {
      this.#empty = textOf(first)
      return this
    }
    throw new Unavailable(
      `a StringJoiner of scripts has no method ${name}() with ${args.length} arguments; it has add, length, merge, setEmptyValue, toString`
    )
  }

  // biome-ignore lint/correctness/useYield: other values have methods that call closures.
  override *run(name: string, args: readonly unknown[], { budget }: Caller): ScriptRun {
    const [first] = args
    if (name === "add" && args.length === 1) return this.#add(first === null ? "null" : textOf(first), budget)
    if (name === "merge" && first instanceof StringJoiner && args.length === 1) {
      const joined = first.#joined
      return joined === undefined ? this : this.#add(joined, budget)
    }
    return this.call(name, args)
  }

  #add(text: string, budget: Budget): this {
    this.#joined = budget.string(this.#joined === undefined ? text : `${this.#joined}${this.#separator}${text}`)
    return this
  }
}
