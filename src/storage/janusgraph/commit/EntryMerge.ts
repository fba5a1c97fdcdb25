import { equivalent } from "../../../structure/Equivalence.ts"
import type { Entry, PropertyState } from "../../shared/Properties.ts"
import { mergeEntries } from "../../shared/PropertyWrites.ts"
import type { PropertyChange } from "../transaction/Overlay.ts"

const sameMeta = (a: Entry["meta"], b: Entry["meta"]): boolean => {
  if (a === b) return true
  if (a === null || b === null || a.size !== b.size) return false
  for (const [key, value] of a) if (!equivalent(b.get(key), value)) return false
  return true
}

/** The id tells one property from another: whoever sets a value makes a new one. */
export const sameEntry = (a: Entry, b: Entry): boolean =>
  a === b || (a.id === b.id && equivalent(a.value, b.value) && sameMeta(a.meta, b.meta))

const sameState = (a: PropertyState | undefined, b: PropertyState | undefined): boolean => {
  if (a === b) return true
  if (a === undefined || b === undefined || a.entries.length !== b.entries.length) return false
  return a.entries.every((entry, at) => sameEntry(entry, b.entries[at]!))
}

/**
 * A change on top of what is there now: properties that were added are added to those of others. "conflict" when others
 * changed the same property since the snapshot, or added an equal value that only one can keep.
 */
export const merged = (
  change: PropertyChange,
  now: PropertyState | undefined
): PropertyState | undefined | "conflict" => {
  if (sameState(change.base, now)) return change.state
  if (change.replaced) return "conflict"
  return mergeEntries(change, now, change.distinct, ({ id }) => id, sameEntry)
}

/** True for values that are the same to Gremlin, of the same type. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || equivalent(a, b)
