import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { isElement, Property } from "../../structure/Element.ts"
import { equivalent, keyOf } from "../../structure/Equivalence.ts"
import { Path } from "../../structure/Path.ts"
import { UnsupportedValue } from "../../structure/StoreErrors.ts"
import { Tree } from "../../structure/Tree.ts"
import { lookupKey } from "../memory/IdTable.ts"
import type { Change } from "../memory/Overlay.ts"
import { Entries, type Entry, type PropertyState, stateWith } from "./Properties.ts"

/** Characters of a label or a property key, at most: the graph keeps each for ever, even if its transaction fails. */
const MAX_NAME_CHARS = 4_096

/** Throws UnsupportedValue for a label that TinkerPop does not allow, or that is very long. */
export const checkLabel = (label: unknown): void => {
  if (typeof label !== "string") throw new UnsupportedValue("Label can not be null and must be a string")
  if (label === "") throw new UnsupportedValue("Label can not be empty")
  checkLength("label", label)
  if (label.startsWith("~")) throw new UnsupportedValue(`Label can not be a hidden key: ${label}`)
}

/** Throws UnsupportedValue for a property key that TinkerPop does not allow, or that is very long. */
export const checkKey = (key: unknown): void => {
  if (typeof key !== "string") throw new UnsupportedValue("Property key can not be null and must be a string")
  if (key === "") throw new UnsupportedValue("Property key can not be the empty string")
  checkLength("property key", key)
  if (key.startsWith("~")) throw new UnsupportedValue(`Property key can not be a hidden key: ${key}`)
}

const checkLength = (what: string, name: string): void => {
  if (name.length <= MAX_NAME_CHARS) return
  throw new UnsupportedValue(
    `A ${what} has at most ${MAX_NAME_CHARS} characters, and this one has ${name.length}; put long texts into values.`
  )
}

/** Throws UnsupportedValue for a value that cannot outlive its transaction: an element, or a collection with one inside. */
export const checkValue = (key: string, value: unknown): void => {
  if (typeof value === "object" && value !== null && holdsElement(value)) {
    throw new UnsupportedValue(
      `The property ${key} cannot hold an element of the graph; store its id, or connect the elements by an edge.`
    )
  }
}

/** True for an element or a property, and for a collection with one among its members at any depth. */
const holdsElement = (value: object): boolean => {
  const open: Array<object> = [value]
  const look = (members: Iterable<unknown>): void => {
    for (const member of members) if (typeof member === "object" && member !== null) open.push(member)
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isElement(next) || next instanceof Property) return true
    if (Array.isArray(next) || next instanceof GremlinSet) look(next)
    else if (next instanceof BulkSet) look(next.distinct())
    else if (next instanceof GremlinMap) for (const entry of next) look(entry)
    else if (next instanceof MapEntry) look([next.key, next.value])
    else if (next instanceof Path) look(next.objects)
    else if (next instanceof Tree) open.push(next.children)
  }
  return false
}

/** True for two ids that find the same element or property. */
export const sameId = (a: unknown, b: unknown): boolean => a === b || lookupKey(a) === lookupKey(b)

/** The state of a change with one more property. Others read the state of the snapshot: its list is not changed. */
export const withEntry = ({ base, state }: Pick<Change, "base" | "state">, entry: Entry): PropertyState => {
  if (state === undefined) return entry
  return (state instanceof Entries ? state : new Entries(state.entries)).with(entry, state !== base)
}

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

/** The property with an equal value of the same type, which SET cardinality keeps. */
export const entryWithValue = (state: PropertyState | undefined, value: unknown): Entry | undefined => {
  if (state instanceof Entries) return state.withValue(value)
  return state !== undefined && equivalent(state.value, value) ? state : undefined
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
 * Merges a change with what another transaction committed meanwhile: new properties are added to the newest state. "conflict"
 * when both changed the same property, or both added an equal value where values are `distinct`.
 */
export const mergeChange = (
  change: Change,
  newest: PropertyState | undefined,
  distinct: boolean
): PropertyState | undefined | "conflict" => {
  if (change.replaced) return "conflict"
  return mergeEntries(change, newest, distinct, ({ id }) => lookupKey(id), sameEntry)
}

/** {@link mergeChange} with other rules: `key` identifies a property, and `same` tells whether it is unchanged. */
export const mergeEntries = (
  change: Pick<Change, "base" | "state">,
  newest: PropertyState | undefined,
  distinct: boolean,
  key: (entry: Entry) => unknown,
  same: (a: Entry, b: Entry) => boolean
): PropertyState | undefined | "conflict" => {
  const [base, mine, merged] = [byKey(change.base, key), byKey(change.state, key), byKey(newest, key)]
  for (const [id, before] of base) {
    const after = mine.get(id)
    mine.delete(id)
    if (after !== undefined && same(before, after)) continue
    const now = merged.get(id)
    if (now === undefined || !same(now, before)) return "conflict"
    if (after === undefined) merged.delete(id)
    else merged.set(id, after)
  }
  const values = new Set(distinct ? [...merged.values()].map(({ value }) => keyOf(value)) : [])
  for (const [id, entry] of mine) {
    if (distinct && values.has(keyOf(entry.value))) return "conflict"
    values.add(keyOf(entry.value))
    merged.set(merged.has(id) ? entry : id, entry)
  }
  return stateWith([...merged.values()])
}

/** Properties in their order by key. Clients may have given several properties one id: then each further one is its own key. */
const byKey = (state: PropertyState | undefined, key: (entry: Entry) => unknown): Map<unknown, Entry> => {
  const entries = new Map<unknown, Entry>()
  for (const entry of state?.entries ?? []) {
    const id = key(entry)
    entries.set(entries.has(id) ? entry : id, entry)
  }
  return entries
}
