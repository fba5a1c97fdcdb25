import { Sized } from "../../../structure/memory/HeldBytes.ts"
import type { Evaluation } from "../../Scope.ts"
import type { Caller } from "./MemberCalls.ts"

/** Approximate size of an object without parts. */
const OBJECT_BYTES = 64

/** A value with methods of its own that need no host, such as a builder. It cannot be an argument of a traversal. */
export abstract class CalledValue extends Sized {
  get heldBytes(): number {
    return OBJECT_BYTES
  }

  /** Calls a method that calls no closure. Fails with OperandError for an unknown method or wrong arguments. */
  abstract call(name: string, args: readonly unknown[]): unknown

  /** Calls a method. Fails with OperandError for an unknown method or wrong arguments. */
  // biome-ignore lint/correctness/useYield: other values have methods that call closures.
  *run(name: string, args: readonly unknown[], _caller: Caller): Evaluation {
    return this.call(name, args)
  }
}
