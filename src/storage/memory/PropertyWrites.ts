import { isElement, Property } from "../../structure/Element.ts"
import { equivalent, keyOf } from "../../structure/Equivalence.ts"
import { UnsupportedValue } from "../../structure/StoreErrors.ts"
import { lookupKey } from "./IdTable.ts"
import type { Change } from "./Overlay.ts"
import type { Entry, PropertyState } from "./Properties.ts"
import { stateWith } from "./Properties.ts"

/** Throws UnsupportedValue for a label that TinkerPop does not allow. */
export const checkLabel = (label: unknown): void => {
  if (typeof label !== "string") throw new UnsupportedValue("Label can not be null and must be a string")
  if (label === "") throw new UnsupportedValue("Label can not be empty")
  if (label.startsWith("~")) throw new UnsupportedValue(`Label can not be a hidden key: ${label}`)
}

/** Throws UnsupportedValue for a property key that TinkerPop does not allow. */
export const checkKey = (key: unknown): void => {
  if (typeof key !== "string") throw new UnsupportedValue("Property key can not be null and must be a string")
  if (key === "") throw new UnsupportedValue("Property key can not be the empty string")
  if (key.startsWith("~")) throw new UnsupportedValue(`Property key can not be a hidden key: ${key}`)
}

/** Throws UnsupportedValue for a value that cannot outlive its transaction. */
export const checkValue = (key: string, value: unknown): void => {
  if (isElement(value) || value instanceof Property) {
    throw new UnsupportedValue(
      `The property ${key} cannot hold an element of the graph; store its id, or connect the elements by an edge.`
    )
  }
}

export const sameId = (a: unknown, b: unknown): boolean => a === b || lookupKey(a) === lookupKey(b)

/** The state with one more property. */
export const withEntry = (state: PropertyState | undefined, entry: Entry): PropertyState =>
  state === undefined ? entry : stateWith([...state.entries, entry])!

/** The state with the property of this id replaced; undefined as the replacement removes it. */
export const replaceEntry = (
  state: PropertyState | undefined,
  id: unknown,
  entry: Entry | undefined
): PropertyState | undefined => {
  if (state === undefined) return undefined
  const at = state.entries.findIndex((other) => sameId(other.id, id))
  if (at === -1) return state
  return stateWith(entry === undefined ? state.entries.toSpliced(at, 1) : state.entries.with(at, entry))
}

/** The property with an equal value (of the same type): what SET cardinality keeps. */
export const entryWithValue = (state: PropertyState | undefined, value: unknown): Entry | undefined => {
  const key = keyOf(value)
  return state?.entries.find((entry) => keyOf(entry.value) === key)
}

/** The meta-properties after these were set; null as a value removes one where nulls are not allowed. */
export const mergedMeta = (
  meta: ReadonlyMap<string, unknown> | null,
  more: Iterable<readonly [string, unknown]>,
  allowNull: boolean
): ReadonlyMap<string, unknown> | null => {
  const merged = new Map(meta ?? [])
  for (const [key, value] of more) {
    checkKey(key)
    checkValue(key, value)
    if (value !== null && value !== undefined) merged.set(key, value)
    else if (allowNull) merged.set(key, null)
    else merged.delete(key)
  }
  return merged.size === 0 ? null : merged
}

const sameEntry = (a: Entry, b: Entry): boolean =>
  a === b || (sameId(a.id, b.id) && equivalent(a.value, b.value) && a.meta === b.meta)

/**
 * A change on top of what another transaction committed meanwhile: new properties are added to what is there now;
 * "conflict" when both changed the same property, or both added an equal value that only one of them can keep.
 */
export const mergeChange = (
  change: Change,
  newest: PropertyState | undefined,
  distinct: boolean
): PropertyState | undefined | "conflict" => {
  if (change.replaced) return "conflict"
  const base = change.base?.entries ?? []
  const mine = change.state?.entries ?? []
  let merged = newest?.entries ?? []
  for (const before of base) {
    const after = mine.find((entry) => sameId(entry.id, before.id))
    if (after !== undefined && sameEntry(before, after)) continue
    const at = merged.findIndex((entry) => sameEntry(entry, before))
    if (at === -1) return "conflict"
    merged = after === undefined ? merged.toSpliced(at, 1) : merged.with(at, after)
  }
  for (const entry of mine) {
    if (base.some((before) => sameId(before.id, entry.id))) continue
    if (distinct && merged.some((other) => equivalent(other.value, entry.value))) return "conflict"
    merged = [...merged, entry]
  }
  return stateWith(merged)
}
