import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { BigDecimal, BigInteger, digitsEffort } from "../../structure/Numbers.ts"
import { Path } from "../../structure/Path.ts"
import { beginningOf } from "../../structure/Text.ts"
import { typeName } from "../../structure/TypeNames.ts"

/** An operator or method does not accept an operand, or would cost too much. The interpreter adds the position in the script. */
export class OperandError extends Error {}

/**
 * Limits that keep one operation of a script below about 10 ms, and one value below about 10 MB: characters of a string, items
 * of one operation, nesting depth of collections, and items of all collections that the script builds.
 */
const most = { characters: 1_048_576, items: 100_000, depth: 100, built: 2_000_000 } as const

/** isSliceOver reads the clock if the script has processed this number of items since the last call. */
const LONG_OPERATION_ITEMS = 256

/** Counts the work of a running script, and refuses operations that would delay other requests or fill the memory. */
export class Budget {
  /** The time slice of the script. */
  readonly slice: TimeSlice
  /** Items that operations processed since the last call of isSliceOver. */
  #spent = 0
  /** Items of all collections that the script built. */
  #built = 0

  constructor(slice: TimeSlice) {
    this.slice = slice
  }

  /** Counts an operation. `what` names it in messages. Fails with OperandError if it has too many items. */
  spend(items: number, what = "this"): void {
    if (items > most.items) {
      throw new OperandError(
        `${what} would go through ${items} items in one operation; a script does ${most.items} at most. Let a traversal do it`
      )
    }
    this.#spent += items + 1
  }

  /** True when the script must let other requests run. */
  get isSliceOver(): boolean {
    const isLong = this.#spent >= LONG_OPERATION_ITEMS
    this.#spent = 0
    return isLong ? this.slice.isOverNow() : this.slice.isOver()
  }

  /** Counts a string that the script made, and returns it. Fails with OperandError if it is too long. */
  string(value: string): string {
    this.#characters(value.length)
    return value
  }

  /** Counts an operation that reads a whole string, and returns the string. Fails with OperandError if it is too long. */
  whole(value: string): string {
    if (value.length > most.characters) {
      throw new OperandError(
        `the methods of a script go through a string of ${most.characters} characters at most, and this one has ` +
          `${value.length}. Let it be shorter, or work on parts of it, as substring() gives them`
      )
    }
    this.#spent += value.length >> 5
    return value
  }

  /** Checks the current length of a string that is being built. Fails with OperandError if it is too long. */
  growing(count: number): void {
    if (count > most.characters) this.#characters(count)
  }

  /** Returns the part, repeated `times` times. Fails with OperandError if the result is too long. */
  repeated(part: string, times: number): string {
    this.#characters(part.length * times)
    return part.repeat(part === "" ? 0 : times)
  }

  #characters(count: number): void {
    if (count > most.characters) {
      throw new OperandError(`a string of a script has ${most.characters} characters at most`)
    }
    this.#spent += count >> 5
  }

  /** Returns the text form of a value. Fails with OperandError if the value is too large. */
  text(value: unknown): string {
    if (typeof value === "string") return value
    this.spend(this.#measure(value, 0, 0), "making the text")
    return this.string(beginningOf(value, most.characters))
  }

  /** Counts a comparison of a value, including its nested members. Fails with OperandError if they are too many. */
  compared(value: unknown): void {
    if (!isCollection(value)) {
      this.spend(1)
      return
    }
    const items = this.#measure(value, 0, 0)
    this.spend(items, "comparing")
    // The other value may have as many items, and comparing a nested list takes longer than comparing a number.
    this.#spent += 2 * items
  }

  /** Returns a value to add to a collection. Copies a collection, so that no collection can contain itself. */
  member(value: unknown): unknown {
    if (!isCollection(value)) return value
    const items = this.#measure(value, 0, 0)
    this.spend(items, "copying a collection")
    this.#built += items
    if (this.#built > most.built) throw new OperandError("the script builds collections that are too large together")
    return copied(value)
  }

  /** Counts a list that the script made, and returns it. Fails with OperandError if it is too long. */
  list(values: Array<unknown>): Array<unknown> {
    this.spend(values.length, "making a list")
    this.#built += values.length
    if (this.#built > most.built) throw new OperandError("the script builds collections that are too large together")
    return values
  }

  /** Adds the number of values in a value, nested ones included, to `count`. Stops counting above the limit of items. */
  #measure(value: unknown, count: number, depth: number): number {
    if (depth > most.depth) throw new OperandError(`collections of a script nest ${most.depth} levels deep at most`)
    let total = count + 1
    if (value instanceof BigInteger) total += digits(value.value)
    else if (value instanceof BigDecimal) total += digits(value.unscaled)
    else if (isCollection(value)) {
      for (const item of value) {
        total = this.#measure(item, total, depth + 1)
        if (total > most.items) return total
      }
    }
    return total
  }
}

/** The number of items that an integer counts as. It is proportional to the time of formatting the digits. */
const digits = (value: bigint): number => Math.floor(digitsEffort(value) * ITEMS_PER_EFFORT)

/** Items per unit of effort (`digitsEffort`). */
const ITEMS_PER_EFFORT = 0.4

const isCollection = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) || value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet

const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof GremlinMap) {
    return new GremlinMap(Array.from(value, ([key, item]) => [copied(key), copied(item)] as const))
  }
  return value instanceof GremlinSet ? new GremlinSet(Array.from(value, copied)) : value
}

/** The members of a list, set or path. Fails with OperandError for any other value; `what` begins the message. */
export const membersOf = (value: unknown, what: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (value instanceof GremlinSet) return Array.from(value)
  if (value instanceof BulkSet) return value.toList()
  if (value instanceof Path) return value.objects
  throw new OperandError(`${what} takes a list or a set, not ${typeName(value)}`)
}
