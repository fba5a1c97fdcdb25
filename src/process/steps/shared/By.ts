import { GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import {
  Edge,
  type Element,
  type ElementSource,
  Property,
  Vertex,
  VertexProperty
} from "../../../structure/elements/Element.ts"
import { currentProperties } from "../../../structure/graph/CurrentProperties.ts"
import { type PropertyReader, type Reads, type RefColumn, Values } from "../../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Bytecode } from "../../language/Bytecode.ts"
import { ClosureSource } from "../../language/Closure.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { valueReads } from "../../machine/Reads.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, EDGE, PathNode, VALUE, VERTEX, valuesOf } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import type { PlanBuilder, Step, Traversal } from "../../plan/Step.ts"
import { UnsplitSack } from "../../plan/UnsplitSack.ts"

/** The values of a modulator for the rows of a batch. */
export interface ByColumn {
  readonly values: ReadonlyArray<unknown>
  /** 0 for a row without a value (unproductive); null = every row has a value. */
  readonly found: Uint8Array | null
}

/** What by() computes from an object. */
type ByFunction =
  | { readonly kind: "identity" }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "token"; readonly token: EnumValue }
  | { readonly kind: "column"; readonly column: EnumValue }
  | { readonly kind: "traversal"; readonly traversal: Traversal }

/** A by() modulator. All forms except by(traversal) are functions of the object and need no child traversal. */
export class By {
  static readonly identity = new By({ kind: "identity" })
  readonly function: ByFunction
  /** True if a missing value becomes null (ProductiveByStrategy). */
  readonly orNull: boolean
  /**
   * True if the traversal replaces a key (SubgraphStrategy). Steps that treat by('key') and by(traversal) differently
   * test this.
   */
  readonly single: boolean
  constructor(byFunction: ByFunction, orNull = false, single = byFunction.kind !== "traversal") {
    this.function = byFunction
    this.orNull = orNull
    this.single = single
  }

  /** Builds a by() from its first argument: none, a key, a T, a Column, or a traversal. */
  static of(argument: unknown, step: Step, compiler: PlanBuilder): By {
    if (argument === undefined) return new By({ kind: "identity" })
    if (typeof argument === "string") return new By({ kind: "key", key: argument })
    if (argument instanceof EnumValue && argument.enumName === "T") return new By({ kind: "token", token: argument })
    if (argument instanceof EnumValue && argument.enumName === "Column")
      return new By({ kind: "column", column: argument })
    if (argument instanceof Bytecode) {
      return new By({ kind: "traversal", traversal: compiler.child(argument, step) })
    }
    if (argument instanceof ClosureSource) {
      throw new TraversalInvalid(
        `The closure of by() after ${step.operator}() takes one argument: only order() takes one that compares two`
      )
    }
    if (argument === null) throw new TraversalInvalid("by() was given null; it takes a key, a token or a traversal")
    throw new TraversalInvalid(`by() of ${step.operator}() takes a key, a token or a traversal`)
  }

  /** Returns a copy with another child traversal. */
  withChild(traversal: Traversal): By {
    return new By({ kind: "traversal", traversal }, this.orNull, this.single)
  }

  /** Returns a copy that gives null for missing values. */
  productive(): By {
    return new By(this.function, true, this.single)
  }

  /** TinkerPop's text in explain() and profile(), such as `value(name)`. */
  toString(): string {
    const by = this.function
    switch (by.kind) {
      case "identity":
        return "identity"
      case "key":
        return `value(${by.key})`
      case "token":
        return by.token.name
      case "column":
        return by.column.name
      case "traversal":
        return String(by.traversal)
    }
  }

  get child(): Traversal | undefined {
    return this.function.kind === "traversal" ? this.function.traversal : undefined
  }

  /** The reads that a store that answers later must complete before {@link evaluate}. */
  reads(batch: Batch): readonly Reads[] {
    const by = this.function
    if (by.kind === "key") return readsOf(batch, [by.key])
    // An element has its id without a read.
    return by.kind === "token" && by.token.name !== "id" ? readsOf(batch, []) : []
  }

  /** Passes the values of all rows to `done`: immediately, or after the child ran. */
  evaluate(batch: Batch, activation: Activation, done: (column: ByColumn) => void): void {
    const by = this.function
    const give = this.orNull ? (column: ByColumn) => done(withNulls(column)) : done
    if (by.kind === "traversal") activation.invoke(planOf(by.traversal), batch, "first", give)
    else if (by.kind === "identity") done({ values: valuesOf(batch, activation.transaction), found: null })
    else give(this.#direct(batch, activation))
  }

  /**
   * Does the same for objects other than the rows' current objects, such as labelled ones. A child sees each object
   * without a past: its path holds only itself, it has no labels, a new sack, and no repeat() round.
   */
  evaluateObjects(objects: Batch, activation: Activation, done: (column: ByColumn) => void): void {
    this.evaluate(this.child === undefined ? objects : withoutPast(objects, activation, [this]), activation, done)
  }

  #direct(batch: Batch, activation: Activation): ByColumn {
    const values = new Array<unknown>(batch.length)
    const found = new Uint8Array(batch.length)
    let all = true
    const test = this.#reader(batch, activation)
    for (let i = 0; i < values.length; i++) {
      const value = test(batch.data[i])
      if (value === undefined) all = false
      else {
        found[i] = 1
        values[i] = value
      }
    }
    return { values, found: all ? null : found }
  }

  #reader(batch: Batch, activation: Activation): (raw: unknown) => unknown {
    const by = this.function
    const { transaction } = activation
    if (by.kind === "key" && batch.kind !== VALUE) {
      const reader: PropertyReader =
        batch.kind === VERTEX ? transaction.vertexReader(by.key) : transaction.edgeReader(by.key)
      return (raw) => onlyOf(reader.value(raw as number), by.key)
    }
    if (batch.kind !== VALUE) {
      const handle = batch.kind === VERTEX
      return (raw) => this.ofValue(handle ? transaction.vertex(raw as number) : transaction.edge(raw as number))
    }
    return (raw) => this.ofValue(raw)
  }

  /** The modulator's value for one object; undefined when there is none. Not for traversals. */
  ofValue(value: unknown): unknown {
    const by = this.function
    switch (by.kind) {
      case "identity":
        return value
      case "key":
        return keyed(value, by.key)
      case "token":
        return tokenOf(value, by.token)
      case "column":
        return columnOf(value, by.column)
      default:
        throw new TraversalError("by(traversal) needs a batch")
    }
  }
}

/** Makes rows of objects with new paths and sacks and without any other data of their traversers, for children of modulators. */
export const withoutPast = (
  { data, kind, length }: Batch,
  { plan, run }: Activation,
  bys: ReadonlyArray<{ readonly child: Traversal | undefined }>
): Batch => {
  const out = new Batch(kind, data, length)
  if (plan.path === 2) {
    out.path = Array.from({ length }, (_, row) => new PathNode(kind, data[row], null, null))
    run.pathNodes += length
  }
  if (plan.sack) {
    const isSplit = bys.some(({ child }) => child?.first?.traits.role === "splitsSack")
    out.sack = Array.from({ length }, () => (isSplit ? new UnsplitSack(run.initialSack()) : run.initialSack()))
  }
  return out
}

const withNulls = ({ values, found }: ByColumn): ByColumn =>
  found === null
    ? { values, found }
    : { values: Array.from(values, (value, i) => (found[i] === 1 ? value : null)), found: null }

/** The single value of a property; undefined if there is none. Throws if there are several. */
const onlyOf = (value: unknown, key: string): unknown => {
  if (value instanceof Values) throw severalProperties(key)
  return value
}

/**
 * by('key') of an element is its property value, and has no value if the property is missing. Of a map it is the entry,
 * and null if the entry is missing. Throws for a vertex with several properties of the key, as TinkerPop's
 * Vertex.property(key) does.
 */
export const keyed = (value: unknown, key: string): unknown => {
  if (value instanceof Vertex || value instanceof Edge || value instanceof VertexProperty) {
    return onlyProperty(value, key)?.value
  }
  if (value instanceof GremlinMap) return value.get(key) ?? null
  if (value instanceof Tree) return value.children.get(key) ?? null
  throw new TraversalError(
    `The by("${key}") modulator can only be applied to a traverser that is an Element or a Map - it is being applied to [${briefText(value)}] a ${typeName(value)} class instead`
  )
}

/**
 * The property of an element with the key; undefined if there is none. Throws for a vertex with several. The texts
 * for its message are what takes the value, and what to use before by().
 */
export const onlyProperty = (element: Element, key: string, ...texts: readonly [what?: string, advice?: string]) => {
  const [property, second] = currentProperties(element, [key])
  if (second !== undefined) throw severalProperties(key, ...texts)
  return property
}

const severalProperties = (key: string, what = `by("${key}")`, advice = ""): TraversalError =>
  new TraversalError(
    `There are several properties ${key} at one vertex, and ${what} takes the value of one: use ${advice}by(values("${key}").fold()) for all of them`
  )

/**
 * T.id, T.label, T.key or T.value of an element or a property, or of a map with the token as a key. Throws for other
 * values. A property of an edge, and of a property of a vertex, has a key and a value only.
 */
const tokenOf = (value: unknown, token: EnumValue): unknown => {
  if (value instanceof Vertex || value instanceof Edge) {
    if (token.name === "id") return value.id
    if (token.name === "label") return value.label
  } else if (value instanceof VertexProperty) {
    if (token.name === "id") return value.id
    if (token.name === "label" || token.name === "key") return value.key
    return value.value
  } else if (value instanceof Property) {
    if (token.name === "key") return value.key
    if (token.name === "value") return value.value
    if (token.name === "label") throw new TraversalError("A Property has no label: use T.key for its key")
  } else if (value instanceof GremlinMap && value.has(token)) return value.get(token)
  throw new TraversalError(`T.${token.name} has no meaning for a ${typeName(value)}`)
}

/** Column.keys and Column.values of a map or a map entry. Of a path, they are its labels and its objects. */
export const columnOf = (value: unknown, column: EnumValue): unknown => {
  const keys = column.name === "keys"
  if (value instanceof MapEntry) return keys ? value.key : value.value
  if (value instanceof GremlinMap) return keys ? keySet(value) : [...value.values()]
  const path = value as { labels?: ReadonlyArray<ReadonlySet<string>>; objects?: readonly unknown[] } | null
  if (path?.labels !== undefined && path.objects !== undefined) {
    return keys ? path.labels.map((labels) => new GremlinSet(labels)) : [...path.objects]
  }
  throw new TraversalError(
    `The Column.${column.name} of a ${typeName(value)} does not exist: it takes a Map, an entry or a Path`
  )
}

const keySet = (map: GremlinMap): GremlinSet => new GremlinSet(map.keys())

/** The reads of element data by key. For elements inside a batch of values, all their data is read. */
export const readsOf = (batch: Batch, keys: readonly string[] | null): readonly Reads[] => {
  if (batch.kind === VERTEX) return [{ kind: "vertex", refs: batch.data as RefColumn, length: batch.length, keys }]
  if (batch.kind === EDGE) return [{ kind: "edge", refs: batch.data as RefColumn, length: batch.length, keys }]
  const values = batch.data as ReadonlyArray<unknown>
  for (const value of values) {
    const source = sourceOf(value)
    // Only a transaction needs to fetch data; elements of other sources contain their data.
    if (source !== undefined && "prefetch" in source) return valueReads(values, source as GraphTransaction)
  }
  return []
}

/** The source of an element's data; undefined for a value that is not an element. */
const sourceOf = (value: unknown): ElementSource | undefined => {
  if (value instanceof Vertex || value instanceof Edge) return value.source
  if (value instanceof VertexProperty) return value.vertex?.source
  return value instanceof Property && value.element !== null ? sourceOf(value.element) : undefined
}
