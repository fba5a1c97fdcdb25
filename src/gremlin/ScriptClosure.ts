import { ClosureSource } from "../process/language/Closure.ts"

/** What a closure's body says about itself. */
export interface ClosureBody {
  /** The name of a function; empty for a closure. */
  readonly name: string
  readonly parameterCount: number
  /** Whether no variable holds a traversal that is the result of a call, and that the call has begun. */
  readonly givesOwnTraversals: boolean
  /** Whether a call of the closure with these variables around it is pure, as {@link ClosureSource.isPure} defines it. */
  isPureWith(boxes: readonly unknown[]): boolean
}

/**
 * A closure or function as a value of a script. `ScriptRuntime.call(closure, args)` runs it. It keeps no runtime,
 * because a session's closures run in the requests that call them.
 */
export class ScriptClosure extends ClosureSource {
  /** The prepared body, a ClosureCode. */
  readonly code: ClosureBody
  /** The variables around the closure that it uses. Only program/ reads them. */
  readonly boxes: readonly unknown[]
  /** The object whose properties and methods the closure may name alone; undefined without one. */
  readonly delegate: unknown

  constructor(code: ClosureBody, boxes: readonly unknown[], delegate: unknown) {
    super()
    this.code = code
    this.boxes = boxes
    this.delegate = delegate
  }

  /** How deep the closures nest of which this one is made; 0 for a closure with a body. */
  get levels(): number {
    return 0
  }

  /** Number of arguments that the closure takes: 1 for a closure with the implicit `it`. */
  get parameterCount(): number {
    return this.code.parameterCount
  }

  /** Whether no variable holds a traversal that is the result of a call, and that the call has begun. */
  get givesOwnTraversals(): boolean {
    return this.code.givesOwnTraversals
  }

  override get isPure(): boolean {
    return this.delegate === undefined && this.code.isPureWith(this.boxes)
  }

  /** This closure with another delegate, for `with` and `tap`. */
  delegatingTo(delegate: unknown): ScriptClosure {
    return new ScriptClosure(this.code, this.boxes, delegate)
  }

  get text(): string {
    return "lambda"
  }

  override toString(): string {
    return this.code.name === "" ? "closure" : `function ${this.code.name}()`
  }
}
