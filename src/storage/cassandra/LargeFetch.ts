import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { inWindow } from "./ConcurrentWork.ts"
import { type CqlPages, isPart } from "./CqlPages.ts"
import { isInvalidStatement } from "./Failures.ts"
import { type IsOver, neverOver, promiseOf } from "./Reader.ts"
import { type Grouped, grouped, type SliceGroup } from "./SliceGroups.ts"

/** Statements of one fetch that are in flight: more of them make a cluster slower. */
const STATEMENTS_IN_FLIGHT = 256

/** Divides slices among statements. */
export const unitsOf = (pages: CqlPages, queries: ReadonlyArray<SliceQuery>): Grouped => {
  const { grouping, replicas } = pages.columns
  return grouped(queries, grouping, replicas)
}

/** Reads all slices, a limited number of statements concurrently. Slices of the same columns of several rows share a statement. */
export const fetchAll = async (
  pages: CqlPages,
  queries: ReadonlyArray<SliceQuery>,
  isOver: IsOver = neverOver
): Promise<ReadonlyArray<Page>> => {
  const { groups, repeated, singles } = unitsOf(pages, queries)
  const answers: Array<Page> = new Array(queries.length)
  // The groups share the window of the fetch.
  const window = Math.max(1, Math.floor(STATEMENTS_IN_FLIGHT / (groups.length + singles.length)))
  const readSlice = async (position: number): Promise<void> => {
    answers[position] = await pages.read(queries[position]!, isOver)
  }
  const readGroup = async (group: SliceGroup): Promise<void> => {
    const { positions } = group
    let found: ReadonlyArray<Page>
    try {
      found = await promiseOf((reader) => pages.group(group, reader), isOver)
    } catch (error) {
      if (!isInvalidStatement(error)) throw error
      return inWindow(positions, window, readSlice)
    }
    for (let at = 0; at < found.length; at++) answers[positions[at]!] = found[at]!
    const parts = [...positions.keys()].filter((at) => isPart(group, found[at]!))
    await inWindow(parts, window, async (at) => {
      answers[positions[at]!] = await promiseOf((reader) => pages.rest(group, at, found[at]!, reader), isOver)
    })
  }
  await inWindow<SliceGroup | number>([...groups, ...singles], STATEMENTS_IN_FLIGHT, (unit) =>
    typeof unit === "number" ? readSlice(unit) : readGroup(unit)
  )
  for (const [first, others] of repeated) for (const position of others) answers[position] = answers[first]!
  return answers
}
