import type { GremlinMap } from "../../structure/Collections.ts"
import { LimitExceeded } from "../language/Errors.ts"

/** Most entries of a map: each is looked at and written at once, and no element has so many properties. */
const MOST_ENTRIES = 4_096

/** Fails for a map that is too large to be worked on at once. `where` names what it was given to. */
export const checkEntries = (map: GremlinMap, where: string): void => {
  if (map.size <= MOST_ENTRIES) return
  throw new LimitExceeded(
    `${where} takes a map of at most ${MOST_ENTRIES} entries, and this one has ${map.size}. Give them in parts.`
  )
}
