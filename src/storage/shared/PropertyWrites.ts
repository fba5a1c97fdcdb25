import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/collections/Collections.ts"
import { equivalent, keyOf } from "../../structure/collections/Equivalence.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { isElement, Property } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import { hasGremlinType, typeName } from "../../structure/texts/TypeNames.ts"
import { lookupKey } from "./LookupKey.ts"
import { Entries, type Entry, type PropertyChange, type PropertyState, stateWith } from "./Properties.ts"

/** Maximum length of a label or a property key. The graph never forgets a name, even if the transaction that used it fails. */
const MAX_NAME_CHARS = 4_096

/** Throws UnsupportedValue for a label that TinkerPop does not allow, or that is longer than 4,096 characters. */
export const checkLabel = (label: unknown): void => {
  if (typeof label !== "string") throw new UnsupportedValue("Label can not be null and must be a string")
  if (label === "") throw new UnsupportedValue("Label can not be empty")
  checkLength("label", label)
  if (label.startsWith("~")) throw new UnsupportedValue(`Label can not be a hidden key: ${label}`)
}

/** Throws UnsupportedValue for a property key that TinkerPop does not allow, or that is longer than 4,096 characters. */
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

/**
 * Throws UnsupportedValue for a property value that is an element or a property, which is not valid after its transaction, for an object
 * that no client can receive, such as a StringBuilder of a script, and for a collection that contains one of them.
 */
export const checkValue = (key: string, value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  const found = findIn(value, (object) => isOfGraph(object) || !hasGremlinType(object))
  if (found === undefined) return
  if (!isOfGraph(found)) throw onlyInScript(`property ${key}`, found)
  throw new UnsupportedValue(
    `The property ${key} cannot hold an element of the graph; store its id, or connect the elements by an edge.`
  )
}

const isOfGraph = (object: object): boolean => isElement(object) || object instanceof Property

/** Throws UnsupportedValue for an object that no client can receive, and for a collection that contains one. */
export const checkType = (holder: string, value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  const foreign = findIn(value, (object) => !hasGremlinType(object))
  if (foreign !== undefined) throw onlyInScript(holder, foreign)
}

const onlyInScript = (holder: string, object: object): UnsupportedValue =>
  new UnsupportedValue(
    `The ${holder} cannot hold an object of the type ${typeName(object)}, which exists only in its script; store a value of it, such as ` +
      "toString() or get() gives."
  )

/** The first of a value and the values in it, at any depth, for which `is` holds. */
const findIn = (value: object, is: (object: object) => boolean): object | undefined => {
  const open: Array<object> = [value]
  const look = (members: Iterable<unknown>): void => {
    for (const member of members) if (typeof member === "object" && member !== null) open.push(member)
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (is(next)) return next
    if (Array.isArray(next) || next instanceof GremlinSet) look(next)
    else if (next instanceof BulkSet) look(next.distinct())
    else if (next instanceof GremlinMap) for (const entry of next) look(entry)
    else if (next instanceof MapEntry) look([next.key, next.value])
    else if (next instanceof Path) look(next.objects)
    else if (next instanceof Tree) open.push(next.children)
  }
  return undefined
}

/** Returns whether two ids identify the same element or property. */
export const sameId = (a: unknown, b: unknown): boolean => a === b || lookupKey(a) === lookupKey(b)

/**
 * The state of a change with one more property. Copies the list of the snapshot instead of changing it, because other
 * transactions read it.
 */
export const withEntry = ({ base, state }: Pick<PropertyChange, "base" | "state">, entry: Entry): PropertyState => {
  if (state === undefined) return entry
  return (state instanceof Entries ? state : new Entries(state.entries)).with(entry, state !== base)
}

/** The state in which `entry` replaces the property with this id. If `entry` is undefined, the property is removed. */
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

/** The property with an equal value of the same type. With SET cardinality, adding the value again keeps this property. */
export const entryWithValue = (state: PropertyState | undefined, value: unknown): Entry | undefined => {
  if (state instanceof Entries) return state.withValue(value)
  return state !== undefined && equivalent(state.value, value) ? state : undefined
}

/**
 * Adds meta-properties to `meta`, and returns the result; null if no meta-property is left. If `allowNull` is false, the value
 * null removes a meta-property.
 */
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
 * Merges a change of this transaction into the newest state, which other transactions committed after its snapshot. Returns
 * "conflict" if both changed the same property. If `distinct` is true, it also returns "conflict" if both added an equal value.
 */
export const mergeChange = (
  change: PropertyChange,
  newest: PropertyState | undefined,
  distinct: boolean
): PropertyState | undefined | "conflict" => {
  if (change.replaced) return "conflict"
  return mergeEntries(change, newest, distinct, ({ id }) => lookupKey(id), sameEntry)
}

/** {@link mergeChange} with other rules: `key` returns what identifies a property, and `same` whether two states are equal. */
export const mergeEntries = (
  change: Pick<PropertyChange, "base" | "state">,
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

/**
 * The properties by key, in their order. Clients may have given the same id to several properties. Then only the first one has
 * this key, and each other entry is its own key.
 */
const byKey = (state: PropertyState | undefined, key: (entry: Entry) => unknown): Map<unknown, Entry> => {
  const entries = new Map<unknown, Entry>()
  for (const entry of state?.entries ?? []) {
    const id = key(entry)
    entries.set(entries.has(id) ? entry : id, entry)
  }
  return entries
}
