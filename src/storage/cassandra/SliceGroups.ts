import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { type CellPacker, noCells, SHARED_BYTES, sameBytes } from "../janusgraph/cells/Cells.ts"
import { cellsOf, type GroupLimits } from "./GroupLimits.ts"
import { hashOf, PROCESS_SEED } from "./KeyHash.ts"
import { hasLongNames } from "./LongNames.ts"
import type { ReplicaSets } from "./ReplicaSets.ts"
import { type RowBlock, RowCursor } from "./RowBlock.ts"
import { bufferOf } from "./Statements.ts"

/** Slices of the same columns of several rows, in the order of `positions`. */
export interface SliceGroup {
  /** The positions of the slices in the queries. */
  readonly positions: ReadonlyArray<number>
  readonly keys: ReadonlyArray<Buffer>
  /** The first of the slices. */
  readonly query: SliceQuery
}

/** How queries are divided among statements. */
export interface Grouped {
  readonly groups: ReadonlyArray<SliceGroup>
  /** Positions of slices that have a statement of their own. */
  readonly singles: ReadonlyArray<number>
  /** Positions of slices that are equal to an earlier one, by the position of that one. */
  readonly repeated: ReadonlyMap<number, ReadonlyArray<number>>
}

/** Slices with equal columns and replicas. */
interface Bucket {
  readonly query: SliceQuery
  /** The number of the set of nodes that have the rows. */
  readonly replicas: number
  readonly positions: Array<number>
  /** Begins the hashes of the keys: other buckets with the same rows have other hashes. */
  readonly seed: number
}

const nameOf = (key: Uint8Array): string => Buffer.prototype.latin1Slice.call(key, 0, key.length)

/** Finds the first slice of a row in a bucket: a hash table with linear probing. It makes no text of each key. */
class FirstPositions {
  readonly #queries: ReadonlyArray<SliceQuery>
  /** The bucket of each position. */
  readonly #buckets: Array<Bucket | undefined>
  /** A position + 1, or 0. */
  readonly #slots: Int32Array

  constructor(queries: ReadonlyArray<SliceQuery>) {
    this.#queries = queries
    this.#buckets = new Array(queries.length).fill(undefined)
    this.#slots = new Int32Array(2 ** (33 - Math.clz32(queries.length)))
  }

  /** The first position of the bucket with the row of the slice at `position`: often `position` itself. */
  of(bucket: Bucket, position: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    const { key } = this.#queries[position]!
    for (let slot = hashOf(key, bucket.seed) & mask; ; slot = (slot + 1) & mask) {
      const other = slots[slot]! - 1
      if (other === -1) {
        slots[slot] = position + 1
        this.#buckets[position] = bucket
        return position
      }
      if (this.#buckets[other] === bucket && sameBytes(this.#queries[other]!.key, key)) return other
    }
  }
}

/**
 * The most shapes that are known of slices with the same start. A reader asks for few of them. If there are more, the oldest one is
 * forgotten, and further slices of this shape get another bucket.
 */
const MAX_SHAPES = 64

/** The buckets of slices with equal columns. */
interface Shape {
  readonly query: SliceQuery
  /** The last of its buckets that was found: mostly it is the next one, too. */
  last: Bucket
  /** By their replicas, when there are several. */
  buckets: Map<number, Bucket> | undefined
}

/** Finds the bucket of a slice. The bytes of the columns are compared by identity: readers share them. */
class Buckets {
  /** In the order of their first slices. */
  readonly all: Array<Bucket> = []
  readonly #shapes = new Map<Uint8Array | undefined, Array<Shape>>()
  #last: Shape | undefined

  of(query: SliceQuery, replicas: number): Bucket {
    let shape = this.#last
    if (shape === undefined || !isSame(shape.query, query)) {
      shape = this.#find(query)
      if (shape === undefined) return this.#addShape(query, replicas)
      this.#last = shape
    }
    if (shape.last.replicas === replicas) return shape.last
    shape.buckets ??= new Map([[shape.last.replicas, shape.last]])
    let bucket = shape.buckets.get(replicas)
    if (bucket === undefined) {
      bucket = this.#add(query, replicas)
      shape.buckets.set(replicas, bucket)
    }
    shape.last = bucket
    return bucket
  }

  #find(query: SliceQuery): Shape | undefined {
    const shapes = this.#shapes.get(query.start)
    if (shapes === undefined) return undefined
    for (let at = 0; at < shapes.length; at++) if (isSame(shapes[at]!.query, query)) return shapes[at]
    return undefined
  }

  #addShape(query: SliceQuery, replicas: number): Bucket {
    const bucket = this.#add(query, replicas)
    const shape: Shape = { query, last: bucket, buckets: undefined }
    const shapes = this.#shapes.get(query.start)
    if (shapes === undefined) this.#shapes.set(query.start, [shape])
    else {
      if (shapes.length === MAX_SHAPES) shapes.shift()
      shapes.push(shape)
    }
    this.#last = shape
    return bucket
  }

  #add(query: SliceQuery, replicas: number): Bucket {
    const seed = PROCESS_SEED ^ Math.imul(this.all.length, 0x9e3779b1)
    const bucket: Bucket = { query, replicas, positions: [], seed }
    this.all.push(bucket)
    return bucket
  }
}

const isSame = (one: SliceQuery, other: SliceQuery): boolean =>
  one.table === other.table && one.start === other.start && one.end === other.end && one.limit === other.limit

/** Cells of each row that the statement of a group reads. */
export const cellsOfGroup = ({ query }: SliceGroup): number => cellsOf(query)

/**
 * Parts of at most `most` items: of nearly equal length if that is at least `least`, and otherwise all but the last one as long as
 * possible.
 */
const partsOf = <A>(items: ReadonlyArray<A>, least: number, most: number): ReadonlyArray<ReadonlyArray<A>> => {
  const count = Math.ceil(items.length / most)
  if (count <= 1) return count === 0 ? [] : [items]
  if (Math.floor(items.length / count) < least)
    return Array.from({ length: count }, (_, i) => items.slice(i * most, (i + 1) * most))
  return Array.from({ length: count }, (_, i) =>
    items.slice(Math.floor((i * items.length) / count), Math.floor(((i + 1) * items.length) / count))
  )
}

/** The positions of the statements for a bucket of at least `least` positions. */
const statementsOf = (
  { positions, query }: Bucket,
  least: number,
  limits: GroupLimits
): ReadonlyArray<ReadonlyArray<number>> => {
  const most = limits.most(query)
  const tried = positions.length > most ? limits.trial(query) : 0
  if (tried <= most) return partsOf(positions, least, most)
  return [positions.slice(0, tried), ...partsOf(positions.slice(tried), least, most)]
}

/**
 * Divides queries into groups that one statement each can answer, and single slices. `replicas` numbers the sets of nodes that
 * have a row; rows of different sets do not share a statement, because a node would forward it.
 */
export const grouped = (
  queries: ReadonlyArray<SliceQuery>,
  limits: GroupLimits,
  replicas: Pick<ReplicaSets, "of">
): Grouped => {
  const { least } = limits
  const repeated = new Map<number, Array<number>>()
  if (queries.length < least) return { groups: [], singles: [...queries.keys()], repeated }
  const buckets = new Buckets()
  const singles: Array<number> = []
  const firstPositions = new FirstPositions(queries)
  for (let position = 0; position < queries.length; position++) {
    const query = queries[position]!
    if (query.reverse === true || hasLongNames(query)) {
      singles.push(position)
      continue
    }
    const bucket = buckets.of(query, replicas.of(bufferOf(query.key)))
    const first = firstPositions.of(bucket, position)
    if (first === position) bucket.positions.push(position)
    else {
      const others = repeated.get(first)
      if (others === undefined) repeated.set(first, [position])
      else others.push(position)
    }
  }
  const groups: Array<SliceGroup> = []
  for (const bucket of buckets.all) {
    const { positions: all, query } = bucket
    for (const positions of all.length < least ? [all] : statementsOf(bucket, least, limits)) {
      if (positions.length < least) singles.push(...positions)
      else groups.push({ positions, query, keys: positions.map((position) => bufferOf(queries[position]!.key)) })
    }
  }
  return { groups, singles, repeated }
}

/** Finds the rows of an answer among the keys of its group. */
class KeyPositions {
  readonly #keys: ReadonlyArray<Buffer>
  #positions: Map<string, number> | undefined

  constructor(keys: ReadonlyArray<Buffer>) {
    this.#keys = keys
  }

  /** The position of the key of a new row. `last`: that of the row before it, or -1. */
  of(cursor: RowCursor, last: number): number {
    const keys = this.#keys
    // Mostly the rows come in the order of the keys. Their names are needed only if they do not.
    if (last + 1 < keys.length && cursor.isKey(keys[last + 1]!)) return last + 1
    this.#positions ??= new Map(keys.map((key, at) => [nameOf(key), at]))
    return this.#positions.get(cursor.keyName())!
  }
}

const noPage: Page = { cells: noCells, more: false }

/**
 * The pages of the rows of a group from an answer, which has the cells of each key together. `more` says that the row has
 * further cells. `packer` may be that of all answers.
 */
export const pagesOfGroup = (group: SliceGroup, blocks: ReadonlyArray<RowBlock>, packer: CellPacker): Array<Page> => {
  const most = cellsOfGroup(group) - 1
  const { keys } = group
  const positions = new KeyPositions(keys)
  const pages = new Array<Page>(keys.length).fill(noPage)
  /** The rows that are packed and have no page yet: their positions, and whether they have more cells. */
  let waiting: Array<number> = []
  let more: Array<boolean> = []
  let position = -1
  let cells = 0
  // An answer that could not be read to its end has left its cells there.
  packer.clear()
  const givePages = (): void => {
    const rows = packer.takeRows()
    for (let at = 0; at < rows.length; at++) pages[waiting[at]!] = { cells: rows[at]!, more: more[at]! }
    waiting = []
    more = []
  }
  const finish = (): void => {
    if (position < 0) return
    packer.endRow()
    waiting.push(position)
    more.push(cells > most)
    if (packer.length >= SHARED_BYTES) givePages()
  }
  for (const block of blocks) {
    const cursor = new RowCursor(block, true)
    while (cursor.next()) {
      if (position < 0 || !cursor.isKey(keys[position]!)) {
        finish()
        position = positions.of(cursor, position)
        cells = 0
      }
      if (cells++ < most) cursor.packInto(packer)
    }
  }
  finish()
  givePages()
  return pages
}
