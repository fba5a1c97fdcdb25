import type { SharedState } from "../../services/SharedState.ts"
import { failureTable } from "./FailureTable.ts"
import { LanesOfServer } from "./LanesOfServer.ts"
import { header, slotWords } from "./RegionLayout.ts"
import { sessionNames } from "./SessionNames.ts"
import { sharedAmount, sharedCount, sharedHeld } from "./SharedCounts.ts"
import { nameTables, sharedNames } from "./SharedNames.ts"
import type { SharedRegion } from "./SharedRegion.ts"
import { transactionTable } from "./TransactionTable.ts"

/** The clock of the machine as a signed word, ms. Processes that started at different times read the same value. */
const sharedClock = (): (() => number) => {
  const [seconds, nanoseconds] = process.hrtime()
  const offset = seconds * 1_000 + nanoseconds / 1_000_000 - performance.now()
  // The conversion to a word takes the time modulo 2^32.
  return () => (performance.now() + offset) | 0
}

/**
 * The bounds of the server as a worker sees them.
 *
 * @param slot the slot of the worker, from 0
 */
export const workerBounds = (region: SharedRegion, slot: number): typeof SharedState.Service => {
  const now = sharedClock()
  return {
    pool: (size, queue) => new LanesOfServer(region, slot, { size, queue, now }),
    connections: sharedCount(region, slot, slotWords.connections),
    sessions: sessionNames(region, slot),
    transactions: transactionTable(region, slot),
    requests: sharedNames(region, slot, "request ", nameTables.sessions),
    imports: sharedNames(region, slot, "", nameTables.imports),
    held: sharedHeld(region, slot),
    arriving: sharedAmount(region, slot, slotWords.arrivingKilobytes),
    answers: sharedAmount(region, slot, slotWords.answerKilobytes),
    workers: () => region.workers,
    failures: failureTable(region, now),
    users: {
      current: () => region.get(header.users),
      changed: () => void region.add(header.users, 1)
    }
  }
}
