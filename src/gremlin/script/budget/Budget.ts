import { isPredicate } from "../../../process/language/Predicate.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { groovyBeginningOf } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Scope } from "../../Scope.ts"
import { HostObject, ScriptSource } from "../../ScriptObjects.ts"
import { copied, isCollection, isTraversal } from "../values/Copies.ts"
import { underlying } from "../values/DefaultMap.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { type PatternCompiler, ScriptPattern } from "../values/Patterns.ts"
import type { ScriptMemory } from "./ScriptMemory.ts"
import { addItems, CHARS_PER_ITEM_SHIFT, MAX_OPERATION_ITEMS, visitedItems } from "./ValueItems.ts"

// These limits keep one operation of a script below about 10 ms, and one value below about 10 MB.
const MAX_STRING_CHARS = 1_048_576
/** Limit for all copies of collections in one operation. */
const MAX_COPIED_ITEMS = 200_000
/** Limit for all collections that one script builds. */
const MAX_BUILT_ITEMS = 2_000_000

/** isSliceOver reads the clock only if the script has processed this number of items since the last call. */
const LONG_OPERATION_ITEMS = 256

/** Calls of isSliceOver of which only one asks the slice, unless the operations between them processed {@link QUICK_ITEMS}. */
const QUICK_CALLS = 8
const QUICK_ITEMS = 64

type Shown = NonNullable<Scope["shown"]>

/** Counts the work of a running script, and refuses operations that would delay other requests or fill the memory. */
export class Budget {
  /** The time slice of the script. */
  readonly slice: TimeSlice
  /** Items that operations processed since the last call of isSliceOver. */
  #spent = 0
  /** Items of the values that the script has made since the last call of isSliceOver. */
  #made = 0
  /** Calls of isSliceOver until the slice is asked again. */
  #quickCalls = 0
  /** Items of collections that were copied since the last call of isSliceOver, which is called between two operations. */
  #copied = 0
  /** Items of all collections that the script built. */
  #built = 0
  #shares: boolean
  readonly #patterns: PatternCompiler | undefined
  readonly #memory: ScriptMemory | undefined
  readonly #shown: Shown | undefined

  /**
   * @param shares true when variables of earlier scripts may share collections
   * @param patterns compiles regular expressions
   * @param memory counts what the scripts of the request make
   * @param shown gives the texts of graphs and sources
   */
  constructor(slice: TimeSlice, shares = false, patterns?: PatternCompiler, memory?: ScriptMemory, shown?: Shown) {
    this.slice = slice
    this.#shown = shown
    this.#memory = memory
    this.#patterns = patterns
    this.#shares = shares
  }

  /** The pattern of a value: a pattern, or the source of one. Fails with OperandError for another value. */
  pattern(value: unknown): ScriptPattern {
    if (value instanceof ScriptPattern) return value
    if (typeof value !== "string") {
      throw new OperandError(`a regular expression is a string or a pattern such as ~/a+/, not ${typeName(value)}`)
    }
    if (this.#patterns === undefined) throw new OperandError("regular expressions are not available here")
    return new ScriptPattern(value, this.#patterns(value))
  }

  /** Counts an operation. `what` names it in messages. Fails with OperandError if it has too many items. */
  spend(items: number, what = "this"): void {
    if (items > MAX_OPERATION_ITEMS) throw tooManyItems(items, what)
    this.#spent += items + 1
  }

  /** Fails with OperandError if a list or map that an operation is making has too many members by now. */
  grown(items: number, what: string): void {
    if (items > MAX_OPERATION_ITEMS) throw tooManyItems(items, what)
  }

  /** Items that the running operation, and perhaps operations before it, have processed. For {@link limit}. */
  get spent(): number {
    return this.#spent
  }

  /** Fails with OperandError if the operation has processed too many items in all since {@link spent} was `from`. */
  limit(from: number, what: string): void {
    const items = this.#spent - from
    if (items > MAX_OPERATION_ITEMS) throw tooManyItems(items, what)
  }

  /** Counts values that the script has made and may keep: members of collections, and objects. */
  created(items: number): void {
    this.#made += items
  }

  /** True when the script must let other requests run. */
  get isSliceOver(): boolean {
    if (--this.#quickCalls > 0 && this.#spent < QUICK_ITEMS) return false
    const isLong = this.#spent >= LONG_OPERATION_ITEMS
    this.#memory?.worked(this.#spent, this.#made)
    this.#spent = 0
    this.#made = 0
    this.#copied = 0
    const isOver = isLong ? this.slice.isOverNow() : this.slice.isOver()
    // A slice that is over stays over until the next one begins.
    this.#quickCalls = isOver ? 0 : QUICK_CALLS
    return isOver
  }

  /** {@link isSliceOver} after an operation that may have taken long, such as a traversal: reads the clock, whatever it counted. */
  get isSliceOverNow(): boolean {
    if (!this.slice.isOverNow()) return false
    this.#quickCalls = 0
    return true
  }

  /** Counts a string that the script created, and returns it. Fails with OperandError if it is too long. */
  string(value: string): string {
    this.#characters(value.length)
    return value
  }

  /** Counts an operation that reads a whole string, and returns the string. Fails with OperandError if it is too long. */
  whole(value: string): string {
    if (value.length > MAX_STRING_CHARS) {
      throw new OperandError(
        `a method of a script reads at most ${MAX_STRING_CHARS} characters, and this string has ${value.length}. ` +
          "Use substring() to process it in parts"
      )
    }
    this.#spent += value.length >> 5
    return value
  }

  /** Checks the current length of a string that is being built. Fails with OperandError if it is too long. */
  growing(count: number): void {
    if (count > MAX_STRING_CHARS) this.#characters(count)
  }

  /** Returns the part, repeated `times` times. Fails with OperandError if the result is too long. */
  repeated(part: string, times: number): string {
    this.#characters(part.length * times)
    return part.repeat(part === "" ? 0 : times)
  }

  #characters(count: number): void {
    if (count > MAX_STRING_CHARS) {
      throw new OperandError(`a string of a script has at most ${MAX_STRING_CHARS} characters`)
    }
    this.#spent += count >> 5
    this.#made += 1 + (count >> 5)
  }

  /** Returns the text form of a value, by default Groovy's: a map is `[a:1]`. Fails with OperandError if the value is too large. */
  text(value: unknown, beginning: (value: unknown, most: number) => string = groovyBeginningOf): string {
    if (typeof value === "string") return value
    if (this.#shown !== undefined && (value instanceof ScriptSource || value instanceof HostObject)) {
      return this.string(this.#shown(value))
    }
    this.spend(addItems(value, 0, 0), "creating the text")
    return this.string(beginning(value, MAX_STRING_CHARS))
  }

  /** Counts a comparison of a value, including its nested members. Fails with OperandError if they are too many. */
  compared(value: unknown): void {
    if (!isNested(value)) {
      this.spend(1)
      this.visited(value)
      return
    }
    const items = addItems(value, 0, 0, true)
    this.spend(items, "comparing")
    // The other value may have as many items, and comparing a nested list takes longer than comparing a number.
    this.#spent += 2 * items
  }

  /** Counts a comparison of the order of two values. Fails with OperandError if they have too many members. */
  ordered(left: unknown, right: unknown): void {
    if (typeof left === "number" || typeof right === "number") return
    this.compared(left)
    this.compared(right)
  }

  /** Counts a search for a value among members. Fails with OperandError if it would compare too many items. */
  searched(members: readonly unknown[], value: unknown): void {
    if (isUnhashed(value)) throw notHashed(value)
    const compares =
      isCollection(value) ||
      isPredicate(value) ||
      (typeof value === "string" && value.length > 1 << CHARS_PER_ITEM_SHIFT)
    this.spend(compares ? addItems(members, 0, 0, true) : members.length, "looking for a member")
  }

  /** Counts a key of a set or map that is hashed, and returns it. Fails with OperandError if it has too many items. */
  key(value: unknown): unknown {
    if (typeof value === "number") return value
    if (isCollection(value)) this.spend(addItems(value, 0, 0, true), "looking for a key")
    else this.visited(value)
    if (isUnhashed(value)) throw notHashed(value)
    return value
  }

  /** Counts the members of a new set, and returns them. Fails with OperandError if they have too many items to hash. */
  keys(values: Array<unknown>): Array<unknown> {
    if (values.some(isUnhashed)) throw notHashed(values.find(isUnhashed))
    this.spend(addItems(values, -1, 0, true), "creating a set")
    return this.list(values)
  }

  /** Counts a sort. Fails with OperandError if it would compare too many items. */
  sorted(members: readonly unknown[]): void {
    this.spend(Math.ceil(addItems(members, -1, 0, true) * Math.log2(members.length + 1)), "sort()")
  }

  /** Counts an operation that may visit all members of a collection or all characters of a string. */
  visited(value: unknown): void {
    this.#spent += visitedItems(value)
  }

  /** True when a collection may occur several times in another one, so that a value may have more members than the script created. */
  get shares(): boolean {
    return this.#shares
  }

  /**
   * Checks a value that is added to `into`, or to a new collection, and returns it. A collection is not copied: as in Groovy, a later
   * change is seen through the other collection. Fails with OperandError if the value contains `into`, or has too many members.
   */
  member(value: unknown, into?: unknown): unknown {
    this.#made++
    if (!isNested(value)) return value
    this.#shares = true
    this.spend(addItems(value, 0, 0, false, into === undefined ? undefined : underlying(into)), "adding a collection")
    return value
  }

  /** Checks all values that one operation adds to a collection `times` times, as {@link member} does, and returns them. */
  members(values: readonly unknown[], into?: unknown, times = 1): readonly unknown[] {
    this.#made += values.length * times
    if (!values.some(isNested)) return values
    this.#shares = true
    let items = 0
    for (const value of values) {
      items = addItems(value, items, 0, false, underlying(into))
      if (items > MAX_OPERATION_ITEMS) break
    }
    this.spend(items * times, "adding collections")
    return values
  }

  /** Returns a copy of a key of a map or a member of a set, because a later change would make it impossible to find. */
  keyMember(value: unknown): unknown {
    this.#made++
    if (value instanceof Optional) throw notHashed(value)
    if (!isCollection(value)) return value
    const items = addItems(value, 0, 0)
    this.#copied += items
    this.#made += items
    this.spend(items, "copying a collection")
    if (this.#copied > MAX_COPIED_ITEMS) this.spend(this.#copied, "copying collections")
    this.#built += items
    if (this.#built > MAX_BUILT_ITEMS) throw tooMuchBuilt()
    return copied(value)
  }

  /** Counts a list that the script created, and returns it. Fails with OperandError if it is too long. */
  list(values: Array<unknown>): Array<unknown> {
    this.spend(values.length, "creating a list")
    this.#made += values.length
    this.#built += values.length
    if (this.#built > MAX_BUILT_ITEMS) throw tooMuchBuilt()
    return values
  }
}

const tooManyItems = (items: number, what: string): OperandError =>
  new OperandError(
    `${what} would process ${items} items in one operation; the limit for scripts is ${MAX_OPERATION_ITEMS}. Use a traversal instead`
  )

/** True for a value that may have other values in it. */
const isNested = (value: unknown): boolean => isCollection(value) || value instanceof Optional

/** True for a value that is equal to others by parts that may change later. */
const isUnhashed = (value: unknown): boolean => isTraversal(value) || value instanceof Optional

/** The error for a traversal or an Optional as a key. */
const notHashed = (value: unknown): Unavailable => {
  const [what, instead] =
    value instanceof Optional ? ["an Optional", "use its value"] : ["a traversal", "compare two traversals with =="]
  return new Unavailable(`${what} is no key, and no member of a set or of a search: ${instead}`)
}

const tooMuchBuilt = (): OperandError =>
  new OperandError(`the collections of the script have more than ${MAX_BUILT_ITEMS} items in total`)
