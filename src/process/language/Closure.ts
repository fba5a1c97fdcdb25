import type { Pending } from "../../scheduling/Pending.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { TraversalError } from "./Errors.ts"

/** How far a call of a closure has come: done, paused because its time slice is over, or waiting for a store. */
export type ClosureProgress = "done" | "slice" | Pending

/** A call of a closure. It may run traversals, and wait for them. */
export interface ClosureCall {
  /** Continues the call until it is done or must let others run. An error of the closure is thrown. */
  advance(): ClosureProgress
  /** The value of the closure. Only after `advance()` returned "done". */
  readonly result: unknown
  /** Ends a call that is not done: its run is over. */
  close(): void
}

/** CPU time that {@link Closure.now} takes for a value, ms. A busy machine may stop the process for longer than that. */
const MAX_NOW_MS = 10

/** A closure as the argument of a step. A {@link ClosureBinder} makes a {@link Closure} of it. */
export abstract class ClosureSource {
  /** The text of the closure, for explain() and error messages. */
  abstract readonly text: string
  /** Number of arguments that it takes: 1 for a closure with the implicit `it`. */
  abstract readonly parameterCount: number
  /**
   * True if a call changes nothing, prints nothing and keeps nothing of its arguments, so that it may be repeated, and be done for
   * many traversers before later steps see the first.
   */
  get isPure(): boolean {
    return false
  }

  toString(): string {
    return this.text
  }

  get [Symbol.toStringTag](): string {
    return "Closure"
  }
}

/** An Operator, or a closure of two arguments, that makes one value of two. */
export type Combiner = EnumValue | ClosureSource

/** Binds closures to the request that runs them. */
export interface ClosureBinder {
  /** @param slice the time slice of the run */
  bind(source: ClosureSource, slice: TimeSlice): Closure
}

/** A closure that can be called. */
export abstract class Closure extends ClosureSource {
  /**
   * Begins a call with these arguments. The closure may change collections, so arguments and the result are copied.
   *
   * @param isOwn true if the first argument and the result belong to the closure: they are not copied
   */
  abstract begin(args: readonly unknown[], isOwn?: boolean): ClosureCall

  /**
   * The value of a call that waits for no store and does not take long. Throws TraversalError for any other call. `where` names
   * the argument of the traversal.
   */
  now(args: readonly unknown[], where: string): unknown {
    const call = this.begin(args)
    const begun = process.cpuUsage()
    for (;;) {
      const progress = call.advance()
      if (progress === "done") return call.result
      const { system, user } = process.cpuUsage(begun)
      if (progress === "slice" && user + system < MAX_NOW_MS * 1_000) continue
      call.close()
      throw new TraversalError(
        `A closure of ${where} gives its value within ${MAX_NOW_MS} ms of CPU time and waits for no store. Calculate the value before the traversal.`
      )
    }
  }

  /** The answer of a predicate such as that of filter(). Throws for a value that is no Boolean, as Java does. */
  abstract test(value: unknown): boolean
  /** The members of a list, set or iterator, which flatMap() emits. Throws for any other value. */
  abstract members(value: unknown): readonly unknown[]
}

/** The traverser of a row, as a closure sees it. Its methods are those of TinkerPop's Traverser. */
export abstract class ClosureTraverser {
  get [Symbol.toStringTag](): string {
    return "Traverser"
  }

  /** True if the traverser goes on with its object, whatever the closure returns: in sideEffect() and filter(). */
  abstract readonly keepsObject: boolean
  /** The object of the traverser. Throws TraversalError after the call of the closure. */
  abstract get(): unknown
  /** Calls a method, such as get() or loops(). Throws TraversalError for an unknown one. */
  abstract call(name: string, args: readonly unknown[]): unknown
}
