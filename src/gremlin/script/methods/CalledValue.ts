import { Sized } from "../../../structure/memory/HeldBytes.ts"
import type { ScriptRun } from "../../HostCall.ts"
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

  /** The value of a property, as in `calendar.time`; undefined for a value without the property. */
  member(_name: string): unknown {
    return undefined
  }

  /** Stores a value in a property or at an index, as in `calendar.time = date`. Returns false if the value has no such place. */
  assign(_place: unknown, _value: unknown): boolean {
    return false
  }

  /** Calls a method. Fails with OperandError for an unknown method or wrong arguments. */
  // biome-ignore lint/correctness/useYield: other values have methods that call closures.
  *run(name: string, args: readonly unknown[], _caller: Caller): ScriptRun {
    return this.call(name, args)
  }
}
