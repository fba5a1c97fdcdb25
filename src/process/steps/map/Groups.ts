import { sortTask } from "../../../scheduling/Sorting.ts"
import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { keyOf } from "../../../structure/collections/Equivalence.ts"
import { BigMap } from "../../../structure/containers/BigMap.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { checkRoom } from "../../scalars/Items.ts"

/** Marks a row for which the value modulator returned nothing. */
export const ABSENT = Symbol("absent")

/** One group: its map and its key in the map. */
interface Group {
  readonly map: GremlinMap
  readonly key: unknown
  list: Array<unknown> | null
}

/** The groups of rows, numbered from 0. */
interface Groups {
  all: ReadonlyArray<Group>
  /** The number of the group of each row. */
  readonly index: Int32Array
  /** The group of a row. */
  readonly of: (row: number) => Group
}

/**
 * Numbers the groups in the iteration order of java.util.HashMap. All keys must be strings; otherwise the numbering
 * stays.
 */
export function* inHashOrder(groups: Groups, slice: TimeSlice): Task {
  const { all, index } = groups
  let buckets = 16
  while (all.length > buckets * 0.75) buckets *= 2
  const bucket = new Int32Array(all.length)
  for (const [at, { key }] of all.entries()) {
    if (typeof key !== "string") return
    bucket[at] = hashBucket(key, buckets)
    if (slice.isOverAfter(at + 1, key)) yield
  }
  const compare = (a: number, b: number): number => bucket[a]! - bucket[b]! || a - b
  const order = yield* sortTask(all.length, compare, { costly: false, slice })
  const renumbered = new Int32Array(all.length)
  const sorted: Array<Group> = []
  for (const old of order) {
    renumbered[old] = sorted.length
    sorted.push(all[old]!)
    if (slice.isOverAfter(sorted.length)) yield
  }
  groups.all = sorted
  for (let i = 0; i < index.length; i++) {
    index[i] = renumbered[index[i]!]!
    if (slice.isOverAfter(i + 1)) yield
  }
}

const hashBucket = (key: string, buckets: number): number => {
  let hash = 0
  for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0
  return (hash ^ (hash >>> 16)) & (buckets - 1)
}

/**
 * Finds the group of each row by origin (one origin for a side effect) and key. Groups are numbered by their first
 * rows.
 */
export function* groupsOf(
  slice: TimeSlice,
  rows: Batch,
  keys: ReadonlyArray<unknown>,
  whole: boolean,
  maps: Array<GremlinMap>
): Task<Groups> {
  const all: Array<Group> = []
  const index = new Int32Array(rows.length)
  const known: Array<BigMap<unknown, number>> = []
  for (let i = 0; i < rows.length; i++) {
    const origin = whole ? 0 : rows.originOf(i)
    const key = keyOf(keys[i])
    const byKey = (known[origin] ??= new BigMap())
    let at = byKey.get(key)
    if (at === undefined) {
      at = all.length
      byKey.set(key, at)
      all.push({ map: (maps[origin] ??= new GremlinMap()), key: keys[i], list: null })
    }
    index[i] = at
    if (slice.isOverAfter(i + 1, keys[i])) yield
  }
  return { all, index, of: (row) => all[index[row]!]! }
}

/**
 * Reduces the values of a by() without a traversal: a list of values for each group, each repeated by its bulk. A group
 * without values gets an empty list.
 */
export function* foldValues(
  rows: Batch,
  values: ReadonlyArray<unknown>,
  groups: Groups,
  { run, slice }: Activation
): Task {
  let added = 0
  for (let i = 0; i < rows.length; i++) {
    const group = groups.of(i)
    if (group.list === null) {
      group.list = []
      group.map.set(group.key, group.list)
    }
    for (let times = values[i] === ABSENT ? 0 : rows.bulkOf(i); times > 0; times--) {
      checkRoom(group.list)
      group.list.push(values[i])
      if (++added % CHUNK_ITEMS > 0) continue
      run.hold(CHUNK_ITEMS * 32)
      yield
    }
    if (slice.isOverAfter(i + 1)) yield
  }
}
