import type { CellSnapshot, Page, RowScan, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import { inWindow } from "./ConcurrentWork.ts"
import type { CqlPages } from "./CqlPages.ts"
import type { SliceCache } from "./SliceCache.ts"
import { grouped, type SliceGroup } from "./SliceGroups.ts"
import { TokenScan } from "./TokenScan.ts"

/** Statements of one fetch that are in flight: more of them make a cluster slower. */
const STATEMENTS_IN_FLIGHT = 256

/**
 * Reads the newest cells: Cassandra has no snapshots. The transaction caches what it has read, so a row does not change
 * under it; two rows may be from different moments.
 */
export class CqlSnapshot implements CellSnapshot {
  readonly version: number
  readonly schemaVersion: number
  readonly #pages: CqlPages
  readonly #cache: SliceCache | undefined
  readonly #end: () => void
  #isClosed = false

  /** `end` is called by close(). */
  constructor(pages: CqlPages, cache: SliceCache | undefined, version: number, schemaVersion: number, end: () => void) {
    this.#pages = pages.until(() => this.#isClosed)
    this.#cache = cache
    this.version = version
    this.schemaVersion = schemaVersion
    this.#end = end
  }

  slice(): never {
    throw new Error("This store is asynchronous: a slice was read without being fetched")
  }

  fetch(queries: ReadonlyArray<SliceQuery>, isNewest = false): Promise<ReadonlyArray<Page>> {
    if (isNewest) return fetchAll(this.#pages.newest(), queries)
    return this.#cache === undefined
      ? fetchAll(this.#pages, queries)
      : this.#cache.through(queries, (missing) => fetchAll(this.#pages, missing))
  }

  cached(query: SliceQuery): Page | undefined {
    return this.#cache?.get(query)
  }

  scan(table: Table): RowScan {
    return new TokenScan(this.#pages, table)
  }

  scanFrom(table: Table, after: Uint8Array | undefined): RowScan {
    return new TokenScan(this.#pages, table, { after })
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }
}

/**
 * Reads all slices, a limited number of statements concurrently. Slices of the same columns of several rows share a
 * statement.
 */
export const fetchAll = (pages: CqlPages, queries: ReadonlyArray<SliceQuery>): Promise<ReadonlyArray<Page>> => {
  if (queries.length === 1) return pages.read(queries[0]!).then(alone)
  const { grouping, replicasOf } = pages.columns
  const { groups, singles } = grouped(queries, grouping, replicasOf)
  const [group] = groups
  const isWhole = group !== undefined && group.places.length === queries.length && isInOrder(group)
  return isWhole ? pages.readGroup(group) : fetchUnits(pages, queries, groups, singles)
}

const alone = (page: Page): ReadonlyArray<Page> => [page]

const isInOrder = ({ places }: SliceGroup): boolean => places.every((place, at) => place === at)

const fetchUnits = async (
  pages: CqlPages,
  queries: ReadonlyArray<SliceQuery>,
  groups: ReadonlyArray<SliceGroup>,
  singles: ReadonlyArray<number>
): Promise<ReadonlyArray<Page>> => {
  const answers: Array<Page> = new Array(queries.length)
  await inWindow<SliceGroup | number>([...groups, ...singles], STATEMENTS_IN_FLIGHT, async (unit) => {
    if (typeof unit === "number") {
      answers[unit] = await pages.read(queries[unit]!)
      return
    }
    const found = await pages.readGroup(unit)
    for (let at = 0; at < found.length; at++) answers[unit.places[at]!] = found[at]!
  })
  return answers
}
