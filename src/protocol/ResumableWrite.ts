import { sliceOver } from "../scheduling/ResumableDescent.ts"
import { isLong } from "./ResultWeight.ts"

/** After a longer member the clock is read; in characters or bytes. */
const LONG_MEMBER_LENGTH = 2_048

/** Number of members between two readings of the clock. It is a power of two. */
const MEMBERS_PER_CLOCK_READING = 16

/** Text of this length is encoded before more is appended. A chunk of short results has this length, too. In characters. */
export const CHUNK_CHARS = 65_536

/**
 * Encloses the number of a part that is stored separately. No writer produces this character: in JSON it is always
 * escaped.
 */
const MARK = "\0"

/** Bytes, or the parts of an inner collection. */
type Part = Buffer | ReadonlyArray<Part>

/** The progress of writing one long collection. */
class Frame {
  members: Iterator<unknown>
  /** Number of members that are left. The size was written first, so members that are added later are not written. */
  left: number
  member: unknown = undefined
  /** True while the member is incomplete. */
  begun = false
  done = false
  /** The long collections inside the member, and a few members that were made for the writing, in the order of writing. */
  inside: Array<Frame | ReadonlyArray<unknown>> = []
  /** The index in `inside` of the next collection of this slice. */
  next = 0
  /** For writers of text: the complete members. The last ones are in `text`, the earlier ones are encoded in `parts`. */
  text = ""
  parts: Array<Part> | null = null
  /** The written length and the number of separate parts when the member began. */
  before = 0
  elsewhere = 0
  /** Sum of the measures of the members so far; see {@link ResumableWrite.sum}. */
  sum = 0
  constructor(members: Iterator<unknown>, size: number) {
    this.members = members
    this.left = size
  }
}

/** Maximum number of members that are made for the writing and written without interruption. */
const FEW_MEMBERS = 16

type WriteAll<A> = (members: ReadonlyArray<A>) => string | undefined
type WriteOne<A> = (members: ReadonlyArray<A>, at: number) => string | undefined

/** A member by its place among all. */
type Place<A> = readonly [members: ReadonlyArray<A>, at: number]

function* places<A>(members: ReadonlyArray<A>): Generator<Place<A>, void, undefined> {
  for (let at = 0; at < members.length; at++) yield [members, at]
}

const none: ReadonlyArray<never> = []
const nothing: Iterator<unknown> = none[Symbol.iterator]()

/**
 * One very large result that is written in time slices. The end of a slice unwinds the stack of the writer. The next slice descends
 * again through the incomplete members and resumes after the last complete one, as {@link ResumableRead} does. Complete parts are
 * kept as bytes in many buffers, so that no string or buffer is as long as the result.
 */
export class ResumableWrite {
  readonly #root = new Frame(nothing, 0)
  #open: Array<Frame> = []
  #isOver: () => boolean = () => false
  #ticks = 0
  /** Weak, because some collections are made for the writing, and are needed no more when they are written. */
  readonly #found = new WeakSet<object>()
  /** The bytes of inner collections, by the number that replaces them in the text around them. */
  readonly #elsewhere: Array<ReadonlyArray<Part>> = []
  /** For writers of bytes: the result so far. For writers of text: the whole result, after {@link finish}. */
  readonly buffers: Array<Buffer> = []
  /** Approximate length written so far, in characters or bytes. */
  length = 0
  /** True when the whole result is written. */
  complete = false

  /** True when a collection is written in slices. A positive answer is cached, because every slice asks again. */
  isWithin(collection: object): boolean {
    if (this.#found.has(collection)) return true
    if (!isLong(collection)) return false
    this.#found.add(collection)
    return true
  }

  /** Continues to write until `isOver` returns true. Returns true when `write` is complete. Fails as `write` does. */
  next(isOver: () => boolean, write: () => void): boolean {
    this.#root.next = 0
    this.#open = [this.#root]
    this.#isOver = isOver
    try {
      write()
      this.complete = true
      return true
    } catch (error) {
      if (error !== sliceOver) throw error
      return false
    }
  }

  /** Appends bytes to the result. */
  add(bytes: Buffer): void {
    this.buffers.push(bytes)
    this.length += bytes.length
  }

  /** Sets the text of the whole result, in which numbers replace the separate parts. */
  finish(text: string): void {
    const parts: Array<Part> = []
    this.#encode(parts, text)
    collect(parts, this.buffers)
  }

  /**
   * Writes the members of a collection. If `write` returns text, the result is the texts with commas between them, or the number
   * that replaces them.
   *
   * @param resumed called if an earlier slice wrote members of the collection. That slice also wrote everything that this slice has
   *   written so far
   */
  members<A>(
    size: number,
    members: Iterable<A>,
    write: (member: A) => string | undefined,
    resumed?: () => void
  ): string {
    const frame = this.#enter(size, members, resumed)
    if (!frame.done) this.#go(frame, write as (member: unknown) => string | undefined, ",")
    return frame.text
  }

  /**
   * Writes members that are made for the writing, such as the properties of an element in a transaction. `make` is called by the first
   * slice that comes here, and its members are kept: a transaction makes new ones for each call. It may write what precedes them.
   *
   * @param all writes a few members without interruption; it is faster
   */
  made<A>(make: () => ReadonlyArray<A>, all: WriteAll<A>, write: WriteOne<A>, resumed?: () => void): string {
    const outer = this.#open.at(-1)!
    let kept = outer.inside[outer.next]
    if (kept === undefined) {
      const members = make()
      if (members.length > FEW_MEMBERS) {
        return this.members(members.length, places(members), ([of, at]) => write(of, at))
      }
      outer.inside.push(members)
      kept = members
    }
    if (kept instanceof Frame) return this.members(0, none, ([of, at]: Place<A>) => write(of, at), resumed)
    outer.next++
    return all(kept as ReadonlyArray<A>) ?? ""
  }

  /** Writes one value that is made for the writing and may be long; it is made once, and kept until it is written. */
  one<A>(make: () => A, write: (value: A) => string | undefined, resumed?: () => void): string {
    const outer = this.#open.at(-1)!
    const isKnown = outer.inside[outer.next] !== undefined
    return this.members(1, isKnown ? none : [make()], write, resumed)
  }

  /** As {@link members}, for the parts of a long text or of long bytes, without commas. */
  parts<A>(parts: Iterable<A>, write: (part: A) => string | undefined, resumed?: () => void): string {
    const frame = this.#enter(Number.POSITIVE_INFINITY, parts, resumed)
    if (!frame.done) this.#go(frame, write as (part: unknown) => string | undefined, "")
    return frame.text
  }

  /** The sum of the measures of all parts. Writes nothing. */
  sum<A>(parts: Iterable<A>, measure: (part: A) => number, resumed: () => void): number {
    const frame = this.#enter(Number.POSITIVE_INFINITY, parts, resumed)
    const add = (part: unknown): undefined => {
      frame.sum += measure(part as A)
    }
    if (!frame.done) this.#go(frame, add, "")
    return frame.sum
  }

  #enter(size: number, members: Iterable<unknown>, resumed: (() => void) | undefined): Frame {
    const outer = this.#open.at(-1)!
    const known = outer.inside[outer.next++]
    if (known instanceof Frame) {
      if (!known.done) resumed?.()
      return known
    }
    const frame = new Frame(members[Symbol.iterator](), size)
    outer.inside.push(frame)
    return frame
  }

  #go(frame: Frame, write: (member: unknown) => string | undefined, separator: string): void {
    this.#open.push(frame)
    while (frame.begun || frame.left > 0) {
      if (!frame.begun && !this.#begin(frame)) break
      frame.next = 0
      const text = write(frame.member)
      frame.begun = false
      if (text !== undefined) this.#add(frame, text, separator)
      const isLongMember = (text?.length ?? this.length - frame.before) > LONG_MEMBER_LENGTH
      if (((++this.#ticks & (MEMBERS_PER_CLOCK_READING - 1)) === 0 || isLongMember) && this.#isOver()) throw sliceOver
    }
    this.#open.pop()
    frame.done = true
    frame.inside = []
    frame.members = nothing
    frame.member = undefined
    if (frame.parts === null) return
    this.#encode(frame.parts, frame.text)
    frame.text = MARK + this.#elsewhere.length + MARK
    this.#elsewhere.push(frame.parts)
  }

  #begin(frame: Frame): boolean {
    const { done, value } = frame.members.next()
    if (done === true) return false
    frame.left--
    frame.member = value
    frame.begun = true
    frame.before = this.length
    frame.elsewhere = this.#elsewhere.length
    frame.inside = []
    return true
  }

  #add(frame: Frame, text: string, separator: string): void {
    const isFirst = frame.text === "" && frame.parts === null
    frame.text += isFirst ? text : separator + text
    // The text contains everything that was counted inside the member, unless a part is stored separately.
    if (frame.elsewhere === this.#elsewhere.length) this.length = frame.before
    this.length += text.length + separator.length
    if (frame.text.length < CHUNK_CHARS) return
    frame.parts ??= []
    this.#encode(frame.parts, frame.text)
    frame.text = ""
  }

  #encode(parts: Array<Part>, text: string): void {
    if (this.#elsewhere.length === 0) {
      if (text !== "") parts.push(Buffer.from(text))
      return
    }
    text.split(MARK).forEach((section, i) => {
      if (i % 2 === 1) parts.push(this.#elsewhere[Number(section)]!)
      else if (section !== "") parts.push(Buffer.from(section))
    })
  }
}

/** Appends all bytes of nested parts to one list. */
const collect = (parts: ReadonlyArray<Part>, buffers: Array<Buffer>): void => {
  const open = [parts[Symbol.iterator]()]
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { done, value } = inner.next()
    if (done === true) open.pop()
    else if (Buffer.isBuffer(value)) buffers.push(value)
    else open.push(value[Symbol.iterator]())
  }
}
