import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import { isPredicate } from "../../../process/language/Predicate.ts"
import type { HostConstant } from "../../../structure/collections/HostConstant.ts"
import { type Element, type Property, Vertex } from "../../../structure/elements/Element.ts"
import { SubGraph } from "../../../structure/elements/SubGraph.ts"
import { NotFetched } from "../../../structure/errors/StoreErrors.ts"
import { ClassName } from "../../../structure/scalars/ClassNames.ts"
import type { GraphQuestion, HostCall, ScriptRun } from "../../HostCall.ts"
import type { Scope } from "../../Scope.ts"
import { insteadOf } from "../../ScriptHints.ts"
import { type HostObject, type ScriptSource, TransactionControl } from "../../ScriptObjects.ts"
import { noCode } from "../../SyntaxErrors.ts"
import type { Budget } from "../budget/Budget.ts"
import { callStatic } from "../classes/ClassValues.ts"
import { noMethod } from "../closures/ClosureCalls.ts"
import { areEqualValues } from "../comparison/GroovyEquality.ts"
import { unitsBetween } from "../dates/CalendarMethods.ts"
import { numberOfConstant } from "../dates/DateConstants.ts"
import { timeUnitValue } from "../dates/TemporalUnits.ts"
import { type ComputerHost, GraphComputation } from "../graph/Computation.ts"
import {
  call,
  cleared,
  elementCall,
  fetchOf,
  type GraphCall,
  graphCall,
  propertyCall,
  schemaCall,
  startOf
} from "../graph/ElementCalls.ts"
import { ElementQuery } from "../graph/ElementQuery.ts"
import { type FilteredRead, type FilteredResults, filteredRead, readFiltered } from "../graph/FilteredReads.ts"
import { GraphFile } from "../graph/GraphFile.ts"
import { IndexQuery } from "../graph/IndexQuery.ts"
import { callTransaction, transactionActions } from "../graph/TransactionCalls.ts"
import { programBuilder } from "../graph/VertexPrograms.ts"
import { ownCopy, ownMembers } from "../traversals/Ownership.ts"
import { asArgument } from "../traversals/TraversalArguments.ts"
import { callClassMethod } from "../types/ClassMethods.ts"
import { ABSENT_PROPERTY } from "../values/AbsentProperty.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

/** The class of the host that has a method of a value: `subgraph.traversal()`, `gt(3).test(4)`. Undefined for another method. */
export const ownerOf = (
  value: unknown,
  name: string,
  args: readonly unknown[]
): { readonly of: ClassName; readonly name: string } | undefined => {
  if (name === "traversal" && args.length === 0 && value instanceof SubGraph) {
    return { of: new ClassName("AnonymousTraversalSource"), name: "with" }
  }
  return name === "test" && args.length === 1 && isPredicate(value) ? { of: new ClassName("P"), name } : undefined
}

/** The value of a method of a constant that needs no host: a unit of time, a month, a day, a cardinality. Undefined for another one. */
const constantValue = (of: HostConstant, name: string, args: readonly unknown[]): unknown => {
  if (name === "getValue" && args.length === 0) return numberOfConstant(of)
  if (name === "convert" && args.length === 0) return of.ofGremlin
  if (of.className === "TimeUnit" && args.length === 1) return timeUnitValue(of.name, name, args[0])
  const isBetween = of.className === "ChronoUnit" && name === "between" && args.length === 2
  return isBetween ? unitsBetween(of, args[0], args[1]) : undefined
}

/** Runs the methods of values that need the host: graphs, transactions, classes, elements and queries. */
export class HostCalls {
  readonly #scope: Scope
  readonly #budget: Budget

  constructor(scope: Scope, budget: Budget) {
    this.#scope = scope
    this.#budget = budget
  }

  /** Calls a method of an object of the host. */
  *object(object: HostObject, name: string, args: readonly unknown[]): ScriptRun {
    if (object.source !== undefined) {
      if (name === "traversal") return object.source
      if (name === "tx") return new TransactionControl(object)
      if (name === "query" && args.length === 0) return new ElementQuery(object.source, undefined)
      if (name === "io" && args.length === 1) return new GraphFile(object.source, args[0])
      if (name === "indexQuery") return new IndexQuery(object, args)
      if (name === "compute" && args.length === 0 && object.type === "graph") {
        const hasEdges = (yield* this.#ask(object, "persistedByComputation")) === "EDGES"
        return new GraphComputation(object, object.source, hasEdges)
      }
      if (name === "clear" && args.length === 0 && object.type === "graph") {
        yield* this.#ask(object, "assertClearable")
        return yield* this.#graph(cleared, object.source)
      }
      const request = graphCall(name, args)
      if (request !== undefined) return yield* this.#graph(request, object.source)
      // A separate transaction has the methods of tx() itself.
      if (object.type === "transaction" && Object.hasOwn(transactionActions, name)) {
        return yield* callTransaction(new TransactionControl(object), name, args)
      }
    }
    if (object.methods.has(name)) return yield* this.#method(object, name, args)
    if (name === "toString" && args.length === 0) return this.#budget.text(object)
    const instead = insteadOf(name)
    if (instead !== "") throw new Unavailable(`${object.type} has no method ${name}()${instead}`)
    throw noMethod(object.type, name, object.methods)
  }

  /** Reads a property of an object of the host: as in Groovy, the result of its method `getName()` or `isName()`. */
  *member(object: HostObject, name: string): ScriptRun {
    const capitalized = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
    for (const getter of [`get${capitalized}`, `is${capitalized}`]) {
      if (object.methods.has(getter)) return yield* this.#method(object, getter, [])
    }
    const instead = insteadOf(name)
    if (instead !== "") throw new Unavailable(`${object.type} has no property ${name}${instead}`)
    throw noMethod(`${object.type} has no property ${name}; it`, name, object.methods)
  }

  /** Calls a method of a class. Methods that only create a value run here, the others in the host. */
  *classMethod(of: ClassName, name: string, args: readonly unknown[]): ScriptRun {
    const ofClass = callClassMethod(of, name, args, this.#budget)
    if (ofClass !== undefined) return ofClass.value
    const made = callStatic(of.simpleName, name, args, this.#budget)
    if (made !== undefined) return made.value
    const builder = programBuilder(of.simpleName, name, args)
    if (builder !== undefined) return builder
    if (this.#scope.classes.get(of.simpleName)?.has(name)) return yield* this.#method(of, name, args)
    throw new Unavailable(noCode(`scripts do not have the method ${of.simpleName}.${name}()${insteadOf(name)}`))
  }

  /** Calls a method of a constant. */
  *constant(of: HostConstant, name: string, args: readonly unknown[]): ScriptRun {
    if (this.#scope.classes.get(of.className)?.has(name)) return yield* this.#method(of, name, args)
    const made = constantValue(of, name, args)
    if (made !== undefined) return made
    if ((name === "toString" || name === "name") && args.length === 0) return of.name
    if (args.length === 1 && (name === "equals" || name === "is" || name === "isCase"))
      return areEqualValues(of, args[0], this.#budget)
    throw new Unavailable(noCode(`scripts do not have the method ${of.className}.${of.name}.${name}()`))
  }

  /**
   * Calls a method that changes an element, reads what is next to it, or asks for its type or its graph. Undefined for a method that only
   * reads the element. The call has the access and the strategies of the element's source.
   */
  *element(
    element: Element,
    name: string,
    args: readonly unknown[]
  ): Generator<HostCall, { readonly value: unknown } | undefined, unknown> {
    if (element instanceof Vertex && name === "query" && args.length === 0) {
      return { value: new ElementQuery(this.#scope.sourceOf(element), element) }
    }
    if (name === "graph" && args.length === 0) {
      return { value: yield { kind: "method", of: this.#scope.sourceOf(element), name: "getGraph", args } }
    }
    const type = args.length === 0 ? schemaCall(element, name) : undefined
    if (type !== undefined) {
      const answer = yield { kind: "method", of: this.#scope.sourceOf(element), name, args: type }
      return { value: answer ?? null }
    }
    const change = elementCall(element, name, args)
    if (change !== undefined) return { value: yield* this.#graph(change, this.#scope.sourceOf(element)) }
    const read = this.#scope.isFiltered === true ? filteredRead(element, name, args) : undefined
    return read === undefined ? undefined : { value: yield* this.#filtered(element, name, args, read) }
  }

  /** Reads an element by traversals of its source. */
  *#filtered(element: Element, name: string, args: readonly unknown[], read: FilteredRead): ScriptRun {
    const results: { -readonly [part in keyof FilteredResults]: FilteredResults[part] } = {}
    for (const part of ["properties", "outVertex", "inVertex"] as const) {
      const traversal = read[part]
      if (traversal === undefined) continue
      results[part] = (yield* this.#results(traversal, this.#scope.sourceOf(element), "list")) as unknown[]
    }
    return yield* ownCopy(readFiltered(element, name, args, results, this.#budget), this.#budget)
  }

  /**
   * Reads an element. If its data is not fetched yet, a traversal with the strategies of its source fetches it. Fails with
   * OperandError if these strategies hide the element.
   */
  *fetching(element: Element, read: () => unknown): ScriptRun {
    try {
      return read()
    } catch (error) {
      const fetch = error instanceof NotFetched ? fetchOf(element) : undefined
      if (fetch === undefined) throw error
      yield* this.#results(fetch, this.#scope.sourceOf(element), "list")
    }
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotFetched)) throw error
      throw new OperandError(
        "the element cannot be read: it was removed, or the strategies of its source hide it",
        "InvalidElementException"
      )
    }
  }

  /** The element in the current transaction. Fails with OperandError if it is not in the graph any more, or gives null. */
  *current(element: Element, ifGone: "fails" | "null"): ScriptRun {
    const start = startOf(element)
    if (start === undefined) return element
    return yield* this.#graph(call(ifGone === "fails" ? "only" : "first", ...start), this.#scope.sourceOf(element))
  }

  /** Removes a property of an edge or of a vertex property. Undefined for another method. */
  *property(property: Property, name: string): Generator<HostCall, { readonly value: unknown } | undefined, unknown> {
    const { element } = property
    const change = propertyCall(property, name)
    if (change === undefined || element === null) return undefined
    return { value: yield* this.#graph(change, this.#scope.sourceOf(element)) }
  }

  /** Calls a method of a query of a graph, a vertex or an index, or of a file of a graph. */
  *query(query: ElementQuery | GraphFile | IndexQuery, name: string, args: readonly unknown[]): ScriptRun {
    const want = query instanceof GraphFile ? "none" : "list"
    return yield* query.call(name, args, (bytecode, source) => this.#results(bytecode, source, want))
  }

  /** Calls a method of a computation over a whole graph. */
  *computation(computation: GraphComputation, name: string, args: readonly unknown[]): ScriptRun {
    const host: ComputerHost = {
      budget: this.#budget,
      results: (bytecode, source) => this.#results(bytecode, source, "list"),
      graphOf: (subGraph) => this.#method(new ClassName("ComputerResult"), "graph", [subGraph])
    }
    return yield* computation.call(name, args, host)
  }

  #ask(of: HostObject, question: GraphQuestion): ScriptRun {
    return this.#method(of, question, [])
  }

  *#method(of: HostObject | ClassName | HostConstant, name: string, args: readonly unknown[]): ScriptRun {
    const given = yield* ownMembers([...args], this.#budget)
    const answer = yield { kind: "method", of, name, args: given }
    return (yield* ownCopy(answer, this.#budget)) ?? null
  }

  *#graph({ bytecode, result }: GraphCall, source: ScriptSource): ScriptRun {
    if (result === "none") return yield* this.#results(bytecode, source, "none")
    const results = (yield* this.#results(bytecode, source, "list")) as unknown[]
    if (result === "iterator") return new ScriptIterator(results)
    if ((result === "only" || result === "property") && results.length === 0) {
      throw new OperandError(
        "the element is not in the graph: it was removed, or the transaction that added it was rolled back",
        "InvalidElementException"
      )
    }
    return results[0] ?? (result === "property" ? ABSENT_PROPERTY : null)
  }

  /** Runs a traversal with the instructions of a source. Gives its results, as the script's own; null for `none`. */
  *#results(steps: Bytecode, source: ScriptSource, want: "none" | "list"): ScriptRun {
    const instructions: Array<Instruction> = []
    for (const { args, operator } of steps.stepInstructions) {
      const given: Array<unknown> = []
      for (const arg of args) given.push(yield* ownCopy(asArgument(arg), this.#budget))
      instructions.push(new Instruction(operator, given))
    }
    const bytecode = new Bytecode(source.instructions, instructions)
    const answer = yield { kind: "traversal", source, bytecode, variables: new Map(), want, limit: undefined }
    return want === "none" ? null : yield* ownMembers(answer as unknown[], this.#budget)
  }
}
