import { ALL_LABELS, type ElementTable } from "./ElementTable.ts"
import type { OwnElements } from "./Overlay.ts"
import type { TableRecord } from "./Snapshots.ts"
import type { TableView } from "./TableView.ts"

const NO_SLOTS = new Int32Array(0)

/** How much of a commit is applied to the vertices, or to the edges. */
export class Progress {
  readonly table: ElementTable
  readonly own: OwnElements | null
  /** The slot of each new element by its index; -1 = not added yet, or removed again in the same transaction. */
  readonly slots: Int32Array
  /** Number of indexes of new elements that are processed. */
  added = 0
  /** Number of property changes that were started. The last one may be incomplete. */
  written = 0
  /** Elements whose property keys changed, and the {@link ElementKeys.shape | shape} of each before the change. */
  shaped: Array<{ readonly slot: number; readonly shape: number }> | undefined

  constructor({ own, table }: TableView) {
    this.table = table
    this.own = own
    const added = own === null ? 0 : own.labels.length
    this.slots = added === 0 ? NO_SLOTS : new Int32Array(added).fill(-1)
  }

  /**
   * Saves the old values of the counts in the undo log. It runs before any count changes, because it can fail.
   *
   * @param record the undo record of the commit; undefined if it writes none
   */
  saveCounts(record: TableRecord | undefined, version: number): void {
    const { own, table } = this
    if (own === null) return
    let total = 0
    for (const [label, change] of own.countChanges) {
      while (table.perLabel.length <= label) table.perLabel.push(0)
      total += change
      if (change === 0 || record === undefined) continue
      record.counts.push(label)
      table.countUndo.push(label, version, table.perLabel[label]!)
    }
    if (total === 0 || record === undefined) return
    record.counts.push(ALL_LABELS)
    table.countUndo.push(ALL_LABELS, version, table.total)
  }

  /** Changes the counts of elements. Call {@link saveCounts} first. */
  changeCounts(): void {
    const { own, table } = this
    if (own === null) return
    for (const [label, change] of own.countChanges) {
      table.perLabel[label]! += change
      table.total += change
    }
  }
}
