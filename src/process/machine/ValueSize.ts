import { getHeapStatistics } from "node:v8"
import type { Task } from "../../scheduling/Task.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { Edge, Vertex } from "../../structure/Element.ts"
import { Path } from "../../structure/Path.ts"
import { Tree } from "../../structure/Tree.ts"
import { LimitExceeded } from "../language/Errors.ts"

/**
 * Parts of the collections inside one value. Collections may share theirs, so that a loop builds in forty rounds and a
 * kilobyte what nobody could go through in a lifetime: whatever writes, compares or hashes a value has to go through it.
 */
const MOST_PARTS = Math.floor(getHeapStatistics().heap_size_limit / 256)

/** Levels of collections inside each other; going through each takes some stack. */
const MOST_LEVELS = 1_000

/** Members of a value whose size is worth remembering: the value may come again or become a part of the next one. */
const MEMORABLE_MEMBERS = 500

/** The size of a value that had so many direct members when it was looked at: a side effect may have grown since. */
interface Size {
  readonly members: number
  readonly parts: number
  readonly levels: number
}

/** Sizes of large values for as long as the values live. */
const rememberedSizes = new WeakMap<object, Size>()

/** Members that are looked at in one slice, a collection being {@link COLLECTION} of them: some 1 ms. */
const SLICE_MEMBERS = 32_768
const COLLECTION = 16
/** Remembering one size takes as long as so many members. */
const REMEMBERED = 128
/** Members that are looked at without a check of the slice. */
const UNCHECKED_MEMBERS = 512
/** Members up to which a list or path is searched for collections before all else. */
const FEW_MEMBERS = 16

/**
 * Fails with LimitExceeded when one of the first `length` values has too many parts or levels. Gives null when it has looked
 * at all of them, and otherwise a task that looks at the rest: values with very many parts take longer than a slice.
 */
export const checkSizes = (values: ArrayLike<unknown>, length: number): Task | null => {
  let check: SizeCheck | undefined
  for (let i = 0; i < length; i++) {
    const value = values[i]
    if (typeof value !== "object" || value === null) continue
    check ??= new SizeCheck()
    const parts = check.partsOf(value)
    if (check.isOver) return check.restTask(values, length, i)
    check.refuse(parts)
  }
  return null
}

/** Looks at values, collection by collection, until its members are used up. */
class SizeCheck {
  /** Members that may still be looked at in this slice; below 0 the present value is not complete. */
  #left = SLICE_MEMBERS
  /** Levels of the value that was looked at last, and of the deepest member so far of the present one. */
  #levels = 0
  #deepest = 0

  get isOver(): boolean {
    return this.#left < 0
  }

  /** Looks at the values from number `from` on, a slice at a time. */
  *restTask(values: ArrayLike<unknown>, length: number, from: number): Task {
    yield
    const slice = { left: SLICE_MEMBERS }
    for (let i = from; i < length; i++) {
      const value = values[i]
      if (typeof value === "object" && value !== null) this.refuse(yield* this.#partsTask(value, slice))
    }
  }

  /** Fails when a value of so many parts, the last one that was looked at, is too large. */
  refuse(parts: number): void {
    if (parts > MOST_PARTS) {
      throw new LimitExceeded(
        `A value has more than ${MOST_PARTS} parts in the collections inside it. Unfold them, or make less of them.`
      )
    }
    if (this.#levels > MOST_LEVELS) {
      throw new LimitExceeded(
        `A value has more than ${MOST_LEVELS} levels of collections inside each other. Unfold them.`
      )
    }
  }

  /** Parts of a value; wrong when the slice is over. */
  partsOf(value: object): number {
    if (this.#isPlain(value)) {
      this.#levels = 1
      return 0
    }
    const size = rememberedSize(value)
    if (size !== undefined) {
      this.#levels = size.levels
      return size.parts
    }
    const outer = this.#deepest
    const begun = this.#left
    this.#deepest = 0
    this.#left -= COLLECTION + sizeOf(value)
    const parts = this.#left < 0 ? 0 : this.#partsInside(value)
    this.#levels = this.#deepest + 1
    this.#deepest = outer
    if (this.#left >= 0 && begun - this.#left > MEMORABLE_MEMBERS) this.#remember(value, parts)
    return parts
  }

  /** A short list or path of plain values and elements, as most are. */
  #isPlain(value: object): boolean {
    const members = value instanceof Path ? value.objects : Array.isArray(value) ? value : null
    if (members === null || members.length > FEW_MEMBERS) return false
    for (const member of members) {
      if (typeof member !== "object" || member === null || member instanceof Vertex || member instanceof Edge) continue
      if (sizeOf(member) >= 0) return false
    }
    this.#left -= COLLECTION + members.length
    return true
  }

  #remember(value: object, parts: number): void {
    // Trees grow below their first level.
    if (value instanceof Tree || (value instanceof GremlinMap && value.values().next().value instanceof Tree)) return
    rememberedSizes.set(value, { members: membersIn(value), parts, levels: this.#levels })
    this.#left -= REMEMBERED
  }

  #partsInside(value: object): number {
    let parts = 0
    if (value instanceof GremlinMap) {
      value.forEach((member, key) => {
        parts += this.#partsOfMember(key) + this.#partsOfMember(member)
      })
      return parts
    }
    if (!(value instanceof BulkSet)) return this.#partsOfAll(membersOf(value))
    for (const [member, count] of value.entries()) parts += this.#partsOfMember(member) * count
    return parts
  }

  #partsOfAll(members: Iterable<unknown>): number {
    let parts = 0
    for (const member of members) {
      parts += this.#partsOfMember(member)
      if (this.#left < 0) break
    }
    return parts
  }

  /** A member that is no collection is no part: long lists of plain values are limited by their bytes. */
  #partsOfMember(member: unknown): number {
    if (typeof member !== "object" || member === null || this.#left < 0) return 0
    if (member instanceof Vertex || member instanceof Edge) return 0
    const size = sizeOf(member)
    if (size < 0) return 0
    const parts = 1 + size + this.partsOf(member)
    if (this.#levels > this.#deepest) this.#deepest = this.#levels
    return parts
  }

  /** As partsOf(), for a value with very many parts. `slice` has the members that may be looked at before the next yield. */
  *#partsTask(value: object, slice: { left: number }): Task<number> {
    const size = rememberedSize(value)
    if (size !== undefined) {
      this.#levels = size.levels
      return size.parts
    }
    let parts = 0
    let deepestInside = 0
    let looked = 0
    const bulks = value instanceof BulkSet
    for (const one of membersOf(value)) {
      const [member, count] = bulks ? (one as [unknown, number]) : [one, 1]
      slice.left--
      looked++
      if (typeof member === "object" && member !== null) {
        const direct = sizeOf(member)
        if (direct >= 0) {
          this.#left = UNCHECKED_MEMBERS
          let inside = this.partsOf(member)
          slice.left -= UNCHECKED_MEMBERS - this.#left
          looked += UNCHECKED_MEMBERS - this.#left
          if (this.#left < 0) inside = yield* this.#partsTask(member, slice)
          parts += (1 + direct + inside) * count
          if (this.#levels > deepestInside) deepestInside = this.#levels
        }
      }
      if (slice.left < 0) {
        yield
        slice.left = SLICE_MEMBERS
      }
    }
    this.#levels = deepestInside + 1
    if (looked > MEMORABLE_MEMBERS) this.#remember(value, parts)
    return parts
  }
}

const rememberedSize = (value: object): Size | undefined => {
  const size = rememberedSizes.get(value)
  return size?.members === membersIn(value) ? size : undefined
}

/** Direct members with their repetitions. */
const membersIn = (value: object): number => (value instanceof BulkSet ? value.size : sizeOf(value))

const NOTHING: readonly unknown[] = []

/** The members of a collection; of a BulkSet with their numbers. */
const membersOf = (value: object): Iterable<unknown> => {
  if (Array.isArray(value) || value instanceof GremlinSet) return value
  if (value instanceof Path) return value.objects
  if (value instanceof BulkSet) return value.entries()
  if (value instanceof GremlinMap) return keysAndValues(value)
  if (value instanceof Tree) return [value.children]
  return value instanceof MapEntry ? [value.key, value.value] : NOTHING
}

function* keysAndValues(map: GremlinMap): Generator<unknown> {
  for (const [key, value] of map.entries()) {
    yield key
    yield value
  }
}

/** Direct members of a collection; -1 for anything else. */
const sizeOf = (value: object): number => {
  if (Array.isArray(value)) return value.length
  if (value instanceof GremlinMap || value instanceof GremlinSet) return value.size
  if (value instanceof BulkSet) return value.uniqueSize
  if (value instanceof Path) return value.objects.length
  if (value instanceof Tree) return value.children.size
  return value instanceof MapEntry ? 2 : -1
}
