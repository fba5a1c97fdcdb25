import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { Detached, type Element, isElement, VertexProperty } from "../../structure/Element.ts"
import { Path } from "../../structure/Path.ts"
import type { Evaluation, HostCall } from "../Scope.ts"
import type { Budget } from "./Budget.ts"

// A script can keep an element longer than the transaction that found it: it commits, or its session goes on. As in JanusGraph, such
// an element then shows the data of the current transaction.

/** True for an element of a graph whose transaction has ended. */
const isPast = (element: Element): boolean => {
  const owner = element instanceof VertexProperty ? element.vertex : element
  return owner !== null && owner.source.isPast === true
}

/** Methods that read nothing but the handle, which has them also after its transaction. */
const ofVertexProperty: ReadonlySet<string> = new Set(
  "id key label value isPresent orElse element remove equals".split(" ")
)

/** True if a method or a member of an element needs the element in the current transaction. A label never changes. */
export const readsPast = (element: Element, name: string, argCount: number): boolean => {
  if (!isPast(element) || name === "id") return false
  if (element instanceof VertexProperty) return !(argCount === 0 && ofVertexProperty.has(name))
  return !(name === "label" && element.source instanceof Detached)
}

/** True if a method asks for the state of an element that may have been removed since its transaction. */
export const isPastState = (element: Element, name: string): boolean => stateMethods.has(name) && isPast(element)

const stateMethods: ReadonlySet<string> = new Set(["isNew", "isLoaded", "isModified", "isRemoved"])

type Find = (element: Element) => Evaluation

/**
 * A value whose elements show the current transaction, also those in lists, sets, maps, entries and paths. `find` gives the element of
 * the current transaction. Gives the value itself if it has no other elements.
 */
export function* currentValue(value: unknown, find: Find, budget: Budget): Evaluation {
  const found = new Map<unknown, unknown>()
  yield* findIn(value, found, find, budget)
  return found.size === 0 ? value : replaced(value, found)
}

function* findIn(
  value: unknown,
  found: Map<unknown, unknown>,
  find: Find,
  budget: Budget
): Generator<HostCall, void, unknown> {
  if (isElement(value)) {
    if (isPast(value) && !found.has(value)) found.set(value, yield* find(value))
    return
  }
  const members = partsOf(value)
  if (members === undefined) return
  for (const member of members) {
    if (typeof member === "object" && member !== null) yield* findIn(member, found, find, budget)
    if (budget.slice.isOver()) yield { kind: "pause" }
  }
}

const partsOf = (value: unknown): Iterable<unknown> | undefined => {
  if (Array.isArray(value) || value instanceof GremlinSet) return value
  if (value instanceof MapEntry) return [value.key, value.value]
  if (value instanceof GremlinMap) return Array.from(value).flat()
  if (value instanceof BulkSet) return value.distinct()
  return value instanceof Path ? value.objects : undefined
}

const replaced = (value: unknown, found: ReadonlyMap<unknown, unknown>): unknown => {
  const of = (part: unknown): unknown => replaced(part, found)
  if (isElement(value)) return found.get(value) ?? value
  if (Array.isArray(value)) return value.map(of)
  if (value instanceof GremlinSet) return new GremlinSet(Array.from(value, of))
  if (value instanceof MapEntry) return new MapEntry(of(value.key), of(value.value))
  if (value instanceof Path) return new Path(value.objects.map(of), value.labels)
  if (value instanceof GremlinMap) {
    const copy = new GremlinMap()
    for (const [key, member] of value) copy.set(of(key), of(member))
    return copy
  }
  if (!(value instanceof BulkSet)) return value
  const copy = new BulkSet()
  for (const [member, count] of value.entries()) copy.add(of(member), count)
  return copy
}
