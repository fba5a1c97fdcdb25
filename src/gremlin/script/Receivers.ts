import { Bytecode, Instruction } from "../../process/language/Bytecode.ts"
import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import { Geoshape } from "../../structure/Geoshape.ts"
import type { Double } from "../../structure/Numbers.ts"
import { ClassName, Uuid } from "../../structure/Temporal.ts"
import type { Evaluation } from "../Interpreter.ts"
import { spawns, steps, terminals } from "../parser/Steps.ts"
import {
  HostConstant,
  HostObject,
  Optional,
  type Scope,
  ScriptIterator,
  ScriptTraversal,
  TransactionControl,
  TraversalSource
} from "../Scope.ts"
import { closest, noCode } from "../SyntaxErrors.ts"
import { type Budget, OperandError } from "./Budget.ts"
import { numberTypeOf, toNumber } from "./Casts.ts"
import { elementCall, type GraphCall, graphCall } from "./ElementCalls.ts"
import { callMethod, readMember } from "./ValueMethods.ts"

/** Transaction methods, by what they ask of the host. */
const transactionActions = {
  begin: "begin",
  createThreadedTx: "begin",
  open: "begin",
  commit: "commit",
  rollback: "rollback",
  close: "close",
  isOpen: "isOpen"
} as const

const noMethod = (what: string, name: string, known: Iterable<string>): OperandError => {
  const near = closest(name, known)
  return new OperandError(`${what} has no method ${name}()${near === undefined ? "" : `. Did you mean ${near}()?`}`)
}

/** What scripts call methods on: traversals, sources, transactions, objects of the host, classes, elements, values. */
export class Receivers {
  readonly #scope: Scope
  readonly #budget: Budget

  constructor(scope: Scope, budget: Budget) {
    this.#scope = scope
    this.#budget = budget
  }

  /** A value as an argument of a traversal. Fails with OperandError for what no traversal can carry. */
  argument(value: unknown): unknown {
    if (value instanceof ScriptTraversal) {
      throw new OperandError(
        `the traversal ${value.toString().slice(0, 100)} begins at a source and cannot be nested: begin it with __, or end it with next() or toList()`
      )
    }
    if (value instanceof ScriptIterator) return value.rest()
    if (value instanceof Optional) return value.value ?? null
    if (
      value instanceof TraversalSource ||
      value instanceof HostObject ||
      value instanceof TransactionControl ||
      value instanceof HostConstant
    ) {
      throw new OperandError(`${String(value)} cannot be an argument of a traversal`)
    }
    return value ?? null
  }

  /** `value.name` without a call. */
  member(value: unknown, name: string): unknown {
    if (value instanceof ClassName) return name === "simpleName" ? value.name : new HostConstant(value.name, name)
    if (value instanceof HostObject) throw noMethod(`${value.type} has no property ${name}; it`, name, value.methods)
    return readMember(value, name)
  }

  /** `value.name(args)`. */
  *call(value: unknown, name: string, args: readonly unknown[]): Evaluation {
    if (value instanceof ScriptTraversal) return yield* this.#traversal(value, name, args)
    if (value instanceof Bytecode) return new Bytecode(value.sourceInstructions, this.#continued(value, name, args))
    if (value instanceof TraversalSource) return this.#source(value, name, args)
    if (value instanceof TransactionControl) return yield* this.#transaction(value, name, args)
    if (value instanceof HostObject) return yield* this.#hostObject(value, name, args)
    if (value instanceof ClassName) return yield* this.#classMethod(value, name, args)
    if (value instanceof HostConstant) return yield* this.#constant(value, name, args)
    const change = elementCall(value, name, args)
    if (change !== undefined) return yield* this.#graph(change, this.#scope.source)
    return callMethod(value, name, args, this.#budget)
  }

  /** A traversal that a variable holds gives its results one after the other; a step makes a longer one of it. */
  *#traversal(traversal: ScriptTraversal, name: string, args: readonly unknown[]): Evaluation {
    if (name === "toString" && args.length === 0) return this.#budget.string(traversal.toString())
    if (name === "iterator" && args.length === 0) return traversal
    if (!terminals.has(name)) {
      const { sourceInstructions } = traversal.bytecode
      const bytecode = new Bytecode(sourceInstructions, this.#continued(traversal.bytecode, name, args))
      return new ScriptTraversal(traversal.source, bytecode, traversal.variables)
    }
    if (name === "iterate" || name === "explain") return yield* this.end(traversal, name, undefined)
    traversal.results ??= (yield* this.end(traversal, "toList", undefined)) as unknown[]
    const rest = traversal.results.slice(traversal.taken)
    const count = args.length === 0 ? undefined : Number(toNumber(args[0], "Int"))
    if (name === "next") traversal.taken += count ?? 1
    else if (name !== "hasNext") traversal.taken = traversal.results.length
    return yield* this.#ended(rest.slice(0, name === "next" ? (count ?? 1) : rest.length), name, count)
  }

  #continued(bytecode: Bytecode, name: string, args: readonly unknown[]): readonly Instruction[] {
    const spec = steps.get(name)
    if (spec === undefined) throw noMethod("a traversal", name, [...steps.keys(), ...terminals.keys()])
    const operator = args.length === 0 ? spec.emptyOperator : spec.operator
    const values = args.map((arg) => this.argument(arg))
    return [...bytecode.stepInstructions, new Instruction(operator, values)]
  }

  /** Runs a traversal and gives what its terminal method makes of the results. */
  *end(traversal: ScriptTraversal, name: string, count: number | undefined): Evaluation {
    const { source, bytecode, variables } = traversal
    const want = name === "iterate" ? "none" : name === "explain" ? "explain" : "list"
    const one = name === "next" || name === "hasNext" || name === "tryNext"
    const limit = one ? (count ?? 1) : undefined
    const answer = yield { kind: "traversal", source, bytecode, variables, want, limit }
    if (want === "none") return null
    return want === "explain" ? answer : yield* this.#ended(answer as unknown[], name, count)
  }

  *#ended(results: unknown[], name: string, count: number | undefined): Evaluation {
    switch (name) {
      case "next":
        if (count !== undefined) return results
        if (results.length === 0)
          throw new OperandError("the traversal has no result for next(): ask hasNext() or use tryNext()")
        return results[0] ?? null
      case "hasNext":
        return results.length > 0
      case "tryNext":
        return new Optional(results.length === 0 ? undefined : (results[0] ?? null))
      case "toSet":
      case "toBulkSet": {
        const set = name === "toSet" ? new GremlinSet() : new BulkSet()
        for (let i = 0; i < results.length; i++) {
          set.add(results[i])
          if (i % 10_000 === 9_999) yield { kind: "pause" }
        }
        return set
      }
      default:
        return results
    }
  }

  #source(source: TraversalSource, name: string, args: readonly unknown[]): unknown {
    if (args.length === 0) {
      if (name === "tx") return new TransactionControl(source)
      if (name === "toString") return String(source)
      if (name === "close") return null
    }
    throw noMethod("a traversal source", name, [...spawns, "tx", "with", "withStrategies", "withSideEffect"])
  }

  *#transaction(transaction: TransactionControl, name: string, args: readonly unknown[]): Evaluation {
    if (!Object.hasOwn(transactionActions, name) || args.length > 0) {
      throw noMethod("a transaction", name, Object.keys(transactionActions))
    }
    const action = transactionActions[name as keyof typeof transactionActions]
    const { of } = transaction
    const answer = yield { kind: "transaction", action, of }
    if (action === "isOpen") return answer === true
    if (action !== "begin") return null
    return answer ?? (of instanceof TraversalSource ? of : (of.source ?? null))
  }

  *#hostObject(object: HostObject, name: string, args: readonly unknown[]): Evaluation {
    if (object.source !== undefined) {
      if (name === "traversal") return object.source
      if (name === "tx") return new TransactionControl(object)
      const request = graphCall(name, args)
      if (request !== undefined) return yield* this.#graph(request, object.source)
    }
    if (object.methods.has(name)) return (yield { kind: "method", of: object, name, args }) ?? null
    if (name === "toString" && args.length === 0) return String(object)
    throw noMethod(object.type, name, object.methods)
  }

  /** Methods of classes that only make a value are done here, others are the host's. */
  *#classMethod(of: ClassName, name: string, args: readonly unknown[]): Evaluation {
    const [first] = args
    if (name === "getSimpleName" && args.length === 0) return of.name
    if (of.name === "UUID" && name === "randomUUID" && args.length === 0) return new Uuid(crypto.randomUUID())
    if (of.name === "UUID" && name === "fromString" && typeof first === "string") return uuidOf(first)
    const kind = numberTypeOf(of.name)
    if (kind !== undefined && args.length === 1 && /^(valueOf|parse[A-Z][a-z]+)$/.test(name))
      return toNumber(first, kind)
    if (of.name === "Geoshape") return geoshapeOf(name, args)
    if (of.name === "String" && name === "valueOf" && args.length === 1) return this.#budget.text(first)
    if (this.#scope.classes.get(of.name)?.has(name)) return (yield { kind: "method", of, name, args }) ?? null
    throw new OperandError(noCode(`${of.name}.${name}(...) calls a class`))
  }

  *#constant(of: HostConstant, name: string, args: readonly unknown[]): Evaluation {
    if (this.#scope.classes.get(of.className)?.has(name)) return (yield { kind: "method", of, name, args }) ?? null
    if ((name === "toString" || name === "name") && args.length === 0) return of.name
    throw new OperandError(noCode(`${of.className}.${of.name}.${name}(...) calls a class`))
  }

  *#graph(request: GraphCall, source: TraversalSource): Evaluation {
    const bytecode = new Bytecode(
      source.instructions,
      request.bytecode.stepInstructions.map(
        ({ operator, args }) =>
          new Instruction(
            operator,
            args.map((arg) => this.argument(arg))
          )
      )
    )
    const variables = new Map<string, unknown>()
    const want = request.result === "none" ? "none" : "list"
    const answer = yield { kind: "traversal", source, bytecode, variables, want, limit: undefined }
    if (request.result === "none") return null
    const results = answer as readonly unknown[]
    return request.result === "first" ? (results[0] ?? null) : new ScriptIterator(results)
  }
}

/** Shapes by their numbers: latitude first, and the radius of a circle in kilometres. */
const geoshapeOf = (name: string, args: readonly unknown[]): Geoshape => {
  if (!["point", "circle", "box"].includes(name)) {
    throw new OperandError(
      `there is no Geoshape.${name}(): this server makes points, circles and boxes. Lines and polygons that JanusGraph wrote ` +
        "are kept and shown, and cannot be compared"
    )
  }
  const numbers = args.map((arg) => plainNumber(arg))
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers
  try {
    if (name === "point" && numbers.length === 2) return Geoshape.point(first, second)
    if (name === "circle" && numbers.length === 3) return Geoshape.circle(first, second, third)
    if (name === "box" && numbers.length === 4) return Geoshape.box(first, second, third, fourth)
  } catch (error) {
    if (error instanceof RangeError) throw new OperandError(`Geoshape.${name}(): ${error.message}`)
    throw error
  }
  throw new OperandError(
    "shapes are Geoshape.point(latitude, longitude), Geoshape.circle(latitude, longitude, kilometres) and " +
      "Geoshape.box(south, west, north, east)"
  )
}

const plainNumber = (value: unknown): number => {
  const number = toNumber(value, "Double")
  return typeof number === "number" ? number : (number as Double).value
}

const uuidOf = (text: string): Uuid => {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return new Uuid(text)
  throw new OperandError(`${JSON.stringify(text.slice(0, 60))} is not a UUID`)
}
