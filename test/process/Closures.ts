import { Bytecode, Instruction } from "../../src/process/language/Bytecode.ts"
import { Closure, type ClosureCall, type ClosureTraverser } from "../../src/process/language/Closure.ts"

/** A closure of a test: a function that may pause before it gives its value. */
export class TestClosure extends Closure {
  readonly text = "{test}"
  readonly parameterCount = 1
  readonly #body: (...args: readonly unknown[]) => unknown
  readonly #pauses: number
  constructor(body: (...args: readonly unknown[]) => unknown, pauses = 0) {
    super()
    this.#body = body
    this.#pauses = pauses
  }
  begin(args: readonly unknown[]): ClosureCall {
    let left = this.#pauses
    const body = this.#body
    return {
      advance: () => (left-- > 0 ? "slice" : "done"),
      get result() {
        return body(...args)
      },
      close: () => {}
    }
  }
  test(value: unknown): boolean {
    return value !== null && value !== false && value !== 0
  }
  members(value: unknown): readonly unknown[] {
    return value as unknown[]
  }
}

/** The child traversal that stands for a closure in the arguments of a step. */
export const child = (closure: Closure, argument: "traverser" | "object" = "traverser"): Bytecode =>
  new Bytecode([], [new Instruction("closure", [closure, argument])])

/** Calls a method of the traverser of a closure. */
export const get = (traverser: unknown, name = "get", ...args: unknown[]): unknown =>
  (traverser as ClosureTraverser).call(name, args)
