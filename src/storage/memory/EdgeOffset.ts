import type { EdgeRequest, Expansion } from "../../structure/graph/GraphReads.ts"
import type { MemoryLabelSet } from "./Labels.ts"

/** A group with at most this number of edges is returned as a whole, even if it exceeds the limit of the request. */
export const WHOLE_GROUP_EDGES = 256

/** The number of the direction OUT. */
export const OUT = 0
/** The number of the direction IN. */
export const IN = 1

/**
 * A position inside the edges of one vertex as one number (53 bits): the part of the edges (2 bits: committed or own, out or
 * in), the label (20 bits), and how many edges of this label were passed (31 bits; never 0, so that 0 is the beginning). It
 * has the label and not the position of the group, because a commit may insert groups before it.
 */
export const offsetOf = (part: number, label: number, passed: number): number =>
  part * 2 ** 51 + label * 2 ** 31 + passed
/** The part of an offset ({@link offsetOf}): twice the direction, plus 1 for own edges. */
export const partOf = (offset: number): number => Math.floor(offset / 2 ** 51)
/** The label of an offset. */
export const labelAt = (offset: number): number => Math.floor(offset / 2 ** 31) % 2 ** 20
/** The passed edges of an offset. */
export const passedAt = (offset: number): number => offset % 2 ** 31

/** True for a label of the set; null = every label. */
export const wants = (labels: MemoryLabelSet | null, label: number): boolean =>
  labels === null || labels.single === label || labels.flags[label] === 1

/** Stops a request at an offset of a row, after `count` answers. */
export const stop = ({ cursor, out }: EdgeRequest, count: number, row: number, offset: number): false => {
  out.length = count
  cursor.row = row
  cursor.offset = offset
  return false
}

/** Makes room for `needed` answers, of which `used` are kept. */
export const grow = (out: Expansion, used: number, needed: number): void => {
  if (needed <= out.rows.length && needed <= out.refs.length) return
  const size = Math.max(needed, 2 * out.rows.length)
  const rows = new Int32Array(size)
  rows.set(out.rows.subarray(0, used))
  const refs = new Int32Array(size)
  refs.set(out.refs.subarray(0, used))
  out.rows = rows
  out.refs = refs
}
