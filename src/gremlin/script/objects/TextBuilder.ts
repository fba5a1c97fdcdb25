import { Sized } from "../../../structure/memory/HeldBytes.ts"
import { beginningOf } from "../../../structure/texts/Text.ts"
import type { Budget } from "../budget/Budget.ts"

/** Estimated size of a character in bytes. */
const CHARACTER_BYTES = 2

/** Java's StringBuilder or StringBuffer: a text that changes in place. */
export class TextBuilder extends Sized {
  text: string
  /** The name of its class. */
  readonly type: "StringBuilder" | "StringBuffer"

  constructor(text: string, type: "StringBuilder" | "StringBuffer" = "StringBuilder") {
    super()
    this.text = text
    this.type = type
  }

  /** The name of its class, as scripts see it. */
  get [Symbol.toStringTag](): string {
    return this.type
  }

  override toString(): string {
    return this.text
  }

  override get heldBytes(): number {
    return this.text.length * CHARACTER_BYTES
  }

  /** Adds the text of a value, in Java's form: a map as `{a=1}`. */
  append(value: unknown, budget: Budget): this {
    this.text = budget.string(this.text + budget.text(value ?? null, beginningOf))
    return this
  }
}
