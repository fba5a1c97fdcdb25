import { TaggedError } from "./TaggedError.ts"

/** A calculation has no result: overflow of a Long, division of an integer by zero, a number that is too large. */
export class ArithmeticFailure extends TaggedError {
  readonly _tag = "ArithmeticFailure"
}

/** A value has too many parts for one operation, which would delay other requests. The message has the limit. */
export class ValueTooLarge extends TaggedError {
  readonly _tag = "ValueTooLarge"
}

/** A text is no valid date, duration or number. The message quotes the text. */
export class MalformedText extends TaggedError {
  readonly _tag = "MalformedText"
}

/** A value has a type that an operation does not support, such as a string in sum(). */
export class TypeMismatch extends TaggedError {
  readonly _tag = "TypeMismatch"
}
