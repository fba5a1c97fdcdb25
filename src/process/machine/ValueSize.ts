import { getHeapStatistics } from "node:v8"
import type { Task } from "../../scheduling/Task.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/collections/Collections.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { Edge, Vertex } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import { LimitExceeded } from "../language/Errors.ts"

/**
 * Limit of the parts of the collections inside one value. Collections may share members, so that forty rounds of a loop can
 * build a value of a kilobyte that takes too long to serialize, compare or hash.
 */
const MAX_PARTS = Math.floor(getHeapStatistics().heap_size_limit / 256)

/** Limit of the levels of nested collections: visiting each level takes stack space. */
const MAX_LEVELS = 1_000

/** Sizes of values with more visited members are cached: the value may come again or become a part of the next one. */
const MIN_CACHED_MEMBERS = 500

/** The cached size of a value. It is valid while the value has the same number of direct members: side effects grow. */
interface Size {
  readonly members: number
  readonly parts: number
  readonly levels: number
}

/** Sizes of large values. */
const cachedSizes = new WeakMap<object, Size>()

/** Members that are visited between two yields, which takes about 1 ms. */
const SLICE_MEMBERS = 32_768
/** Cost of a collection, in members. */
const COLLECTION_COST_MEMBERS = 16
/** Cost of caching a size, in members. */
const CACHING_COST_MEMBERS = 128
/** Members that are visited between two checks of the slice. */
const MEMBERS_PER_CHECK = 512
/** A list or path up to this size is first searched for collections. */
const SHORT_LIST_MEMBERS = 16

/**
 * Throws LimitExceeded if one of the first `length` values has too many parts or levels. Returns null if all are checked, else a
 * task that checks the rest, because values with many parts take longer than a slice.
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

/** Checks values until its budget of members is used up. */
class SizeCheck {
  /** Members that may still be visited in this slice; below 0 the current value is incomplete. */
  #left = SLICE_MEMBERS
  /** Levels of the last visited value. */
  #levels = 0
  /** Levels around the current value. */
  #depth = 0
  /** Levels of the deepest member so far of the current value. */
  #deepest = 0

  /** Whether the budget is used up. */
  get isOver(): boolean {
    return this.#left < 0
  }

  /** Checks the values from index `from` on, with yields. */
  *restTask(values: ArrayLike<unknown>, length: number, from: number): Task {
    yield
    const slice = { left: SLICE_MEMBERS }
    for (let i = from; i < length; i++) {
      const value = values[i]
      if (typeof value === "object" && value !== null) this.refuse(yield* this.#partsTask(value, slice))
    }
  }

  /** Throws LimitExceeded if the last visited value, with this number of parts, is too large. */
  refuse(parts: number): void {
    if (parts > MAX_PARTS) {
      throw new LimitExceeded(
        `A value has more than ${MAX_PARTS} parts in the collections inside it. Unfold them, or collect fewer of them.`
      )
    }
    if (this.#levels > MAX_LEVELS) throw tooDeep()
  }

  /** Enters a value. Throws LimitExceeded at once if it is too deep, because each level takes stack space. */
  #enter(): void {
    if (++this.#depth > MAX_LEVELS) throw tooDeep()
  }

  /** The parts of a value; wrong if {@link isOver} afterwards. */
  partsOf(value: object): number {
    if (this.#isPlain(value)) {
      this.#levels = 1
      return 0
    }
    const size = cachedSize(value)
    if (size !== undefined) {
      this.#levels = size.levels
      return size.parts
    }
    this.#enter()
    const outer = this.#deepest
    const begun = this.#left
    this.#deepest = 0
    this.#left -= COLLECTION_COST_MEMBERS + sizeOf(value)
    const parts = this.#left < 0 ? 0 : this.#partsInside(value)
    this.#levels = this.#deepest + 1
    this.#deepest = outer
    this.#depth--
    if (this.#left >= 0 && begun - this.#left > MIN_CACHED_MEMBERS) this.#cache(value, parts)
    return parts
  }

  /** Whether a value is a short list or path of plain values and elements, as most are. */
  #isPlain(value: object): boolean {
    const members = value instanceof Path ? value.objects : Array.isArray(value) ? value : null
    if (members === null || members.length > SHORT_LIST_MEMBERS) return false
    for (const member of members) {
      if (typeof member !== "object" || member === null || member instanceof Vertex || member instanceof Edge) continue
      if (sizeOf(member) >= 0) return false
    }
    this.#left -= COLLECTION_COST_MEMBERS + members.length
    return true
  }

  #cache(value: object, parts: number): void {
    // Trees may grow below their first level.
    if (value instanceof Tree || (value instanceof GremlinMap && value.values().next().value instanceof Tree)) return
    cachedSizes.set(value, { members: membersIn(value), parts, levels: this.#levels })
    this.#left -= CACHING_COST_MEMBERS
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

  /** A member that is not a collection has no parts: the limit of bytes applies to long lists of plain values. */
  #partsOfMember(member: unknown): number {
    if (typeof member !== "object" || member === null || this.#left < 0) return 0
    if (member instanceof Vertex || member instanceof Edge) return 0
    const size = sizeOf(member)
    if (size < 0) return 0
    const parts = 1 + size + this.partsOf(member)
    if (this.#levels > this.#deepest) this.#deepest = this.#levels
    return parts
  }

  /** Counts parts, as partsOf() does, with yields. `slice` has the members that may be visited before the next yield. */
  *#partsTask(value: object, slice: { left: number }): Task<number> {
    const size = cachedSize(value)
    if (size !== undefined) {
      this.#levels = size.levels
      return size.parts
    }
    this.#enter()
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
          this.#left = MEMBERS_PER_CHECK
          let inside = this.partsOf(member)
          slice.left -= MEMBERS_PER_CHECK - this.#left
          looked += MEMBERS_PER_CHECK - this.#left
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
    this.#depth--
    if (looked > MIN_CACHED_MEMBERS) this.#cache(value, parts)
    return parts
  }
}

const tooDeep = (): LimitExceeded =>
  new LimitExceeded(`A value has more than ${MAX_LEVELS} levels of nested collections. Unfold them.`)

const cachedSize = (value: object): Size | undefined => {
  const size = cachedSizes.get(value)
  return size?.members === membersIn(value) ? size : undefined
}

/** Number of direct members, with repetitions. */
const membersIn = (value: object): number => (value instanceof BulkSet ? value.size : sizeOf(value))

const NOTHING: readonly unknown[] = []

/** The members of a collection; those of a BulkSet with their counts. */
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

/** Number of distinct direct members of a collection; -1 for any other value. */
const sizeOf = (value: object): number => {
  if (Array.isArray(value)) return value.length
  if (value instanceof GremlinMap || value instanceof GremlinSet) return value.size
  if (value instanceof BulkSet) return value.uniqueSize
  if (value instanceof Path) return value.objects.length
  if (value instanceof Tree) return value.children.size
  return value instanceof MapEntry ? 2 : -1
}
