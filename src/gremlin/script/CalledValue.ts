/** A value with methods of its own that need no host, such as a builder. It cannot be an argument of a traversal. */
export abstract class CalledValue {
  /** Calls a method. Fails with OperandError for an unknown method or wrong arguments. */
  abstract call(name: string, args: readonly unknown[]): unknown
}
