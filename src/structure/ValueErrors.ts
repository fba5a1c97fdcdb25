import { TaggedError } from "./StoreErrors.ts"

/** A calculation has no answer in the number system: overflow of a Long, division of an integer by zero, a number too large to hold. */
export class ArithmeticFailure extends TaggedError {
  readonly _tag = "ArithmeticFailure"
}

/** A value has more parts than one operation can go through without holding up others. The message tells how many it may have. */
export class ValueTooLarge extends TaggedError {
  readonly _tag = "ValueTooLarge"
}

/** A text that is not what it should spell: a date, a duration, a number. The message quotes the text. */
export class MalformedText extends TaggedError {
  readonly _tag = "MalformedText"
}

/** A value is of a type that the calculation has no meaning for: a string in sum(). */
export class TypeMismatch extends TaggedError {
  readonly _tag = "TypeMismatch"
}
