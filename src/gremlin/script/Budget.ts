import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { BigDecimal, BigInteger, digitsEffort } from "../../structure/Numbers.ts"
import { Path } from "../../structure/Path.ts"
import { beginningOf } from "../../structure/Text.ts"
import { typeName } from "../../structure/TypeNames.ts"

/** An operator or a method does not take a value, or would cost too much. The interpreter adds the place. */
export class OperandError extends Error {}

/** Bounds of what a script may do at once: an operation stays below some 10 ms, a value below some 10 MB. */
const most = { characters: 1_048_576, items: 100_000, depth: 100, built: 2_000_000 } as const

/** Items after which the clock is read. */
const LONG_OPERATION_ITEMS = 256

/** Counts what a running script does, and refuses what would hold up others or fill the memory. */
export class Budget {
  /** The time that the script has before others run. */
  readonly slice: TimeSlice
  /** Items that operations went through since the clock was last asked. */
  #spent = 0
  #built = 0

  constructor(slice: TimeSlice) {
    this.slice = slice
  }

  /** An operation over so many items. Fails with OperandError when they are too many for one operation. */
  spend(items: number, what = "this"): void {
    if (items > most.items) {
      throw new OperandError(
        `${what} would go through ${items} items in one operation; a script does ${most.items} at most. Let a traversal do it`
      )
    }
    this.#spent += items + 1
  }

  /** True when the script must let others run. */
  get isSliceOver(): boolean {
    const isLong = this.#spent >= LONG_OPERATION_ITEMS
    this.#spent = 0
    return isLong ? this.slice.isOverNow() : this.slice.isOver()
  }

  /** A string that the script made. */
  string(value: string): string {
    this.#characters(value.length)
    return value
  }

  /** A string that an operation goes through. Fails with OperandError where it is too long. */
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

  /** The characters that a string to be made has so far. Fails with OperandError where they are too many. */
  growing(count: number): void {
    if (count > most.characters) this.#characters(count)
  }

  /** A string that the script makes of a part, which stands in it so many times. */
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

  /** The text of any value. */
  text(value: unknown): string {
    if (typeof value === "string") return value
    this.spend(this.#measure(value, 0, 0), "making the text")
    return this.string(beginningOf(value, most.characters))
  }

  /** A value that is compared with another: what it holds at any depth counts. */
  compared(value: unknown): void {
    if (!isCollection(value)) {
      this.spend(1)
      return
    }
    const items = this.#measure(value, 0, 0)
    this.spend(items, "comparing")
    // Those of the other are gone through, too, and lists inside of lists take longer than the numbers in them.
    this.#spent += 2 * items
  }

  /** A value on its way into a collection: collections are copied, so that none can come to hold itself. */
  member(value: unknown): unknown {
    if (!isCollection(value)) return value
    const items = this.#measure(value, 0, 0)
    this.spend(items, "copying a collection")
    this.#built += items
    if (this.#built > most.built) throw new OperandError("the script builds collections that are too large together")
    return copied(value)
  }

  /** A list the script made, of values that are its own. */
  list(values: Array<unknown>): Array<unknown> {
    this.spend(values.length, "making a list")
    this.#built += values.length
    if (this.#built > most.built) throw new OperandError("the script builds collections that are too large together")
    return values
  }

  /** Number of values in a tree of collections; stops at the bounds. */
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

/** An integer as a text counts by the time that its digits take. */
const digits = (value: bigint): number => Math.floor(digitsEffort(value) * ITEMS_PER_UNIT)

/** What an item costs in units of effort. */
const ITEMS_PER_UNIT = 0.4

const isCollection = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) || value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet

const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof GremlinMap) {
    return new GremlinMap(Array.from(value, ([key, item]) => [copied(key), copied(item)] as const))
  }
  return value instanceof GremlinSet ? new GremlinSet(Array.from(value, copied)) : value
}

/** The members of a list, set or path. Fails with OperandError for anything else. */
export const membersOf = (value: unknown, what: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (value instanceof GremlinSet) return Array.from(value)
  if (value instanceof BulkSet) return value.toList()
  if (value instanceof Path) return value.objects
  throw new OperandError(`${what} takes a list or a set, not ${typeName(value)}`)
}
