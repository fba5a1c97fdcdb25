import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { CellPacker, noCells } from "../janusgraph/cells/Cells.ts"
import type { GroupingOptions } from "./CqlOptions.ts"
import { type RowBlock, RowCursor } from "./RowBlock.ts"
import { bufferOf } from "./Statements.ts"

/** Cells of one row that a statement for several rows reads at most. The rest of a longer row is read as a slice. */
export const GROUPED_CELLS = 256

/** Slices of the same columns of several rows, in the order of `places`. */
export interface SliceGroup {
  /** The positions of the slices in the queries. */
  readonly places: ReadonlyArray<number>
  readonly keys: ReadonlyArray<Buffer>
  /** The first of the slices. */
  readonly query: SliceQuery
}

/** Slices with equal columns and replicas. The bytes of the columns are compared by identity: readers share them. */
interface Bucket {
  readonly query: SliceQuery
  readonly replicas: string
  readonly places: Array<number>
  readonly names: Set<string>
}

const isSame = (bucket: Bucket, query: SliceQuery, replicas: string): boolean =>
  bucket.query.table === query.table &&
  bucket.query.start === query.start &&
  bucket.query.end === query.end &&
  bucket.query.limit === query.limit &&
  bucket.replicas === replicas

const nameOf = (key: Uint8Array): string => Buffer.prototype.latin1Slice.call(key, 0, key.length)

/** Buckets that are searched for an equal slice. A fetch has few different columns, so the search is short. */
const MAX_BUCKETS = 16

/**
 * Divides queries into groups that one statement each can answer, and single slices. `replicasOf` names the nodes that have
 * a row; rows of different nodes do not share a statement, because a node would forward it.
 */
export const grouped = (
  queries: ReadonlyArray<SliceQuery>,
  { allowed, least, limit }: GroupingOptions,
  replicasOf: (key: Buffer) => string
): { readonly groups: ReadonlyArray<SliceGroup>; readonly singles: ReadonlyArray<number> } => {
  if (!allowed || queries.length < Math.max(2, least)) return { groups: [], singles: [...queries.keys()] }
  const open: Array<Bucket> = []
  const full: Array<Bucket> = []
  const singles: Array<number> = []
  queries.forEach((query, place) => {
    if (query.reverse === true) {
      singles.push(place)
      return
    }
    const replicas = replicasOf(bufferOf(query.key))
    const name = nameOf(query.key)
    let at = open.findIndex((bucket) => isSame(bucket, query, replicas))
    if (at === -1) {
      if (open.length === MAX_BUCKETS) full.push(open.shift()!)
      at = open.push({ query, replicas, places: [], names: new Set() }) - 1
    }
    const bucket = open[at]!
    if (bucket.names.has(name)) {
      singles.push(place)
      return
    }
    bucket.names.add(name)
    bucket.places.push(place)
    if (bucket.places.length < limit) return
    full.push(bucket)
    open.splice(at, 1)
  })
  const groups: Array<SliceGroup> = []
  for (const { places, query } of [...full, ...open]) {
    if (places.length < Math.max(2, least)) singles.push(...places)
    else groups.push({ places, query, keys: places.map((place) => bufferOf(queries[place]!.key)) })
  }
  return { groups, singles }
}

/** Cells that a statement for several rows reads of each row: one more than wanted tells whether there are more. */
export const cellsOfGroup = ({ query: { limit } }: SliceGroup): number =>
  Math.min(limit ?? GROUPED_CELLS, GROUPED_CELLS) + 1

/**
 * The pages of the rows of a group from an answer, which has the cells of each key together. `more` says that the row has
 * further cells.
 */
export const pagesOfGroup = (group: SliceGroup, blocks: ReadonlyArray<RowBlock>): Array<Page> => {
  const most = cellsOfGroup(group) - 1
  const places = new Map(group.keys.map((key, at) => [nameOf(key), at]))
  const pages = new Array<Page>(group.keys.length).fill({ cells: noCells, more: false })
  const packer = new CellPacker()
  let place: number | undefined
  let cells = 0
  const finish = (): void => {
    if (place !== undefined) pages[place] = { cells: packer.take(), more: cells > most }
  }
  for (const block of blocks) {
    const cursor = new RowCursor(block, true)
    while (cursor.next()) {
      if (place === undefined || !cursor.isKey(group.keys[place]!)) {
        finish()
        place = places.get(nameOf(cursor.key()))!
        cells = 0
      }
      if (cells++ < most) cursor.packInto(packer)
    }
  }
  finish()
  return pages
}
