import { double, isInt } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** Java's AtomicInteger or AtomicLong: a number that changes in place. As in Java, it goes on with the least number after the largest. */
export class Counter {
  /** The name of its class. */
  readonly type: string
  #value: bigint

  /** Fails with OperandError for a value that is no Integer, or no Integer or Long for an AtomicLong. */
  constructor(type: string, value: unknown = 0) {
    this.type = type
    this.#value = 0n
    this.set(value)
  }

  /** The name of its class, as scripts see it. */
  get [Symbol.toStringTag](): string {
    return this.type
  }

  /** The number as an Integer or a Long. */
  get value(): number | bigint {
    return this.type === "AtomicInteger" ? Number(this.#value) : this.#value
  }

  /** A number as one of the class of this number. Fails with OperandError for a number of another class. */
  asOwn(value: unknown): number | bigint {
    const whole = this.#whole(value)
    return this.type === "AtomicInteger" ? Number(whole) : whole
  }

  /** Sets the number. Fails with OperandError for a number of another class. */
  set(value: unknown): void {
    this.#value = this.#whole(value)
  }

  /** Adds a number, and returns the number before. Fails with OperandError for a number of another class. */
  add(value: unknown): number | bigint {
    const before = this.value
    this.#value = BigInt.asIntN(this.type === "AtomicInteger" ? 32 : 64, this.#value + this.#whole(value))
    return before
  }

  /** Sets the number if it is the expected one. Fails with OperandError for a number of another class. */
  compareAndSet(expected: unknown, value: unknown): boolean {
    const next = this.#whole(value)
    if (this.#whole(expected) !== this.#value) return false
    this.#value = next
    return true
  }

  /** Sets the result of a closure, which must have the class of the number as in Java. Fails with OperandError. */
  update(made: unknown): void {
    if (made === null) throw new OperandError(`${this.type} cannot hold null`, "NullPointerException")
    const name = this.type === "AtomicInteger" ? "Integer" : "Long"
    if (typeName(made) !== name) {
      throw new OperandError(
        `the closure gives ${typeName(made)}, and ${this.type} holds ${name}`,
        "ClassCastException"
      )
    }
    this.set(made)
  }

  #whole(value: unknown): bigint {
    if (typeof value === "number" && isInt(value)) return BigInt(value)
    if (typeof value === "bigint" && this.type === "AtomicLong") return value
    const wanted = this.type === "AtomicInteger" ? "an Integer" : "an Integer or a Long"
    throw new OperandError(`${this.type} takes ${wanted}, not ${typeName(value)}`, "MissingMethodException")
  }

  toString(): string {
    return String(this.#value)
  }
}

/** A method that adds a number and returns the one before. */
const addingAfter = (by: number): Method => [0, 0, (counter: Counter) => counter.add(by)]

/** A method that adds a number and returns the sum. */
const addingBefore = (by: number): Method => [0, 0, (counter: Counter) => added(counter, by)]

const added = (counter: Counter, by: unknown): number | bigint => {
  counter.add(by)
  return counter.value
}

/** Methods of a counter. */
export const counterMethods: Methods = {
  get: [0, 0, (counter: Counter) => counter.value],
  set: [1, 1, (counter: Counter, [value]) => counter.set(value)],
  intValue: [0, 0, (counter: Counter) => Number(BigInt.asIntN(32, BigInt(counter.value)))],
  longValue: [0, 0, (counter: Counter) => BigInt(counter.value)],
  doubleValue: [0, 0, (counter: Counter) => double(Number(counter.value))],
  compareAndSet: [2, 2, (counter: Counter, [expected, value]) => counter.compareAndSet(expected, value)],
  incrementAndGet: addingBefore(1),
  decrementAndGet: addingBefore(-1),
  getAndIncrement: addingAfter(1),
  getAndDecrement: addingAfter(-1),
  addAndGet: [1, 1, (counter: Counter, [by]) => added(counter, by)],
  getAndAdd: [1, 1, (counter: Counter, [by]) => counter.add(by)],
  getAndSet: [
    1,
    1,
    (counter: Counter, [value]) => {
      const before = counter.value
      counter.set(value)
      return before
    }
  ]
}
