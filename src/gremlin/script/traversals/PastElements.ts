import { StrategySpec } from "../../../process/language/Bytecode.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { Detached, type Element, isElement, VertexProperty } from "../../../structure/elements/Element.ts"
import { Path } from "../../../structure/elements/Path.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import { HostObject, ScriptSource } from "../../ScriptObjects.ts"
import type { Budget } from "../budget/Budget.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

// A script can keep an element longer than the transaction that found it: it commits, or its session goes on. As in JanusGraph, such
// an element then shows the data of the current transaction.

/** True for an element of a graph whose transaction has ended. */
const isPast = (element: Element): boolean => {
  const owner = element instanceof VertexProperty ? element.vertex : element
  return owner !== null && owner.source.isPast === true
}

/** Methods of a vertex property that work after its transaction: they read only the property itself, or find its vertex. */
const ofVertexProperty: ReadonlySet<string> = new Set(
  "id key label value isPresent orElse element remove equals".split(" ")
)

/**
 * True if a method or a member of an element needs the element in the current transaction. Its id does not, nor does the label of a
 * detached element, which is a copy.
 */
export const readsPast = (element: Element, name: string, argCount: number): boolean => {
  if (!isPast(element) || name === "id") return false
  if (element instanceof VertexProperty) return !(argCount === 0 && ofVertexProperty.has(name))
  return !(name === "label" && element.source instanceof Detached)
}

/** True if a method asks for the state of an element that may have been removed since its transaction. */
export const isPastState = (element: Element, name: string): boolean => stateMethods.has(name) && isPast(element)

const stateMethods: ReadonlySet<string> = new Set(["isNew", "isLoaded", "isModified", "isRemoved"])

type Find = (element: Element) => ScriptRun

/**
 * A value whose elements show the current transaction, also those in lists, sets, maps, entries, trees and paths. `find` gives the
 * element of the current transaction. If the value `isSent` to a client, objects that exist only on the server have the form in which
 * they are sent alone: those of the schema their texts, and iterators their items. Gives the value itself if nothing in it changes. A
 * collection that occurs in several places is visited once, because such a value may have far more places than the script has members.
 */
export function* currentValue(value: unknown, find: Find, budget: Budget, isSent: boolean): ScriptRun {
  const found = new Map<unknown, unknown>()
  yield* findIn(value, { found, find, budget, isSent, visited: new Set() })
  return found.size === 0 ? value : yield* replaced(value, found, budget)
}

/** The form in which an object that exists only on the server is sent; undefined for another value. */
const sentForm = (value: unknown, budget: Budget): unknown => {
  if (value instanceof HostObject || value instanceof ScriptSource) return budget.text(value)
  if (value instanceof StrategySpec) return value.name
  if (value instanceof ScriptIterator) return value.rest()
  return value instanceof Optional ? (value.value ?? null) : undefined
}

/** What a search for elements of earlier transactions, and for objects of the server, knows. */
interface Search {
  /** The elements of the current transaction, by those that the value has, and the forms in which objects are sent. */
  readonly found: Map<unknown, unknown>
  readonly find: Find
  readonly isSent: boolean
  readonly budget: Budget
  /** Collections that need no further visit. */
  readonly visited: Set<unknown>
}

function* findIn(value: unknown, search: Search): Generator<HostCall, void, unknown> {
  const { budget, find, found, visited } = search
  if (isElement(value)) {
    if (isPast(value) && !found.has(value)) found.set(value, yield* find(value))
    return
  }
  if (search.isSent && !found.has(value)) {
    const form = sentForm(value, budget)
    if (form !== undefined) {
      found.set(value, form)
      yield* findIn(form, search)
      return
    }
  }
  const members = partsOf(value)
  if (members === undefined || visited.has(value)) return
  visited.add(value)
  for (const member of members) {
    if (typeof member === "object" && member !== null) yield* findIn(member, search)
    if (budget.slice.isOver()) yield { kind: "pause" }
  }
}

const partsOf = (value: unknown): Iterable<unknown> | undefined => {
  if (Array.isArray(value) || value instanceof GremlinSet) return value
  if (value instanceof MapEntry) return [value.key, value.value]
  if (value instanceof GremlinMap) return Array.from(value).flat()
  if (value instanceof Tree) return [value.children]
  if (value instanceof BulkSet) return value.distinct()
  return value instanceof Path ? value.objects : undefined
}

/**
 * The value with other elements. `known` has them, by those that they replace, and the new collections, by those that they were made
 * from: a collection that occurs in several places does so in the new value, too.
 */
function* replaced(value: unknown, known: Map<unknown, unknown>, budget: Budget): ScriptRun {
  if (known.has(value)) {
    const form = known.get(value)
    // The items of an iterator may be replaced, too.
    return value instanceof ScriptIterator || value instanceof Optional ? yield* replaced(form, known, budget) : form
  }
  const parts = isElement(value) ? undefined : partsOf(value)
  if (parts === undefined) return value
  const members: Array<unknown> = []
  for (const part of parts) {
    members.push(typeof part === "object" && part !== null ? yield* replaced(part, known, budget) : part)
    if (budget.slice.isOver()) yield { kind: "pause" }
  }
  const made = madeOf(value, members)
  known.set(value, made)
  return made
}

/** A collection as `value`, of the new parts. */
const madeOf = (value: unknown, parts: Array<unknown>): unknown => {
  if (value instanceof GremlinSet) return new GremlinSet(parts)
  if (value instanceof MapEntry) return new MapEntry(parts[0], parts[1])
  if (value instanceof Path) return new Path(parts, value.labels)
  if (value instanceof Tree) return new Tree(parts[0] as GremlinMap)
  if (value instanceof GremlinMap) {
    const map = new GremlinMap()
    for (let at = 0; at < parts.length; at += 2) map.set(parts[at], parts[at + 1])
    return map
  }
  if (!(value instanceof BulkSet)) return parts
  const set = new BulkSet()
  let at = 0
  for (const [, count] of value.entries()) set.add(parts[at++], count)
  return set
}
