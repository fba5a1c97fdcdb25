import type { GremlinMap } from "../../structure/collections/Collections.ts"
import { LimitExceeded } from "../language/Errors.ts"

/** Limit of a map of properties, in entries: they are checked and written without a yield. */
const MAX_ENTRIES = 4_096

/** Throws LimitExceeded for a map that is too large to be processed without a yield. `where` names the step. */
export const checkEntries = (map: GremlinMap, where: string): void => {
  if (map.size <= MAX_ENTRIES) return
  throw new LimitExceeded(
    `${where} takes a map of at most ${MAX_ENTRIES} entries, but this one has ${map.size}. Split it into several maps.`
  )
}
