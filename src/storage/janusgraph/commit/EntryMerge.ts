import { equivalent } from "../../../structure/collections/Equivalence.ts"
import type { Entry, PropertyState } from "../../shared/Properties.ts"
import { mergeEntries } from "../../shared/PropertyWrites.ts"
import type { PropertyChange } from "../transaction/Overlay.ts"

const sameMeta = (a: Entry["meta"], b: Entry["meta"]): boolean => {
  if (a === b) return true
  if (a === null || b === null || a.size !== b.size) return false
  for (const [key, value] of a) if (!equivalent(b.get(key), value)) return false
  return true
}

/** True when two entries are the same property with the same meta-properties. Setting a value makes a new id. */
export const sameEntry = (a: Entry, b: Entry): boolean =>
  a === b || (a.id === b.id && equivalent(a.value, b.value) && sameMeta(a.meta, b.meta))

const sameState = (a: PropertyState | undefined, b: PropertyState | undefined): boolean => {
  if (a === b) return true
  if (a === undefined || b === undefined || a.entries.length !== b.entries.length) return false
  return a.entries.every((entry, at) => sameEntry(entry, b.entries[at]!))
}

/**
 * Applies a change to the newest state of a property key. Properties that the transaction added are added to those that
 * others have added. "conflict" when others have changed the same property since the snapshot, or have added an equal
 * value where values are distinct.
 */
export const merged = (
  change: PropertyChange,
  now: PropertyState | undefined
): PropertyState | undefined | "conflict" => {
  if (sameState(change.base, now)) return change.state
  if (change.replaced) return "conflict"
  return mergeEntries(change, now, change.distinct, ({ id }) => id, sameEntry)
}

/** True for values of the same type that Gremlin treats as equal. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || equivalent(a, b)
