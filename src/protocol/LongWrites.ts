import { sliceOver } from "../scheduling/ResumableDescent.ts"
import { LONG_VALUE_LENGTH } from "./LongParts.ts"
import { isLong } from "./ResultWeight.ts"

/** Characters or bytes of a collection, and of a text or bytes, that are written at once inside of a row. */
const COLLECTION_AT_ONCE = 262_144
const PARTS_AT_ONCE = 1_048_576

/** Characters or bytes of one member after which the clock is looked at. */
const LONG_MEMBER = 2_048
/** Text that becomes bytes before more is added, and what a batch of short results has at most, characters. */
const PIECE = 65_536

/**
 * Stands before and behind the number of what was written elsewhere. No writer gives this character: in JSON it is always
 * escaped.
 */
const MARK = "\0"

/** Bytes, and those of collections that are written inside. */
type Part = Buffer | ReadonlyArray<Part>

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
  /** Complete members, where writing gives texts: the last of them, and those before as bytes. */
  text = ""
  parts: Array<Part> | null = null
  /** What was written before the member, and how much of it is elsewhere. */
  before = 0
  elsewhere = 0
  /** The sum of what its members measure. */
  sum = 0
  constructor(members: Iterator<unknown>, size: number) {
    this.members = members
    this.left = size
  }
}

const nothing: Iterator<unknown> = [][Symbol.iterator]()

/**
 * One result with very many parts that is written slice by slice. A slice unwinds the writer's stack; the next one descends
 * again through the members that were begun and goes on behind the last one that was complete, as long messages are read.
 * What is complete is kept as bytes in many pieces, so that nothing is ever put together that is as long as the result.
 */
export class LongWrite {
  readonly #root = new Frame(nothing, 0)
  #open: Array<Frame> = []
  #isOver: () => boolean = () => false
  #ticks = 0
  readonly #found = new Set<object>()
  /** What was written of collections, by the number that stands for it in the text around. */
  readonly #elsewhere: Array<ReadonlyArray<Part>> = []
  /** The result so far where it is bytes; where it is text, all of it when it is complete. */
  readonly pieces: Array<Buffer> = []
  /** Characters or bytes that are written, about. */
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
    try {
      write()
      this.complete = true
      return true
    } catch (error) {
      if (error !== sliceOver) throw error
      return false
    }
  }

  /** The next bytes of the result. */
  add(piece: Buffer): void {
    this.pieces.push(piece)
    this.length += piece.length
  }

  /** The text of the whole result, with what stands for what is elsewhere. */
  finish(text: string): void {
    const parts: Array<Part> = []
    this.#encode(parts, text)
    collect(parts, this.pieces)
  }

  /**
   * The members of the collection that the writer is at. Gives their texts, separated by commas, or what stands for them, where
   * `write` gives text.
   *
   * @param resumed is called when members were written in an earlier slice: what this slice wrote so far was written then too
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

  /** The same for the parts of a long text or of long bytes, with nothing between them. */
  parts<A>(parts: Iterable<A>, write: (part: A) => string | undefined, resumed?: () => void): string {
    const frame = this.#enter(Number.POSITIVE_INFINITY, parts, resumed)
    if (!frame.done) this.#go(frame, write as (part: unknown) => string | undefined, "")
    return frame.text
  }

  /** The sum of what all parts measure. Writes nothing. */
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
    let frame = outer.inside[outer.next++]
    if (frame === undefined) {
      frame = new Frame(members[Symbol.iterator](), size)
      outer.inside.push(frame)
    } else if (!frame.done) resumed?.()
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
      const isLongMember = (text?.length ?? this.length - frame.before) > LONG_MEMBER
      if (((++this.#ticks & 15) === 0 || isLongMember) && this.#isOver()) throw sliceOver
    }
    this.#open.pop()
    frame.done = true
    frame.inside = []
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
    // What was counted inside the member is in its text, if it is not elsewhere.
    if (frame.elsewhere === this.#elsewhere.length) this.length = frame.before
    this.length += text.length + separator.length
    if (frame.text.length < PIECE) return
    frame.parts ??= []
    this.#encode(frame.parts, frame.text)
    frame.text = ""
  }

  #encode(parts: Array<Part>, text: string): void {
    if (this.#elsewhere.length === 0) {
      if (text !== "") parts.push(Buffer.from(text))
      return
    }
    text.split(MARK).forEach((piece, i) => {
      if (i % 2 === 1) parts.push(this.#elsewhere[Number(piece)]!)
      else if (piece !== "") parts.push(Buffer.from(piece))
    })
  }
}

/** Puts all bytes into one list. */
const collect = (parts: ReadonlyArray<Part>, pieces: Array<Buffer>): void => {
  const open = [parts[Symbol.iterator]()]
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { done, value } = inner.next()
    if (done === true) open.pop()
    else if (Buffer.isBuffer(value)) pieces.push(value)
    else open.push(value[Symbol.iterator]())
  }
}

/** Thrown where a row turns out to be long while it is written at once: inside of elements nobody looks before. */
const longInside = new Error("a row is long")

/** How a writer writes just now: rows at once, rows that may turn out to be long, or one long row in slices. */
export class WriteMode {
  #long: LongWrite | null = null
  #triesRows = false

  /** Writes a long row on until `isOver` is true; true when `write` came to its end. Fails as `write` does. */
  writeLong(long: LongWrite, isOver: () => boolean, write: () => void): boolean {
    this.#long = long
    try {
      return long.next(isOver, write)
    } finally {
      this.#long = null
    }
  }

  /**
   * Writes rows at once, `progress.row` being the one that is written. A row that turns out to be long, because an element in
   * it has a property that is, ends the piece before it and is written in slices next; false then.
   */
  tryRows(progress: WriteProgress, write: () => void): boolean {
    this.#triesRows = true
    try {
      write()
      return true
    } catch (error) {
      if (error !== longInside) throw error
      progress.longRow = progress.row
      return false
    } finally {
      this.#triesRows = false
    }
  }

  /** A collection that is written at once has so many characters or bytes so far: ends {@link tryRows} where that is long. */
  checkLength(length: number): void {
    if (length > COLLECTION_AT_ONCE && this.#triesRows) throw longInside
  }

  /** The write in slices that a collection belongs to; null when the collection is written at once. */
  longOf(collection: object): LongWrite | null {
    return this.#long?.isWithin(collection) === true ? this.#long : null
  }

  /** The write in slices that a text or bytes of so many characters or bytes belong to; null when they are written at once. */
  longOfParts(length: number): LongWrite | null {
    if (length > PARTS_AT_ONCE && this.#triesRows) throw longInside
    return length > LONG_VALUE_LENGTH ? this.#long : null
  }
}

/** Where the writing of a batch stands, when it is written in pieces of about {@link PIECE} bytes. */
export class WriteProgress {
  /** The next row. */
  row = 0
  /** The next row being written, when it is long. */
  long: LongWrite | null = null
  /** A row that turned out to be long when it was written at once; -1 = none. */
  longRow = -1
}

/** Whether a piece that began with row `first` and has so many characters or bytes ends before this row. */
export const endsBefore = (first: number, row: number, length: number, value: unknown): boolean =>
  row > first && (length > PIECE || isLong(value))
