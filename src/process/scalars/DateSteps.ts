import { LONG_MAX, LONG_MIN } from "../../structure/numbers/Numbers.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { addToDate, type DateUnit, dateOfMillis, millisBetween } from "../../structure/times/Dates.ts"
import { OffsetDateTime, Timestamp } from "../../structure/times/Temporal.ts"
import { TraversalError } from "../language/Errors.ts"

/** dateAdd(unit, amount): adds seconds, minutes, hours or days to a date. The offset stays. */
export const dateAdd = (input: unknown, unit: EnumValue, amount: number): OffsetDateTime => {
  const date = input instanceof Timestamp ? dateOfMillis(input.epochMillis) : input
  if (date instanceof OffsetDateTime) return addToDate(date, unit.name as DateUnit, amount)
  throw new TraversalError(`dateAdd() accept only OffsetDateTime or Date (deprecated), encountered ${typeName(input)}`)
}

/**
 * dateDiff(other): the input minus the other date, in milliseconds (a Long). Null as the other date is 1970-01-01. Fails with
 * TraversalError for dates so far from each other that no Long has the difference.
 */
export const dateDiff = (input: unknown, other: unknown): bigint => {
  const date = dateArgument(input)
  const millis = millisBetween(date, other === null || other === undefined ? new Timestamp(0) : dateArgument(other))
  if (millis >= LONG_MIN && millis <= LONG_MAX) return millis
  throw new TraversalError(`dateDiff() has no result: ${millis} milliseconds between two dates are no Long.`)
}

const dateArgument = (value: unknown): OffsetDateTime | Timestamp => {
  if (value instanceof OffsetDateTime || value instanceof Timestamp) return value
  throw new TraversalError(
    `DateDiff can only take OffsetDateTime or Date (deprecated) as argument, encountered ${typeName(value)}`
  )
}
