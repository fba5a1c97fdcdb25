import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import { isPredicate } from "../../../process/language/Predicate.ts"
import { steps } from "../../../process/language/StepSignatures.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { isCopied } from "../../../structure/collections/DeepCopy.ts"
import type { HostCall, ScriptRun, TraversalCall } from "../../HostCall.ts"
import { graphNames, iteratorMethods, spawns, terminals } from "../../parser/Methods.ts"
import type { Terminal } from "../../Script.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import { ScriptSource, ScriptTraversal, TransactionControl } from "../../ScriptObjects.ts"
import { attemptOf } from "../../Suspension.ts"
import { Spread, severalArguments } from "../arguments/Spread.ts"
import { checkedOperator } from "../arguments/StepArguments.ts"
import { instructionOf } from "../arguments/Substitution.ts"
import type { Budget } from "../budget/Budget.ts"
import { type ClosureCalls, noMethod } from "../closures/ClosureCalls.ts"
import { areEqualValues } from "../comparison/GroovyEquality.ts"
import { withOwnValues } from "../operators/PredicateMethods.ts"
import { toNumber } from "../types/Casts.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { OpenTraversal } from "../values/OpenTraversal.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { ownCopy, ownMembers } from "./Ownership.ts"
import { collects, emptied, ended, filled, resultOf } from "./Terminals.ts"
import { asArgument } from "./TraversalArguments.ts"

/** Runs the methods of traversals and of their sources. */
export class TraversalCalls {
  readonly #budget: Budget
  readonly #closures: ClosureCalls

  /** @param closures runs methods of the results that take a closure */
  constructor(budget: Budget, closures: ClosureCalls) {
    this.#budget = budget
    this.#closures = closures
  }

  /** A copy of a value as an argument of a traversal. Fails with OperandError for a value that a traversal cannot have. */
  *argument(value: unknown): ScriptRun {
    if (value instanceof OpenTraversal) return value.taken
    if (isPredicate(value)) return withOwnValues(value, this.#budget)
    if (value instanceof Spread) return new Spread(yield* this.#arguments(severalArguments(value.members)))
    const copy = yield* ownCopy(asArgument(value), this.#budget)
    return value instanceof JavaArray ? new JavaArray(value.type, copy as unknown[]) : copy
  }

  *#arguments(args: readonly unknown[]): Generator<HostCall, Array<unknown>, unknown> {
    const out: Array<unknown> = []
    for (const arg of args) {
      out.push(yield* this.argument(arg))
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return out
  }

  /** The arguments of a step that takes closures. */
  *#withClosures(args: readonly unknown[]): Generator<HostCall, Array<unknown>, unknown> {
    const out: Array<unknown> = []
    for (const arg of args) out.push(arg instanceof ScriptClosure ? arg : yield* this.argument(arg))
    return out
  }

  /** Calls a method of a traversal in a variable: a terminal method takes results, a step continues the traversal. */
  *call(traversal: ScriptTraversal, name: string, args: readonly unknown[]): ScriptRun {
    const last = args.at(-1)
    if (last instanceof ScriptClosure && (iteratorMethods.has(name) || !steps.has(name))) {
      return yield* this.#closures.call(traversal, name, args.slice(0, -1), last)
    }
    if (name === "toString" && args.length === 0) return this.#budget.string(traversal.toString())
    if (name === "equals" && args.length === 1) return areEqualValues(traversal, args[0], this.#budget)
    if (name === "clone" && args.length === 0) {
      return new ScriptTraversal(traversal.source, traversal.bytecode, traversal.variables)
    }
    if (name === "asBoolean" && args.length === 0) return yield* this.call(traversal, "hasNext", [])
    if (name === "fill" && args.length === 1) {
      return filled(args[0], (yield* this.call(traversal, "toList", [])) as unknown[], this.#budget)
    }
    if (!terminals.has(name)) {
      const { sourceInstructions } = traversal.bytecode
      const bytecode = new Bytecode(sourceInstructions, yield* this.continued(traversal.bytecode, name, args))
      checkContinues(traversal, name)
      return traversal.continue(bytecode)
    }
    const count = args.length === 0 ? undefined : Number(toNumber(args[0], "Int"))
    return yield* this.taken(traversal, { name: name as Terminal["name"], count })
  }

  /**
   * The value of a terminal method of a traversal in a variable. The first one runs the traversal, and each takes results that those
   * before it have left.
   */
  *taken(traversal: ScriptTraversal, terminal: Terminal): ScriptRun {
    const { count, name } = terminal
    if (name === "iterator") return traversal
    if (traversal.results === undefined) {
      if (name === "iterate" || name === "explain") return yield* this.end(traversal, terminal)
      traversal.results = (yield* this.end(traversal, { name: "toList", count: undefined })) as unknown[]
    }
    if (name === "iterate") return emptied(traversal)
    if (name === "explain") {
      throw new OperandError(
        "the traversal has run already, so that it cannot be explained: call explain() on a new one",
        "IllegalStateException"
      )
    }
    const from = traversal.taken
    const most = takesOne.has(name) ? Math.max(0, count ?? 1) : traversal.results.length
    const results = traversal.results.slice(from, from + most)
    if (name !== "hasNext") traversal.taken += results.length
    return yield* ended(results, terminal)
  }

  /** Calls a method of an anonymous traversal in a variable: a step continues it. */
  *ofAnonymous(traversal: Bytecode, name: string, args: readonly unknown[]): ScriptRun {
    if (name === "equals" && args.length === 1) return areEqualValues(traversal, args[0], this.#budget)
    if (name === "clone" && args.length === 0) return new OpenTraversal(traversal)
    const steps = yield* this.continued(traversal, name, args)
    return traversal instanceof OpenTraversal
      ? traversal.continue(steps)
      : new OpenTraversal(new Bytecode(traversal.sourceInstructions, steps))
  }

  /** The instructions of a traversal with a further step. Fails with OperandError for a method that is no step. */
  *continued(
    bytecode: Bytecode,
    name: string,
    args: readonly unknown[]
  ): Generator<HostCall, readonly Instruction[], unknown> {
    const spec = steps.get(name)
    if (spec === undefined) throw noMethod("a traversal", name, [...steps.keys(), ...terminals.keys()])
    this.#budget.created(bytecode.stepInstructions.length + 1)
    const given = yield* spec.closure === undefined ? this.#arguments(args) : this.#withClosures(args)
    return [...bytecode.stepInstructions, checkedInstruction(name, given)]
  }

  /** Runs a traversal. Returns the value of its terminal method. */
  *end(traversal: ScriptTraversal, terminal: Terminal): ScriptRun {
    const call = callOf(traversal, terminal)
    return call === undefined ? traversal : yield* this.ended(traversal, yield call, terminal)
  }

  /** The value of the terminal method of a traversal that has run. `answer` is the answer of the host. */
  *ended(traversal: ScriptTraversal, answer: unknown, terminal: Terminal): ScriptRun {
    if (terminal.name === "iterate") return emptied(traversal)
    if (terminal.name === "explain") return answer
    return yield* ended(yield* ownMembers(answer as unknown[], this.#budget), terminal)
  }

  /** The value as {@link ended} gives it, or a {@link Suspension}. */
  attemptEnded(traversal: ScriptTraversal, answer: unknown, terminal: Terminal): unknown {
    if (terminal.name === "iterate") return emptied(traversal)
    const results = answer as unknown[]
    const isQuick = results.length <= CHUNK_ITEMS && !collects(terminal) && !results.some(isCopied)
    return isQuick ? resultOf(results, terminal) : attemptOf(this.ended(traversal, answer, terminal))
  }

  /** Calls a method of a traversal source: a step begins a traversal. */
  *ofSource(source: ScriptSource, name: string, args: readonly unknown[]): ScriptRun {
    const spec = spawns.has(name) ? steps.get(name) : undefined
    if (spec !== undefined) {
      const instruction = checkedInstruction(name, yield* this.#arguments(args))
      return new ScriptTraversal(source, new Bytecode(source.instructions, [instruction]), new Map())
    }
    if (args.length === 0) {
      if (name === "tx") return new TransactionControl(source)
      if (name === "toString") return this.#budget.text(source)
      if (name === "close") return null
      if (name === "getGraph") return yield { kind: "method", of: source, name, args }
    }
    // The parser leaves with() of a variable to the run, because the variable may be a traversal, and an argument a closure.
    if (name === "with" && (args.length === 1 || args.length === 2)) {
      const given = new Instruction(name, yield* this.#arguments(args))
      return new ScriptSource(source.name, [...source.instructions, given], source.handle)
    }
    if (graphNames.has(name)) {
      throw new Unavailable(`a traversal source has no method ${name}(): a graph has it, such as graph.${name}()`)
    }
    throw noMethod("a traversal source", name, [...spawns, "tx", "with", "withStrategies", "withSideEffect"])
  }
}

/** Terminal methods that take one result, or as many as `next(n)` names. */
const takesOne: ReadonlySet<string> = new Set(["next", "hasNext", "tryNext"])

/** Fails with OperandError if a traversal has run, so that it takes no further step. */
export const checkContinues = (traversal: ScriptTraversal, name: string): void => {
  if (traversal.results === undefined) return
  throw new OperandError(
    `the traversal has run already, so that it takes no further step: begin a new one for ${name}()`,
    "IllegalStateException"
  )
}

/** What the host runs for a terminal method; undefined for iterator(), which runs nothing. */
export const callOf = (
  { bytecode, source, variables }: ScriptTraversal,
  { count, name }: Terminal
): TraversalCall | undefined => {
  if (name === "iterator") return undefined
  const want = name === "iterate" ? "none" : name === "explain" ? "explain" : "list"
  const limit = takesOne.has(name) ? (count ?? 1) : undefined
  return { kind: "traversal", source, bytecode, variables, want, limit }
}

/** A step with these arguments. Fails with OperandError if the step does not take them. */
const checkedInstruction = (name: string, given: readonly unknown[]): Instruction => {
  const { args } = instructionOf(name, given)
  return new Instruction(checkedOperator(name, args), args)
}
