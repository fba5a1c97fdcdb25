import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { isCollection } from "../values/Copies.ts"
import { OperandError } from "../values/OperandErrors.ts"
import type { Members } from "./MemberCalls.ts"

/**
 * The members of a collection, one after the other, as Java's iterators visit them: a member that is replaced is visited with its new
 * value. Fails with OperandError at the next member if members were added to the collection or removed from it. Only its size is
 * compared: a change that adds as many members as it removes is not noticed.
 *
 * @param of the collection; members of any other value, such as the results of a traversal, cannot change
 * @param members its members at the beginning
 */
export function* visited(of: unknown, members: readonly unknown[]): Generator<unknown, void, undefined> {
  if (of instanceof MapValues) {
    const visit = new Visit({ list: of, of })
    while (visit.next()) yield visit.member
  } else if (Array.isArray(of)) {
    const size = of.length
    for (let at = 0; at !== of.length; at++) {
      assertUnchanged(of, size)
      yield of[at]
    }
  } else if (of instanceof GremlinMap || of instanceof GremlinSet) {
    const { size } = of
    for (const member of members) {
      assertUnchanged(of, size)
      yield member
    }
  } else yield* members
}

/** A visit of members, one after the other. */
export interface MemberVisit {
  /** The member to which {@link next} went last. */
  readonly member: unknown
  /** Goes to the next member. False after the last one. */
  next(): boolean
}

/** Visits the members as {@link visited} does. For the methods that are called most: it makes no object for each member. */
export class Visit implements MemberVisit {
  member: unknown
  readonly #of: unknown
  readonly #list: readonly unknown[]
  readonly #size: number
  readonly #isChangeable: boolean
  /** The values of a map are read one by one: a list of all would be made again after each change of one of them. */
  readonly #values: Iterator<unknown> | undefined
  #at = 0

  constructor({ list, of }: Members) {
    this.#of = of
    this.#isChangeable = Array.isArray(of) || of instanceof GremlinMap || of instanceof GremlinSet
    this.#list = Array.isArray(of) ? of : list
    this.#size = this.#list.length
    if (of instanceof MapValues) this.#values = of.of.values()
  }

  next(): boolean {
    // As in Java, a change of a map while the last member is visited is not noticed, but one of a list is.
    if (this.#at === (this.#values === undefined ? this.#list.length : this.#size)) return false
    if (this.#isChangeable) assertUnchanged(this.#of, this.#size)
    this.member = this.#values === undefined ? this.#list[this.#at] : this.#values.next().value
    this.#at++
    return true
  }
}

const changed = (): OperandError =>
  new OperandError(
    "the collection has changed while its members were visited: visit a copy, such as list.toList(), or change it afterwards",
    "ConcurrentModificationException"
  )

/** Fails with OperandError if a collection has another number of members by now. Other values pass. */
export const assertUnchanged = (of: unknown, size: number): void => {
  const now = Array.isArray(of) ? of.length : of instanceof GremlinMap || of instanceof GremlinSet ? of.size : size
  if (now !== size) throw changed()
}

/**
 * Fails with OperandError if a closure has taken a collection out of the list to which it returns: it may contain the list by now, and
 * no value contains itself.
 *
 * @param members the members that return to the list
 * @param before the members of the list before the closure was called
 */
export const assertStillIn = (
  list: readonly unknown[],
  members: readonly unknown[],
  before: readonly unknown[]
): void => {
  // Most closures change nothing, and then no set of the members is needed.
  if (list.length === before.length && list.every((member, at) => member === before[at])) return
  const now = new Set(list)
  if (!members.every((member) => !isCollection(member) || now.has(member))) throw changed()
}
