import type { SharedSessions } from "../../services/TakenNames.ts"
import { slotWords } from "./RegionLayout.ts"
import { sharedCount } from "./SharedCounts.ts"
import { nameTables, sharedNames } from "./SharedNames.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/**
 * The open sessions of all workers. A session lives in the worker of its connection, so a name that another worker has is
 * taken.
 */
export const sessionNames = (region: SharedRegion, slot: number): SharedSessions => {
  const count = sharedCount(region, slot, slotWords.sessions)
  const names = sharedNames(region, slot, "", nameTables.sessions)
  return {
    open: (id, bound) => {
      if (names.isElsewhere(id)) return "elsewhere"
      if (!count.take(bound)) return "full"
      const taken = names.take(id)
      if (taken === "taken") return "opened"
      count.release()
      return taken === "full" ? "crowded" : taken
    },
    close: (id) => {
      names.giveBack(id)
      count.release()
    },
    isElsewhere: names.isElsewhere,
    total: () => count.total()
  }
}
