import { Bytecode, Instruction } from "../../process/language/Bytecode.ts"
import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import { isCopied } from "../../structure/DeepCopy.ts"
import { closest } from "../../structure/Spelling.ts"
import { ClassName, Uuid } from "../../structure/Temporal.ts"
import { spawns, steps, terminals } from "../parser/Steps.ts"
import type { Evaluation } from "../Scope.ts"
import {
  type HostCall,
  HostConstant,
  HostObject,
  Optional,
  type Scope,
  ScriptIterator,
  ScriptTraversal,
  TransactionControl,
  TraversalSource
} from "../Scope.ts"
import { noCode } from "../SyntaxErrors.ts"
import { type Budget, OperandError } from "./Budget.ts"
import { cast, numberTypeOf, toNumber } from "./Casts.ts"
import { elementCall, type GraphCall, graphCall } from "./ElementCalls.ts"
import { geoshapeOf, uuidOf } from "./MadeValues.ts"
import { ownCopy, ownMembers } from "./Ownership.ts"
import { callMethod, readIndex, readMember } from "./ValueMethods.ts"

/** The requests to the host of transaction methods. */
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

/** Runs the methods that scripts call on traversals, sources, transactions, objects of the host, classes, elements and values. */
export class Receivers {
  readonly #scope: Scope
  readonly #budget: Budget

  constructor(scope: Scope, budget: Budget) {
    this.#scope = scope
    this.#budget = budget
  }

  /** A copy of a value as an argument of a traversal. Fails with OperandError for a value that cannot be one. */
  *argument(value: unknown): Evaluation {
    return yield* ownCopy(this.#carried(value), this.#budget)
  }

  *#arguments(args: readonly unknown[]): Generator<HostCall, Array<unknown>, unknown> {
    const out: Array<unknown> = []
    for (const arg of args) out.push(yield* this.argument(arg))
    return out
  }

  #carried(value: unknown): unknown {
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

  /** A part of a value. It is copied when the value, such as an element, is not the script's. */
  *#part(of: unknown, part: unknown): Evaluation {
    return isOwn(of) ? part : yield* ownCopy(part, this.#budget)
  }

  /** `value.name` without a call. */
  *member(value: unknown, name: string): Evaluation {
    return yield* this.#part(value, this.#member(value, name))
  }

  /** `value[index]`. */
  *index(value: unknown, index: unknown): Evaluation {
    return yield* this.#part(value, readIndex(value, index, this.#budget))
  }

  /** `value as type`. */
  *cast(value: unknown, type: string): Evaluation {
    return yield* this.#part(value, cast(value, type, this.#budget))
  }

  #member(value: unknown, name: string): unknown {
    if (value instanceof ClassName) return name === "simpleName" ? value.name : new HostConstant(value.name, name)
    if (value instanceof HostObject) throw noMethod(`${value.type} has no property ${name}; it`, name, value.methods)
    return readMember(value, name)
  }

  /** `value.name(args)`. */
  *call(value: unknown, name: string, args: readonly unknown[]): Evaluation {
    if (value instanceof ScriptTraversal) return yield* this.#traversal(value, name, args)
    if (value instanceof Bytecode)
      return new Bytecode(value.sourceInstructions, yield* this.#continued(value, name, args))
    if (value instanceof TraversalSource) return this.#source(value, name, args)
    if (value instanceof TransactionControl) return yield* this.#transaction(value, name, args)
    if (value instanceof HostObject) return yield* this.#hostObject(value, name, args)
    if (value instanceof ClassName) return yield* this.#classMethod(value, name, args)
    if (value instanceof HostConstant) return yield* this.#constant(value, name, args)
    const change = elementCall(value, name, args)
    if (change !== undefined) return yield* this.#graph(change, this.#scope.source)
    return yield* this.#part(value, callMethod(value, name, args, this.#budget))
  }

  /** Calls a method of a traversal in a variable: a terminal method takes results, a step continues the traversal. */
  *#traversal(traversal: ScriptTraversal, name: string, args: readonly unknown[]): Evaluation {
    if (name === "toString" && args.length === 0) return this.#budget.string(traversal.toString())
    if (name === "iterator" && args.length === 0) return traversal
    if (!terminals.has(name)) {
      const { sourceInstructions } = traversal.bytecode
      const bytecode = new Bytecode(sourceInstructions, yield* this.#continued(traversal.bytecode, name, args))
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

  *#continued(
    bytecode: Bytecode,
    name: string,
    args: readonly unknown[]
  ): Generator<HostCall, readonly Instruction[], unknown> {
    const spec = steps.get(name)
    if (spec === undefined) throw noMethod("a traversal", name, [...steps.keys(), ...terminals.keys()])
    const operator = args.length === 0 ? spec.emptyOperator : spec.operator
    return [...bytecode.stepInstructions, new Instruction(operator, yield* this.#arguments(args))]
  }

  /** Runs a traversal. Gives the value of its terminal method. */
  *end(traversal: ScriptTraversal, name: string, count: number | undefined): Evaluation {
    const { source, bytecode, variables } = traversal
    const want = name === "iterate" ? "none" : name === "explain" ? "explain" : "list"
    const one = name === "next" || name === "hasNext" || name === "tryNext"
    const limit = one ? (count ?? 1) : undefined
    const answer = yield { kind: "traversal", source, bytecode, variables, want, limit }
    if (want === "none") return emptied(traversal)
    return want === "explain"
      ? answer
      : yield* this.#ended(yield* ownMembers(answer as unknown[], this.#budget), name, count)
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
    if (object.methods.has(name)) return yield* this.#hostMethod(object, name, args)
    if (name === "toString" && args.length === 0) return String(object)
    throw noMethod(object.type, name, object.methods)
  }

  *#hostMethod(of: HostObject | ClassName | HostConstant, name: string, args: readonly unknown[]): Evaluation {
    const given = yield* ownMembers([...args], this.#budget)
    const answer = yield { kind: "method", of, name, args: given }
    return (yield* ownCopy(answer, this.#budget)) ?? null
  }

  /** Calls a method of a class. Methods that only create a value run here, the others in the host. */
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
    if (this.#scope.classes.get(of.name)?.has(name)) return yield* this.#hostMethod(of, name, args)
    throw new OperandError(noCode(`${of.name}.${name}(...) calls a class`))
  }

  *#constant(of: HostConstant, name: string, args: readonly unknown[]): Evaluation {
    if (this.#scope.classes.get(of.className)?.has(name)) return yield* this.#hostMethod(of, name, args)
    if ((name === "toString" || name === "name") && args.length === 0) return of.name
    throw new OperandError(noCode(`${of.className}.${of.name}.${name}(...) calls a class`))
  }

  *#graph(request: GraphCall, source: TraversalSource): Evaluation {
    const instructions: Array<Instruction> = []
    for (const { args, operator } of request.bytecode.stepInstructions) {
      instructions.push(new Instruction(operator, yield* this.#arguments(args)))
    }
    const bytecode = new Bytecode(source.instructions, instructions)
    const variables = new Map<string, unknown>()
    const want = request.result === "none" ? "none" : "list"
    const answer = yield { kind: "traversal", source, bytecode, variables, want, limit: undefined }
    if (request.result === "none") return null
    const results = yield* ownMembers(answer as unknown[], this.#budget)
    return request.result === "first" ? (results[0] ?? null) : new ScriptIterator(results)
  }
}

/** True for collections of the script, whose parts are the script's, and for values without parts. */
const isOwn = (value: unknown): boolean =>
  typeof value !== "object" || isCopied(value) || value instanceof ScriptIterator || value instanceof Optional

/** The value of iterate(): the traversal itself, without results. */
const emptied = (traversal: ScriptTraversal): ScriptTraversal => {
  traversal.results = []
  traversal.taken = 0
  return traversal
}
