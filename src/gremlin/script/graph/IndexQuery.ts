import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import { ConnectiveP, P, type Predicate, TextP } from "../../../process/language/Predicate.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { isElement } from "../../../structure/elements/Element.ts"
import { double } from "../../../structure/numbers/Numbers.ts"
import { EnumValue, Order } from "../../../structure/scalars/Enums.ts"
import { text } from "../../../structure/texts/Text.ts"
import type { GraphQuestion, HostCall, ScriptRun } from "../../HostCall.ts"
import type { HostObject } from "../../ScriptObjects.ts"
import { noMethod } from "../closures/ClosureCalls.ts"
import { asIndex, asText } from "../methods/MethodTable.ts"
import { toNumber } from "../types/Casts.ts"
import { OperandError } from "../values/OperandErrors.ts"
import type { QueryRunner } from "./ElementQuery.ts"
import { indexFieldValue } from "./IndexFieldValues.ts"
import { type FieldTerm, parseIndexQuery, type QueryNode } from "./IndexQueryText.ts"

/** A result of a direct index query: an element and its score. */
export class IndexHit extends GremlinMap {
  /** Calls a method of Java's Result; undefined for another method. */
  method(name: string): unknown {
    if (name === "getElement") return this.get("element")
    return name === "getScore" ? this.get("score") : undefined
  }
}

/** The methods that search, with the kind of elements that each finds. */
const finds: { readonly [method: string]: "vertex" | "edge" } = {
  vertexStream: "vertex",
  vertices: "vertex",
  vertexTotals: "vertex",
  edgeStream: "edge",
  edges: "edge",
  edgeTotals: "edge"
}

const builders = ["limit", "offset", "orderBy", "addParameter", "addParameters", "setElementIdentifier"]

/** A key of a mixed index. */
interface IndexedField {
  /** The mapping; empty for a key whose values are not texts. */
  readonly mapping: string
  /** The data type of the key, such as `Integer`. */
  readonly type: string
}

/** A mixed index. */
interface DescribedIndex {
  readonly element: "vertex" | "edge"
  readonly fields: ReadonlyMap<string, IndexedField>
  /** The label of its elements; null for elements of all labels. */
  readonly label: string | null
}

/** Elements by the text of their ids, with their scores. */
type Found = Map<string, { readonly element: unknown; readonly score: number }>

/**
 * JanusGraph's `graph.indexQuery(name, query)`. Each term of the query is a traversal that reads the index, with the access of the graph.
 * The score of an element is the number of its matching terms.
 */
export class IndexQuery {
  readonly #graph: HostObject
  readonly #index: string
  readonly #query: string
  readonly #orders: Array<readonly [key: string, order: EnumValue]> = []
  #identifier: string | undefined
  #limit = Number.POSITIVE_INFINITY
  #offset = 0

  constructor(graph: HostObject, args: readonly unknown[]) {
    if (args.length !== 2)
      throw new OperandError("indexQuery() takes the name of a mixed index and a query, such as 'v.name:hercules'")
    this.#graph = graph
    this.#index = asText(args[0])
    this.#query = asText(args[1])
  }
  get [Symbol.toStringTag](): string {
    return "IndexQuery"
  }

  toString(): string {
    return "index query"
  }

  /** Calls a method. Fails with OperandError for an unknown method, wrong arguments, or a query that is not understood. */
  *call(name: string, args: readonly unknown[], run: QueryRunner): ScriptRun {
    if (builders.includes(name)) {
      this.#build(name, args)
      return this
    }
    if (name === "propertyStream" || name === "propertyTotals" || name === "properties") {
      throw new OperandError(`${name}(): the mixed indexes of this server are for vertices and edges`)
    }
    const element = Object.hasOwn(finds, name) && args.length === 0 ? finds[name] : undefined
    if (element === undefined) throw noMethod("an index query", name, [...builders, ...Object.keys(finds)])
    const index = yield* this.#described(element)
    const node = parseIndexQuery(this.#query, this.#identifier ?? (element === "vertex" ? "v." : "e."))
    const found = yield* this.#matches(node, index, run)
    // As in JanusGraph, a total counts all elements that the query finds, not those of a page.
    if (name.endsWith("Totals")) return BigInt(found.size)
    const hits = [...found.values()].sort((left, right) => right.score - left.score)
    const ordered = this.#orders.length === 0 ? hits : yield* this.#ordered(hits, element, run)
    const range = ordered.slice(this.#offset, this.#offset + this.#limit)
    return range.map(
      ({ element: hit, score }) =>
        new IndexHit([
          ["element", hit],
          ["score", double(score)]
        ])
    )
  }

  #build(name: string, args: readonly unknown[]): void {
    const [first, second] = args
    if (name === "limit") this.#limit = asIndex(toNumber(first, "Int"))
    else if (name === "offset") this.#offset = asIndex(toNumber(first, "Int"))
    else if (name === "setElementIdentifier") this.#identifier = asText(first)
    else if (name === "orderBy" && second instanceof EnumValue)
      this.#orders.push([asText(first), second === Order.desc ? Order.desc : Order.asc])
    else
      throw new OperandError(`${name}(): parameters of index backends have no meaning for the indexes of this server`)
    if (this.#limit < 0 || this.#offset < 0) throw new OperandError(`${name}() takes a number of at least 0`)
  }

  /** Asks the host for the index. It fails if there is no such index. */
  *#described(element: "vertex" | "edge"): Generator<HostCall, DescribedIndex, unknown> {
    const name: GraphQuestion = "fieldsOfIndex"
    const answer = yield { kind: "method", of: this.#graph, name, args: [this.#index, element] }
    const types = (answer as GremlinMap).get("types") as GremlinMap
    const fields = new Map<string, IndexedField>()
    for (const [key, mapping] of (answer as GremlinMap).get("fields") as GremlinMap)
      fields.set(String(key), { mapping: String(mapping), type: String(types.get(key)) })
    return { element, fields, label: (answer as GremlinMap).get("label") as string | null }
  }

  *#matches(node: QueryNode, index: DescribedIndex, run: QueryRunner): Generator<HostCall, Found, unknown> {
    if (node.kind === "term") return yield* this.#termMatches(node, index, run)
    let must: Found | undefined
    const should: Array<Found> = []
    const not: Array<Found> = []
    for (const { occurs, of } of node.parts) {
      const found = yield* this.#matches(of, index, run)
      if (occurs === "must") must = must === undefined ? found : both(must, found)
      else (occurs === "not" ? not : should).push(found)
    }
    if (must === undefined && should.length === 0) {
      throw new OperandError("an index query with only NOT finds nothing: add a condition that elements must meet")
    }
    // With required conditions, the others only add to the score.
    const candidates = must ?? should.reduce(either)
    const scored: Found = new Map()
    for (const [id, hit] of candidates) {
      if (not.some((found) => found.has(id))) continue
      const more = must === undefined ? 0 : should.reduce((sum, found) => sum + (found.get(id)?.score ?? 0), 0)
      scored.set(id, { element: hit.element, score: hit.score + more })
    }
    return scored
  }

  *#termMatches(
    term: FieldTerm,
    { element, fields, label }: DescribedIndex,
    run: QueryRunner
  ): Generator<HostCall, Found, unknown> {
    const field = fields.get(term.field)
    if (field === undefined) {
      throw new OperandError(
        `the index ${this.#index} has no key ${term.field}; it has ${[...fields.keys()].join(", ")}`
      )
    }
    const start = new Instruction(element === "vertex" ? "V" : "E", [])
    const steps = [new Instruction("has", [term.field, conditionOf(term, field)])]
    if (label !== null) steps.push(new Instruction("hasLabel", [label]))
    const results = (yield* run(new Bytecode([], [start, ...steps]), this.#graph.source!)) as unknown[]
    const found: Found = new Map()
    for (const result of results) if (isElement(result)) found.set(text(result.id), { element: result, score: 1 })
    return found
  }

  /** The hits in the order of the values of a key. */
  *#ordered(
    hits: ReadonlyArray<{ readonly element: unknown; readonly score: number }>,
    element: "vertex" | "edge",
    run: QueryRunner
  ): Generator<HostCall, Array<{ readonly element: unknown; readonly score: number }>, unknown> {
    if (hits.length === 0) return []
    const scores = new Map(hits.map(({ element: hit, score }) => [text((hit as { id: unknown }).id), score]))
    const ids = hits.map(({ element: hit }) => (hit as { id: unknown }).id)
    const steps = [new Instruction(element === "vertex" ? "V" : "E", ids), new Instruction("order", [])]
    for (const order of this.#orders) steps.push(new Instruction("by", order))
    const results = (yield* run(new Bytecode([], steps), this.#graph.source!)) as unknown[]
    return results.map((result) => ({ element: result, score: scores.get(text((result as { id: unknown }).id)) ?? 0 }))
  }
}

const both = (left: Found, right: Found): Found =>
  new Map(
    [...left].flatMap(([id, hit]) => {
      const other = right.get(id)
      return other === undefined ? [] : [[id, { element: hit.element, score: hit.score + other.score }] as const]
    })
  )

const either = (left: Found, right: Found): Found => {
  const all = new Map(left)
  for (const [id, hit] of right) all.set(id, { element: hit.element, score: hit.score + (left.get(id)?.score ?? 0) })
  return all
}

/** The predicate of a term. Texts are split into words unless the field has the mapping STRING. */
const conditionOf = (term: FieldTerm, { mapping, type }: IndexedField): Predicate => {
  const isWords = mapping === "TEXT" || mapping === "TEXTSTRING"
  const isText = isWords || mapping === "STRING"
  const value = (written: string): unknown =>
    isText && type !== "Character" ? written : indexFieldValue(written, type, term.field)
  if (term.match === "range") return rangeOf(term, value)
  if (term.match === "prefix" || term.match === "fuzzy") {
    if (!isText)
      throw new OperandError(`the key ${term.field} is no text: ${term.value} cannot be a ${term.match} of it`)
    const name = term.match === "prefix" ? "Prefix" : "Fuzzy"
    return new TextP(isWords ? `textContains${name}` : `text${name}`, term.value)
  }
  if (!isWords) return new P("eq", value(term.value))
  return new TextP(term.match === "phrase" ? "textContainsPhrase" : "textContains", term.value)
}

/** One predicate for both ends: a key may have several values, and one of them must be inside of the range. */
const rangeOf = (term: FieldTerm, value: (written: string) => unknown): Predicate => {
  const { includesFrom, includesTo, to, value: from } = term
  const ends: Array<P> = []
  if (from !== "*") ends.push(new P(includesFrom ? "gte" : "gt", value(from)))
  if (to !== "*") ends.push(new P(includesTo ? "lte" : "lt", value(to)))
  return ends.length === 2 ? new ConnectiveP("and", ends) : (ends[0] ?? new P("neq", null))
}
