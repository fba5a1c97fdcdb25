import { Sized } from "../../../structure/memory/HeldBytes.ts"
import { beginningOf } from "../../../structure/texts/Text.ts"

/** The result of tryNext(): a value, or no value. */
export class Optional extends Sized {
  /** Undefined if there is no value. */
  readonly value: unknown
  constructor(value: unknown) {
    super()
    this.value = value
  }
  get heldBytes(): number {
    return OPTIONAL_BYTES + (typeof this.value === "string" ? this.value.length : 0)
  }
  get [Symbol.toStringTag](): string {
    return "Optional"
  }
  override toString(): string {
    return this.value === undefined ? "Optional.empty" : `Optional[${beginningOf(this.value, MAX_TEXT_CHARS)}]`
  }
}

/** Approximate size of an {@link Optional} without its value. */
const OPTIONAL_BYTES = 64

/** Maximum length of the text of a value in an {@link Optional}: that of a string of a script. */
const MAX_TEXT_CHARS = 1_048_576
