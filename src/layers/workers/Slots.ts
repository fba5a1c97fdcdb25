import { header, MAX_WORKERS, type SlotWord, slotWords } from "./RegionLayout.ts"
import { clearNames } from "./SharedNames.ts"
import type { SharedRegion } from "./SharedRegion.ts"
import { loseTransactions } from "./TransactionTable.ts"
import { clearRecords } from "./WorkerRecords.ts"
import { type HeldWrites, holdWrites } from "./WriteTable.ts"

/** What a process that has ended cannot hold any more. */
const held: ReadonlyArray<SlotWord> = [
  slotWords.pid,
  slotWords.lanes,
  slotWords.waiting,
  slotWords.waitingSince,
  slotWords.connections,
  slotWords.sessions,
  slotWords.heldKilobytes,
  slotWords.largestKilobytes,
  slotWords.arrivingKilobytes,
  slotWords.answerKilobytes,
  slotWords.onEventLoop,
  slotWords.writesLast
]

/** A process begins to use a slot, which is free or {@link reclaim}ed. The primary calls it. */
export const assign = (region: SharedRegion, slot: number, pid: number): void => {
  region.setOf(slot, slotWords.pid, pid)
  region.addTo(slot, slotWords.generation, 1)
  count(region)
}

/**
 * Frees all that the process of a slot held: lanes, places in the queue, connections, sessions and memory. Its open transactions are
 * lost. The primary calls it when the process has ended, and not before: a process that still runs would write to the slot. The number
 * of processes that the slot has had is kept. Returns the writes that others must not pass yet.
 */
export const reclaim = (region: SharedRegion, slot: number): HeldWrites => {
  const { lanes } = region
  for (let lane = 0; lane < lanes.length; lane++) Atomics.compareExchange(lanes, lane, slot + 1, 0)
  // Before the names of its sessions are free: the next session of a name must know of the loss.
  loseTransactions(region, slot)
  clearNames(region, slot)
  clearRecords(region, slot)
  const writes = holdWrites(region, slot)
  for (const word of held) region.setOf(slot, word, 0)
  count(region)
  return writes
}

const count = (region: SharedRegion): void => {
  const used = Array.from({ length: MAX_WORKERS }, (_, slot) => slot).filter(
    (slot) => region.of(slot, slotWords.pid) !== 0
  )
  region.set(header.slots, Math.max(-1, ...used) + 1)
  region.set(header.workers, used.length)
}
