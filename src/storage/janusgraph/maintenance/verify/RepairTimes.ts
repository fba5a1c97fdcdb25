import type { CellBatch } from "../../cells/CellStore.ts"
import type { VertexId } from "../../format/Ids.ts"
import { decodeRelation } from "../../format/Relations.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { ElementEntries } from "../../indexes/ElementEntries.ts"
import { SourceTimes } from "../../indexes/SourceTimes.ts"
import type { GraphIndex } from "../../schema/Schema.ts"
import type { CellState, Finding } from "./Findings.ts"

/** Entries that are visited between two yields. */
const ENTRIES_PER_YIELD = 64

type Place = Pick<CellState, "table" | "key" | "column">

/** The TTLs of cells that a repair adds. */
interface RepairTimes {
  /** Seconds that an added cell lives: as long as the relation from which it is made; 0 if it does not expire. */
  of(finding: Finding, cell: Place): number
}

/** The missing entries of one vertex, or of its out-edges, in one index. */
interface Missing {
  readonly index: GraphIndex
  readonly vertex: VertexId
  readonly names: Set<string>
}

const nameOf = ({ column, key, table }: Place): string =>
  `${table} ${Buffer.from(key).toString("latin1")} ${Buffer.from(column).toString("latin1")}`

/** The missing entries that may expire. */
const missingIn = (times: SourceTimes, findings: ReadonlyArray<Finding>): Iterable<Missing> => {
  const found = new Map<string, Missing>()
  for (const { entryOf, repair } of findings) {
    if (entryOf === undefined || !times.concerns(entryOf.index)) continue
    const { index, vertex } = entryOf
    const place = `${index.id} ${typeof vertex} ${vertex}`
    let missing = found.get(place)
    if (missing === undefined) {
      missing = { index, vertex, names: new Set() }
      found.set(place, missing)
    }
    for (const cell of repair) missing.names.add(nameOf(cell))
  }
  return found.values()
}

/** Reads how long the cells live that repair the findings. Visits the entries of each vertex once for each index, and yields often. */
export function* readTimes(
  core: GraphCore,
  batch: CellBatch,
  findings: ReadonlyArray<Finding>
): Generator<void, RepairTimes> {
  const { options, schema } = core
  const times = SourceTimes.of(batch, schema)
  if (times === undefined) return { of: () => 0 }
  const entries = new ElementEntries((query) => batch.slice(query), schema, options.partitionBits, undefined, times)
  const found = new Map<string, number>()
  let visited = 0
  for (const { index, names, vertex } of missingIn(times, findings)) {
    for (const entry of entries.each(index, vertex, (each) => names.has(nameOf(each)))) {
      if (++visited % ENTRIES_PER_YIELD === 0) yield
      if (entry === undefined) continue
      const name = nameOf(entry)
      if (names.has(name)) found.set(name, longest(found.get(name), entry.ttl ?? 0))
    }
    yield
  }
  return {
    of: ({ entryOf, seen }, cell) => {
      if (entryOf !== undefined) return found.get(nameOf(cell)) ?? 0
      const source = seen.find(({ table, value }) => table === "edgestore" && value !== null)
      if (source === undefined) return 0
      const bytes = Buffer.concat([source.column, source.value!])
      const { type } = decodeRelation(bytes, 0, source.column.length, bytes.length, schema.type)
      return times.left({ type: type.id, key: source.key, column: source.column })
    }
  }
}

/** The longer of two TTLs of one entry that two values have: 0 is for ever. */
const longest = (one: number | undefined, other: number): number =>
  one === undefined ? other : one === 0 || other === 0 ? 0 : Math.max(one, other)
