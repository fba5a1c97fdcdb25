import { Traverser } from "../process/Bytecode.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../structure/Collections.ts"
import { Vertex } from "../structure/Element.ts"
import { BigDecimal, BigInteger, productEffort } from "../structure/Numbers.ts"
import { Path, Tree } from "../structure/Path.ts"
import { sliceOver } from "../structure/Slices.ts"
import { SubGraph } from "../structure/SubGraph.ts"

/** What a value may weigh to be written at once: members, a vertex being 16 of them, and so are 1,024 characters. */
const SHORT = 2_048
const VERTEX = 16
/** A text that is written by itself, in a turn of its own, characters: some milliseconds. */
const LONG_TEXT = 1_048_576
/** Characters or bytes of one member after which the clock is looked at. */
const LONG_MEMBER = 2_048
/** Units of effort for the product of an integer with itself, for which its digits take as long as a member. */
const PER_MEMBER = 4
/** Text that is put into one piece of memory before more is added, characters. */
const PIECE = 65_536

/** Whether a value has so many parts that it is written in slices. Looks at no more than some 2,000 of them. */
export const isLong = (value: unknown): boolean => {
  if (typeof value === "string") return value.length > LONG_TEXT
  if (typeof value !== "object" || value === null || value instanceof Vertex) return false
  return rest(value, SHORT) < 0
}

/** What is left of `left` after the value; below 0 there may be more. */
const rest = (value: unknown, left: number): number => {
  if (typeof value === "string") return left - 1 - (value.length >> 6)
  if (typeof value !== "object" || value === null) return left - 1
  if (value instanceof Vertex) return left - VERTEX
  if (Array.isArray(value)) return restOfAll(value, value.length, left)
  if (value instanceof GremlinMap) return restOfMap(value, left)
  if (value instanceof GremlinSet) return restOfAll(value, value.size, left)
  if (value instanceof BulkSet) return restOfAll(value, value.size, left)
  if (value instanceof Path) return restOfAll(value.objects, value.objects.length, left)
  if (value instanceof Tree) return rest(value.children, left)
  if (value instanceof Traverser) return rest(value.value, left)
  if (value instanceof MapEntry) return rest(value.value, rest(value.key, left))
  if (value instanceof BigInteger) return left - 1 - productEffort(value.value) / PER_MEMBER
  if (value instanceof BigDecimal) return left - 1 - productEffort(value.unscaled) / PER_MEMBER
  if (value instanceof SubGraph) return left - VERTEX * (value.vertices.length + value.edges.length)
  return left - 4
}

const restOfAll = (members: Iterable<unknown>, size: number, left: number): number => {
  if (size >= left) return -1
  let after = left - 1
  for (const member of members) {
    after = rest(member, after)
    if (after < 0) return after
  }
  return after
}

const restOfMap = (map: GremlinMap, left: number): number => {
  if (map.size >= left) return -1
  let after = left - 1
  map.forEach((value, key) => {
    if (after >= 0) after = rest(value, rest(key, after))
  })
  return after
}

/** A long collection being written. */
class Frame {
  readonly members: Iterator<unknown>
  /** Members to come: what is added to a collection meanwhile is not in the size that was written first. */
  left: number
  member: unknown = undefined
  /** The member is begun and not complete. */
  begun = false
  done = false
  /** The long collections inside the member, in the order in which they are written. */
  inside: Array<Frame> = []
  next = 0
  /** Complete members, where writing gives texts. */
  text = ""
  recent = ""
  /** What was written before the member. */
  before = 0
  constructor(members: Iterator<unknown>, size: number) {
    this.members = members
    this.left = size
  }
}

/** Looking at a character makes one string of the many that were put together, while they are few. */
const flat = (text: string): string => (Number.isNaN(text.charCodeAt(0)) ? "" : text)

const nothing: Iterator<unknown> = [][Symbol.iterator]()

/**
 * One result with very many parts that is written slice by slice. A slice unwinds the writer's stack; the next one descends
 * again through the members that were begun and goes on behind the last one that was complete, as long messages are read.
 */
export class LongWrite {
  readonly #root = new Frame(nothing, 0)
  #open: Array<Frame> = []
  #isOver: () => boolean = () => false
  #ticks = 0
  readonly #found = new Set<object>()
  /** The finished result, where it is text. */
  text = ""
  /** The finished pieces of a result in bytes. */
  readonly pieces: Array<Buffer> = []
  /** Characters or bytes that are written. */
  length = 0
  /** Nothing is left to write. */
  complete = false

  /** Whether a collection is written in slices. What was found long is remembered: every slice comes by it again. */
  isWithin(collection: object): boolean {
    if (this.#found.has(collection)) return true
    if (!isLong(collection)) return false
    this.#found.add(collection)
    return true
  }

  /** Writes on until `isOver` is true; true when `write` came to its end. Fails as `write` does. */
  next(isOver: () => boolean, write: () => void): boolean {
    this.#root.next = 0
    this.#open = [this.#root]
    this.#isOver = isOver
    current = this
    try {
      write()
      this.complete = true
      return true
    } catch (error) {
      if (error !== sliceOver) throw error
      return false
    } finally {
      current = null
    }
  }

  /**
   * The members of the collection that the writer is at. Gives their texts, separated by commas, where `write` gives text.
   *
   * @param resumed is called when members were written in an earlier slice: what this slice wrote so far was written then too
   */
  members<A>(
    size: number,
    members: Iterable<A>,
    write: (member: A) => string | undefined,
    resumed?: () => void
  ): string {
    const outer = this.#open.at(-1)!
    let frame = outer.inside[outer.next++]
    if (frame === undefined) {
      frame = new Frame(members[Symbol.iterator](), size)
      outer.inside.push(frame)
    } else {
      if (frame.done) return frame.text
      resumed?.()
    }
    this.#open.push(frame)
    while (frame.begun || frame.left > 0) {
      if (!frame.begun && !this.#begin(frame)) break
      frame.next = 0
      const text = write(frame.member as A)
      frame.begun = false
      if (text !== undefined) this.#add(frame, text)
      const isLongMember = (text?.length ?? this.length - frame.before) > LONG_MEMBER
      if (((++this.#ticks & 15) === 0 || isLongMember) && this.#isOver()) throw sliceOver
    }
    this.#open.pop()
    frame.done = true
    frame.inside = []
    frame.text += frame.recent
    frame.recent = ""
    return frame.text
  }

  #begin(frame: Frame): boolean {
    const { done, value } = frame.members.next()
    if (done === true) return false
    frame.left--
    frame.member = value
    frame.begun = true
    frame.before = this.length
    frame.inside = []
    return true
  }

  #add(frame: Frame, text: string): void {
    const isFirst = frame.text === "" && frame.recent === ""
    frame.recent += isFirst ? text : `,${text}`
    // What was counted inside the member is in its text.
    this.length = frame.before + text.length + 1
    if (frame.recent.length < PIECE) return
    frame.text += flat(frame.recent)
    frame.recent = ""
  }
}

/** What is being written in slices; writing is synchronous, so that there is one at a time. */
let current: LongWrite | null = null

/** The write in slices that a collection belongs to; null when the collection is written at once. */
export const longWriteOf = (collection: object): LongWrite | null =>
  current?.isWithin(collection) === true ? current : null

/** Where the writing of a batch stands, when it is written in pieces of about {@link PIECE} bytes. */
export class WriteProgress {
  /** The next row. */
  row = 0
  /** What the next row was written as, when it is long. */
  long: LongWrite | null = null
}

/** Whether a piece ends before this row. */
export const endsBefore = (progress: WriteProgress, row: number, length: number, value: unknown): boolean =>
  row > progress.row && (length > PIECE || progress.long !== null || isLong(value))
