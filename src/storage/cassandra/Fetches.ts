import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { type CqlPages, isPart } from "./CqlPages.ts"
import { isInvalidStatement, mayLieInOneRow, readerEnded } from "./Failures.ts"
import { fetchAll, unitsOf } from "./LargeFetch.ts"
import { type IsOver, neverOver, type Reader } from "./Reader.ts"
import type { Grouped, SliceGroup } from "./SliceGroups.ts"

/** What a reader wants, and what it has got so far. */
interface Fetch {
  readonly queries: ReadonlyArray<SliceQuery>
  isOver: IsOver
  pages: Array<Page>
  left: number
  resolve: (pages: ReadonlyArray<Page>) => void
  reject: (cause: unknown) => void
}

const nothing = (): void => undefined
const ended = (): boolean => true

/**
 * Lets go of what a fetch has got. The fetches of one turn keep each other until the last of them ends, and one may read a long row for
 * seconds. The functions would keep the promise, and with it the pages.
 */
const release = (fetch: Fetch): void => {
  fetch.isOver = ended
  fetch.pages = []
  fetch.resolve = nothing
  fetch.reject = nothing
}

/** The slices that the fetches of one turn want, by their positions among the queries of all of them. */
class Wanted {
  readonly queries: Array<SliceQuery> = []
  /** The fetch of each slice, and the position of the slice there. */
  readonly #fetches: Array<Fetch> = []
  readonly #positions: Array<number> = []
  #repeated: Grouped["repeated"] = new Map()

  add(fetch: Fetch): void {
    for (let at = 0; at < fetch.queries.length; at++) {
      this.queries.push(fetch.queries[at]!)
      this.#fetches.push(fetch)
      this.#positions.push(at)
    }
  }

  /** Divides the slices among statements. */
  divide(pages: CqlPages): Grouped {
    const units = unitsOf(pages, this.queries)
    this.#repeated = units.repeated
    return units
  }

  /** The positions where the slice at this position is wanted, too. */
  #others(position: number): ReadonlyArray<number> {
    return this.#repeated.get(position) ?? none
  }

  give(position: number, page: Page): void {
    this.#give(position, page)
    if (this.#repeated.size > 0) for (const other of this.#others(position)) this.#give(other, page)
  }

  #give(position: number, page: Page): void {
    const fetch = this.#fetches[position]!
    // A fetch of which another slice has failed wants nothing more.
    if (fetch.resolve === nothing) return
    fetch.pages[this.#positions[position]!] = page
    if (--fetch.left > 0) return
    fetch.resolve(fetch.pages)
    release(fetch)
  }

  fail(position: number, cause: unknown): void {
    this.#fail(position, cause)
    for (const other of this.#others(position)) this.#fail(other, cause)
  }

  #fail(position: number, cause: unknown): void {
    const fetch = this.#fetches[position]!
    fetch.reject(cause)
    release(fetch)
  }

  /** True when all readers of the slice have ended. */
  isOver(position: number): boolean {
    return this.#fetches[position]!.isOver() && this.#others(position).every((other) => this.#fetches[other]!.isOver())
  }

  /** Whether several fetches want these slices. */
  isShared(positions: ReadonlyArray<number>): boolean {
    const first = this.#fetches[positions[0]!]
    return positions.some((position) =>
      [position, ...this.#others(position)].some((each) => this.#fetches[each] !== first)
    )
  }
}

const none: ReadonlyArray<number> = []

/** Waits for a slice on behalf of all who want it. */
class SliceReader implements Reader<Page> {
  readonly #wanted: Wanted
  readonly #position: number

  constructor(wanted: Wanted, position: number) {
    this.#wanted = wanted
    this.#position = position
  }

  isOver(): boolean {
    return this.#wanted.isOver(this.#position)
  }

  answered(page: Page): void {
    this.#wanted.give(this.#position, page)
  }

  failed(cause: unknown): void {
    this.#wanted.fail(this.#position, cause)
  }
}

/**
 * Waits for the statement of a group. Each reader gets its rows at once, except rows that are longer than a group reads: their further
 * pages delay only those who want them, and fail only these.
 */
class GroupReader implements Reader<ReadonlyArray<Page>> {
  readonly #pages: CqlPages
  readonly #wanted: Wanted
  readonly #group: SliceGroup

  constructor(pages: CqlPages, wanted: Wanted, group: SliceGroup) {
    this.#pages = pages
    this.#wanted = wanted
    this.#group = group
  }

  isOver(): boolean {
    return this.#group.positions.every((position) => this.#wanted.isOver(position))
  }

  answered(found: ReadonlyArray<Page>): void {
    const { positions } = this.#group
    for (let at = 0; at < found.length; at++) {
      const page = found[at]!
      if (isPart(this.#group, page)) {
        this.#pages.rest(this.#group, at, page, new SliceReader(this.#wanted, positions[at]!))
      } else this.#wanted.give(positions[at]!, page)
    }
  }

  failed(cause: unknown): void {
    const { keys, positions, query } = this.#group
    const isPerRow = isInvalidStatement(cause) || (this.#wanted.isShared(positions) && mayLieInOneRow(cause))
    for (let at = 0; at < positions.length; at++) {
      const position = positions[at]!
      if (isPerRow) this.#pages.slice({ ...query, key: keys[at]! }, new SliceReader(this.#wanted, position))
      else this.#wanted.fail(position, cause)
    }
  }
}

/** A fetch with more slices has its own statements: they are full without those of others. */
const MAX_SHARED_SLICES = 128

/**
 * Fetches of all readers. Those that begin in one turn of the event loop share their statements: slices of the same columns of
 * several rows are one statement, whoever wants them, and a slice that several readers want is read once. With many requests
 * in flight, answers also come together, so the next fetches of these requests begin in one turn again. A fetch that is alone in its
 * turn does not wait for others, because statements leave at the end of a turn anyway.
 *
 * Each slice is read after the call of its fetch, as without sharing. A row that is longer than others delays only its readers. If a
 * shared statement fails for a reason that may lie in one of its rows, the rows are read one by one, so that no reader gets an error of
 * another reader's row.
 */
export class Fetches {
  readonly pages: CqlPages
  #waiting: Array<Fetch> = []
  #newest: Fetches | undefined

  constructor(pages: CqlPages) {
    this.pages = pages
  }

  /** Fetches from so many replicas that none of them is outdated. They share statements with each other only. */
  get newest(): Fetches {
    this.#newest ??= new Fetches(this.pages.newest())
    return this.#newest
  }

  /** Reads all slices. `isOver`: the reader has ended, and wants nothing more. */
  fetch(queries: ReadonlyArray<SliceQuery>, isOver: IsOver = neverOver): Promise<ReadonlyArray<Page>> {
    // No answer would complete it beside others.
    if (queries.length === 0) return Promise.resolve([])
    if (queries.length > MAX_SHARED_SLICES) return fetchAll(this.pages, queries, isOver)
    return new Promise((resolve, reject) => {
      const { length } = queries
      if (this.#waiting.length === 0) setImmediate(() => this.#start())
      this.#waiting.push({ queries, isOver, pages: new Array<Page>(length), left: length, resolve, reject })
    })
  }

  /** Starts the fetches that have begun in this turn. */
  #start(): void {
    const fetches = this.#waiting
    this.#waiting = []
    try {
      const [only] = fetches
      if (fetches.length === 1 && only!.queries.length === 1) this.#alone(only!)
      else this.#together(fetches.filter((fetch) => !this.#hasEnded(fetch)))
    } catch (cause) {
      for (const { reject } of fetches) reject(cause)
    }
  }

  #hasEnded({ isOver, reject }: Fetch): boolean {
    if (!isOver()) return false
    reject(readerEnded(this.pages.columns.location))
    return true
  }

  #alone({ isOver, queries, reject, resolve }: Fetch): void {
    this.pages.slice(queries[0]!, { isOver, answered: (page) => resolve([page]), failed: reject })
  }

  #together(fetches: ReadonlyArray<Fetch>): void {
    const wanted = new Wanted()
    for (const fetch of fetches) wanted.add(fetch)
    const { groups, singles } = wanted.divide(this.pages)
    for (const position of singles) this.pages.slice(wanted.queries[position]!, new SliceReader(wanted, position))
    for (const group of groups) this.pages.group(group, new GroupReader(this.pages, wanted, group))
  }
}
