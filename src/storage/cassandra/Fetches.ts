import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { inWindow } from "./ConcurrentWork.ts"
import type { CqlPages } from "./CqlPages.ts"
import { mayLieInOneRow, readerEnded } from "./Failures.ts"
import { type Grouped, grouped, type SliceGroup } from "./SliceGroups.ts"

/** Statements of one fetch that are in flight: more of them make a cluster slower. */
const STATEMENTS_IN_FLIGHT = 256

/** Reads all slices, a limited number of statements concurrently. Slices of the same columns of several rows share a statement. */
export const fetchAll = (pages: CqlPages, queries: ReadonlyArray<SliceQuery>): Promise<ReadonlyArray<Page>> => {
  if (queries.length === 1) return pages.read(queries[0]!).then(alone)
  const units = unitsOf(pages, queries)
  const [group] = units.groups
  const isWhole = group !== undefined && group.positions.length === queries.length && isInOrder(group)
  return isWhole ? pages.readGroup(group, STATEMENTS_IN_FLIGHT) : fetchUnits(pages, queries, units)
}

const unitsOf = (pages: CqlPages, queries: ReadonlyArray<SliceQuery>): Grouped => {
  const { grouping, replicas } = pages.columns
  return grouped(queries, grouping, replicas)
}

const alone = (page: Page): ReadonlyArray<Page> => [page]

const isInOrder = ({ positions }: SliceGroup): boolean => positions.every((position, at) => position === at)

const fetchUnits = async (
  pages: CqlPages,
  queries: ReadonlyArray<SliceQuery>,
  { groups, repeated, singles }: Grouped
): Promise<ReadonlyArray<Page>> => {
  const answers: Array<Page> = new Array(queries.length)
  // The groups share the window of the fetch.
  const window = Math.max(1, Math.floor(STATEMENTS_IN_FLIGHT / (groups.length + singles.length)))
  await inWindow<SliceGroup | number>([...groups, ...singles], STATEMENTS_IN_FLIGHT, async (unit) => {
    if (typeof unit === "number") {
      answers[unit] = await pages.read(queries[unit]!)
      return
    }
    const found = await pages.readGroup(unit, window)
    for (let at = 0; at < found.length; at++) answers[unit.positions[at]!] = found[at]!
  })
  for (const [first, others] of repeated) for (const position of others) answers[position] = answers[first]!
  return answers
}

/** What a reader wants, and what it has got so far. */
interface Fetch {
  readonly queries: ReadonlyArray<SliceQuery>
  readonly isOver: () => boolean
  readonly pages: Array<Page>
  left: number
  readonly resolve: (pages: ReadonlyArray<Page>) => void
  readonly reject: (cause: unknown) => void
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
    fetch.pages[this.#positions[position]!] = page
    if (--fetch.left === 0) fetch.resolve(fetch.pages)
  }

  fail(position: number, cause: unknown): void {
    this.#fetches[position]!.reject(cause)
    for (const other of this.#others(position)) this.#fetches[other]!.reject(cause)
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

const neverOver = (): boolean => false

/** A fetch with more slices has its own statements: they are full without those of others. */
const MAX_SHARED_SLICES = 128

/**
 * Fetches of all readers. Those that begin in one turn of the event loop share their statements: slices of the same columns of
 * several rows are one statement, whoever wants them, and a slice that several readers want is read once. With many requests
 * in flight, answers also come together, so the next fetches of these requests begin in one turn again. A fetch that is alone in its
 * turn does not wait for others, because statements leave at the end of a turn anyway.
 *
 * Each slice is read after the call of its fetch, as without sharing. If a shared statement fails for a reason that may lie in one of
 * its rows, the rows are read one by one, so that no reader gets an error of another reader's row.
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
  fetch(queries: ReadonlyArray<SliceQuery>, isOver: () => boolean = neverOver): Promise<ReadonlyArray<Page>> {
    // No answer would complete it beside others.
    if (queries.length === 0) return Promise.resolve([])
    if (queries.length > MAX_SHARED_SLICES) return fetchAll(this.pages.until(isOver), queries)
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
    const [only] = fetches
    if (fetches.length === 1) {
      fetchAll(this.pages.until(only!.isOver), only!.queries).then(only!.resolve, only!.reject)
      return
    }
    try {
      this.#together(fetches.filter((fetch) => !this.#hasEnded(fetch)))
    } catch (cause) {
      for (const { reject } of fetches) reject(cause)
    }
  }

  #hasEnded({ isOver, reject }: Fetch): boolean {
    if (!isOver()) return false
    reject(readerEnded(this.pages.columns.location))
    return true
  }

  #together(fetches: ReadonlyArray<Fetch>): void {
    const wanted = new Wanted()
    for (const fetch of fetches) wanted.add(fetch)
    const { groups, singles } = wanted.divide(this.pages)
    for (const position of singles) this.#single(wanted, position, wanted.queries[position]!)
    for (const group of groups) this.#group(wanted, group)
  }

  /** Reads a slice for all who want it, until all of them have ended. */
  #single(wanted: Wanted, position: number, query: SliceQuery): void {
    this.pages
      .until(() => wanted.isOver(position))
      .read(query)
      .then(
        (page) => wanted.give(position, page),
        (cause: unknown) => wanted.fail(position, cause)
      )
  }

  #group(wanted: Wanted, group: SliceGroup): void {
    const { positions } = group
    this.pages
      .until(() => positions.every((position) => wanted.isOver(position)))
      .readGroup(group, STATEMENTS_IN_FLIGHT)
      .then(
        (pages) => {
          for (let at = 0; at < pages.length; at++) wanted.give(positions[at]!, pages[at]!)
        },
        (cause: unknown) => {
          const isPerRow = wanted.isShared(positions) && mayLieInOneRow(cause)
          for (let at = 0; at < positions.length; at++) {
            if (isPerRow) this.#single(wanted, positions[at]!, { ...group.query, key: group.keys[at]! })
            else wanted.fail(positions[at]!, cause)
          }
        }
      )
  }
}
