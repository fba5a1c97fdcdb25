import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { order } from "../../../structure/comparison/Ordering.ts"
import { type JavaRandom, shuffle } from "../../../structure/numbers/JavaRandom.ts"
import { type EnumValue, Order } from "../../../structure/scalars/Enums.ts"
import { isEnum } from "../../language/Arguments.ts"
import { type Closure, ClosureSource } from "../../language/Closure.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { PlanBuilder } from "../../plan/Step.ts"
import { compared, type Later } from "../closure/ClosureTasks.ts"
import { By } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"

/** Common base of both forms of order(): modulators with a direction. */
export abstract class OrderStep extends ModulatedStep {
  readonly operator = "order"
  readonly #directions: Array<EnumValue> = []
  readonly #comparators: Array<ClosureSource | null> = []

  /** The arguments of by() may be a key, a token, a traversal, and an Order or a closure that compares. */
  protected override modulator(args: readonly unknown[], compiler: PlanBuilder): By {
    const direction = args.find((arg) => isEnum(arg, "Order")) as EnumValue | undefined
    this.#directions.push(direction ?? Order.asc)
    const closure = args.find((arg) => arg instanceof ClosureSource) ?? null
    this.#comparators.push(closure)
    return By.of(args.filter((arg) => arg !== closure && !isEnum(arg, "Order"))[0], this, compiler)
  }

  protected get directions(): ReadonlyArray<EnumValue> {
    return this.#directions.length === 0 ? [Order.asc] : this.#directions
  }

  override describeModulators(): string {
    const texts = this.directions.map(({ name }, at) => `[${this.by(at)}, ${this.#comparators[at]?.text ?? name}]`)
    return `[${texts.join(", ")}]`
  }

  override get callsClosure(): boolean {
    return this.#comparators.some((closure) => closure !== null)
  }

  /** The closures that compare, by compared criterion; null = the order of values. */
  protected comparators({ run }: Activation): ReadonlyArray<Closure | null> {
    return this.compared(this.#comparators).map((closure) => (closure === null ? null : run.closures.of(closure)))
  }

  /** True if the order is random, because the last criterion is. */
  protected get isShuffled(): boolean {
    return this.directions.at(-1) === Order.shuffle
  }

  /** The entries of the criteria that are compared: as in TinkerPop, those after the last random one. */
  protected compared<A>(criteria: ReadonlyArray<A>): ReadonlyArray<A> {
    return criteria.slice(this.directions.lastIndexOf(Order.shuffle) + 1)
  }

  override get varies(): boolean {
    return this.callsClosure || this.isShuffled
  }

  override get draws(): boolean {
    return this.isShuffled
  }
}

/** The key of a row that has no value. It sorts after all values, in both directions. */
export const UNSORTED = Symbol("unsorted")

/** Compares rows by their keys. Rows of different origins are not mixed: the result is ordered by origin first. */
export const comparator = (
  keys: ReadonlyArray<ReadonlyArray<unknown>>,
  directions: ReadonlyArray<EnumValue>,
  originOf: ((row: number) => number) | null
): ((a: number, b: number) => number) => {
  const signs = directions.map((direction) => (direction === Order.desc ? -1 : 1))
  return (a, b) => {
    if (originOf !== null) {
      const apart = originOf(a) - originOf(b)
      if (apart !== 0) return apart
    }
    for (let k = 0; k < keys.length; k++) {
      const left = keys[k]![a]
      const right = keys[k]![b]
      if (left !== UNSORTED && right !== UNSORTED) {
        const result = compareKeys(left, right)
        if (result !== 0) return result * signs[k]!
      } else if (left !== right) return left === UNSORTED ? 1 : -1
    }
    return a - b
  }
}

/** The same as {@link comparator}, with closures that compare the keys of some criteria. */
export const closureComparator = (
  keys: ReadonlyArray<ReadonlyArray<unknown>>,
  directions: ReadonlyArray<EnumValue>,
  comparators: ReadonlyArray<Closure | null>,
  originOf: ((row: number) => number) | null,
  activation: Activation
): ((a: number, b: number) => Later) => {
  const signs = directions.map((direction) => (direction === Order.desc ? -1 : 1))
  const byKey = (a: number, b: number, k: number): Later => {
    const closure = comparators[k] ?? null
    const left = keys[k]![a]
    const right = keys[k]![b]
    return closure === null ? compareKeys(left, right) : compared(closure, left, right, activation)
  }
  /** Compares by the keys from this one on. `begun` is what is left of the comparison by it. */
  const rest = function* (a: number, b: number, first: number, begun: Task<number>): Task<number> {
    let later: Later = begun
    for (let k = first; ; ) {
      const result: number = typeof later === "number" ? later : yield* later
      if (result !== 0) return result * signs[k]!
      if (++k === keys.length) return 0
      later = byKey(a, b, k)
    }
  }
  return (a, b) => {
    const apart = originOf === null ? 0 : originOf(a) - originOf(b)
    if (apart !== 0) return apart
    for (let k = 0; k < keys.length; k++) {
      const result = byKey(a, b, k)
      if (typeof result !== "number") return rest(a, b, k, result)
      if (result !== 0) return result * signs[k]!
    }
    return 0
  }
}

const compareKeys = (a: unknown, b: unknown): number => {
  if (typeof a === "number" && typeof b === "number" && !Number.isNaN(a) && !Number.isNaN(b))
    return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === "string" && typeof b === "string") {
    return a < b ? -1 : a > b ? 1 : 0
  }
  return order(a, b)
}

/** Shuffles the numbers in place, in chunks. */
export function* shuffled(numbers: { [index: number]: number; readonly length: number }, random: JavaRandom): Task {
  for (let end = numbers.length; end > 1; end -= CHUNK_ITEMS) {
    shuffle(numbers, random, end, Math.max(1, end - CHUNK_ITEMS))
    yield
  }
}
