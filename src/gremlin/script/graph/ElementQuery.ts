import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import { isSearchComparison, P, TextP } from "../../../process/language/Predicate.ts"
import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import { Vertex } from "../../../structure/elements/Element.ts"
import { Direction, EnumValue, Order } from "../../../structure/scalars/Enums.ts"
import { text } from "../../../structure/texts/Text.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptSource } from "../../ScriptObjects.ts"
import { noMethod } from "../closures/ClosureCalls.ts"
import { asText } from "../methods/MethodTable.ts"
import { toNumber } from "../types/Casts.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** Maximum number of conditions of one query. */
const MAX_CONDITIONS = 1_000

/** Operators of P by the constants of JanusGraph's Cmp and Contain. */
const comparisons: { readonly [constant: string]: ConstructorParameters<typeof P>[0] } = {
  EQUAL: "eq",
  NOT_EQUAL: "neq",
  LESS_THAN: "lt",
  LESS_THAN_EQUAL: "lte",
  GREATER_THAN: "gt",
  GREATER_THAN_EQUAL: "gte",
  IN: "within",
  NOT_IN: "without"
}

/** Runs a traversal of a query, and gives its results. */
export type QueryRunner = (bytecode: Bytecode, source: ScriptSource) => ScriptRun

/**
 * JanusGraph's `graph.query()` and `vertex.query()`: a traversal that a script builds from conditions. Its methods change it and
 * return it. `vertices()`, `edges()` and others run it with the strategies and the access of its source.
 */
export class ElementQuery {
  readonly source: ScriptSource
  /** The vertex whose edges and properties are searched; undefined for a query of a graph. */
  readonly vertex: Vertex | undefined
  readonly #conditions: Array<Instruction> = []
  readonly #orders: Array<readonly [key: string, order: EnumValue]> = []
  #direction: EnumValue = Direction.BOTH
  #labels: ReadonlyArray<string> = []
  /** The vertex at the other end of each edge. */
  #adjacent: Vertex | undefined
  #limit: unknown

  constructor(source: ScriptSource, vertex: Vertex | undefined) {
    this.source = source
    this.vertex = vertex
  }
  get [Symbol.toStringTag](): string {
    return "Query"
  }

  toString(): string {
    return this.vertex === undefined ? "graph query" : "vertex query"
  }

  /** Calls a method. Fails with OperandError for an unknown method or wrong arguments. */
  *call(name: string, args: readonly unknown[], run: QueryRunner): ScriptRun {
    if (this.#build(name, args)) return this
    const kind = this.vertex === undefined ? graphResults : vertexResults
    if (name === "toString" && args.length === 0) return String(this)
    if (!Object.hasOwn(kind, name) || args.length > 0) {
      throw noMethod(`a ${this}`, name, [...builders, ...Object.keys(kind)])
    }
    if (name === "count" || name === "relations") {
      const parts: Array<unknown> = []
      // A relation is a property or an edge.
      for (const part of ["properties", "edges"] as const) {
        for (const found of (yield* run(this.#bytecode(part), this.source)) as unknown[]) parts.push(found)
      }
      return name === "count" ? BigInt(parts.length) : parts
    }
    const results = (yield* run(this.#bytecode(kind[name]!), this.source)) as unknown[]
    return name.endsWith("Count") ? BigInt(results.length) : results
  }

  /** Adds a condition. Returns false for a method that adds none. */
  #build(name: string, args: readonly unknown[]): boolean {
    if (!builders.has(name)) return false
    if (this.#conditions.length >= MAX_CONDITIONS) {
      throw new OperandError(`a query has at most ${MAX_CONDITIONS} conditions`)
    }
    const [first, second] = args
    switch (name) {
      case "has":
        this.#conditions.push(hasOf(args))
        return true
      case "hasNot":
        this.#conditions.push(
          args.length < 2
            ? new Instruction("hasNot", [asText(first)])
            : new Instruction("has", [asText(first), new P("neq", second)])
        )
        return true
      case "interval":
        if (args.length !== 3)
          throw new OperandError("interval() takes a key, the first value, and the value after the last")
        this.#conditions.push(new Instruction("has", [asText(first), new P("between", [second, args[2]])]))
        return true
      case "limit":
        this.#limit = toNumber(first, "Long")
        return true
      case "orderBy":
        this.#orders.push([asText(first), orderOf(second)])
        return true
    }
    this.#buildRelations(name, args)
    return true
  }

  #buildRelations(name: string, args: readonly unknown[]): void {
    const [first] = args
    if (this.vertex === undefined)
      throw noMethod("a graph query", name, ["has", "hasNot", "interval", "limit", "orderBy"])
    if (name === "direction") {
      if (!(first instanceof EnumValue) || first.enumName !== "Direction") {
        throw new OperandError("direction() takes OUT, IN or BOTH")
      }
      this.#direction = first
    } else if (name === "adjacent") {
      if (!(first instanceof Vertex)) throw new OperandError("adjacent() takes a vertex")
      this.#adjacent = first
    } else {
      // Labels of edges, keys of properties, or types, which are both. An object of the schema counts by its name.
      this.#labels = args.flat().map((type) => asText(typeof type === "string" ? type : text(type)))
    }
  }

  #bytecode(what: Results): Bytecode {
    const steps: Array<Instruction> = []
    const add = (operator: string, ...args: unknown[]): void => void steps.push(new Instruction(operator, args))
    if (this.vertex === undefined) {
      add(what === "edges" ? "E" : "V")
      if (what === "properties") add("properties")
      steps.push(...this.#conditions)
      this.#addOrder(add)
      return new Bytecode([], steps)
    }
    add("V", this.vertex.id)
    if (what === "properties") {
      // A property belongs to its vertex as an edge that goes out.
      if (this.#direction === Direction.IN) add("none")
      add("properties", ...this.#labels)
    } else {
      add("toE", this.#direction, ...this.#labels)
      if (this.#adjacent !== undefined) {
        add("where", new Bytecode([], [new Instruction("otherV", []), new Instruction("hasId", [this.#adjacent.id])]))
      }
    }
    steps.push(...this.#conditions)
    this.#addOrder(add)
    if (what === "vertices" || what === "ids") add("otherV")
    if (what === "ids") add("id")
    return new Bytecode([], steps)
  }

  #addOrder(add: (operator: string, ...args: unknown[]) => void): void {
    if (this.#orders.length > 0) add("order")
    for (const [key, order] of this.#orders) add("by", key, order)
    if (this.#limit !== undefined) add("limit", this.#limit)
  }
}

/** What a query finds. */
type Results = "vertices" | "edges" | "properties" | "ids"

const graphResults: { readonly [method: string]: Results } = {
  vertices: "vertices",
  vertexStream: "vertices",
  edges: "edges",
  edgeStream: "edges",
  properties: "properties",
  propertyStream: "properties"
}

const vertexResults: { readonly [method: string]: Results } = {
  vertices: "vertices",
  edges: "edges",
  edgeCount: "edges",
  properties: "properties",
  propertyCount: "properties",
  vertexIds: "ids",
  relations: "edges",
  count: "edges"
}

const builders: ReadonlySet<string> = new Set([
  ...["has", "hasNot", "interval", "limit", "orderBy"],
  ...["direction", "labels", "keys", "types", "adjacent"]
])

/** The predicate of a constant of Text or Geo: `Text.CONTAINS_PREFIX` is `textContainsPrefix()`. Undefined for another constant. */
const searchOf = ({ className, name }: HostConstant, value: unknown): TextP | undefined => {
  if (className !== "Text" && className !== "Geo") return undefined
  const words = name.toLowerCase().split("_")
  const operator =
    className.toLowerCase() + words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("")
  return isSearchComparison(operator) ? new TextP(operator, value) : undefined
}

/** `has(key)`, `has(key, value)`, `has(key, Cmp.X, value)` as a step. */
const hasOf = (args: readonly unknown[]): Instruction => {
  const [key, second, third] = args
  if (args.length < 1 || args.length > 3)
    throw new OperandError("has() takes a key, a key and a value, or a key, a constant of Cmp or Contain, and a value")
  if (args.length < 3) return new Instruction("has", [asText(key), ...args.slice(1)])
  const search = second instanceof HostConstant ? searchOf(second, third) : undefined
  if (search !== undefined) return new Instruction("has", [asText(key), search])
  const constant = second instanceof HostConstant ? second.name : ""
  const operator = Object.hasOwn(comparisons, constant) ? comparisons[constant] : undefined
  if (operator === undefined) {
    throw new OperandError(
      `has() takes Cmp.X, Contain.X, Text.X or Geo.X as its second argument; those of Cmp and Contain are ${Object.keys(comparisons).join(", ")}`
    )
  }
  const isList = operator === "within" || operator === "without"
  return new Instruction("has", [asText(key), new P(operator, isList ? [...membersOf(third, "Contain")] : third)])
}

const orderOf = (value: unknown): EnumValue => {
  if (value instanceof EnumValue && value.enumName === "Order") return value
  const name = value instanceof HostConstant ? value.name.toLowerCase() : ""
  if (name === "asc") return Order.asc
  if (name === "desc") return Order.desc
  throw new OperandError("orderBy() takes a key and Order.asc or Order.desc")
}
