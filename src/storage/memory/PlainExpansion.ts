import type { EdgeRequest } from "../../structure/graph/GraphReads.ts"
import { SEGMENT_BITS, SEGMENT_MASK } from "./Arena.ts"
import { GROUP_ADDRESS, GROUP_INTEGERS, GROUP_LENGTH, GROUP_NEXT, GROUP_TAG, labelOf } from "./EdgeGroups.ts"
import { grow, IN, labelAt, OUT, offsetOf, partOf, passedAt, stop, WHOLE_GROUP_EDGES } from "./EdgeOffset.ts"
import type { GraphData } from "./GraphData.ts"
import type { MemoryLabelSet } from "./Labels.ts"

/** Expands a request of a transaction that sees the newest state, in one loop over the blocks. */
export const expandPlain = (data: GraphData, request: EdgeRequest): boolean => {
  const { cursor, direction, edges, length, limit, out, refs: vertices } = request
  const labels = request.labels as MemoryLabelSet | null
  const first = direction === "IN" ? IN : OUT
  const last = direction === "OUT" ? OUT : IN
  const single = labels === null ? -1 : labels.single
  const flags = labels === null || single !== -1 ? undefined : labels.flags
  let rows = out.rows
  let refs = out.refs as Int32Array
  let count = out.length
  let resume = cursor.offset
  for (let row = cursor.row; row < length; row++) {
    const vertex = vertices[row]!
    for (let part = first; part <= last && vertex >= 0; part++) {
      // Parts are numbered as in AdjacencyView, where the own edges of a direction follow the committed ones.
      if (resume !== 0 && partOf(resume) > 2 * part) continue
      const { arena, groups } = part === OUT ? data.out : data.in
      let records = groups.heads
      let base = vertex * GROUP_INTEGERS
      for (;;) {
        const label = labelOf(records[base + GROUP_TAG]!)
        const total = records[base + GROUP_LENGTH]!
        const next = records[base + GROUP_NEXT]!
        let from = 0
        if (resume !== 0) {
          if (labelAt(resume) !== label && next !== 0) {
            records = groups.further
            base = next * GROUP_INTEGERS
            continue
          }
          from = labelAt(resume) === label ? passedAt(resume) : total
          resume = 0
        }
        if (from < total && (labels === null || label === single || flags?.[label] === 1)) {
          const take = Math.min(total - from, Math.max(limit - count, WHOLE_GROUP_EDGES))
          if (count + take > rows.length || count + take > refs.length) {
            grow(out, count, count + take)
            rows = out.rows
            refs = out.refs as Int32Array
          }
          const address = records[base + GROUP_ADDRESS]!
          const segment = arena.segments[address >>> SEGMENT_BITS]!
          let at = (address & SEGMENT_MASK) + 2 * from
          const end = at + 2 * take
          if (edges) {
            for (; at < end; at += 2) {
              if (segment[at]! < 0) continue
              refs[count] = segment[at + 1]!
              rows[count++] = row
            }
          } else {
            for (; at < end; at += 2) {
              const neighbour = segment[at]!
              if (neighbour < 0) continue
              refs[count] = neighbour
              rows[count++] = row
            }
          }
          from += take
        }
        if (from !== 0 && (from < total || (count >= limit && next !== 0))) {
          return stop(request, count, row, offsetOf(2 * part, label, from))
        }
        if (next === 0) break
        records = groups.further
        base = next * GROUP_INTEGERS
      }
    }
    resume = 0
    if (count >= limit && row + 1 < length) return stop(request, count, row + 1, 0)
  }
  return !stop(request, count, length, 0)
}
