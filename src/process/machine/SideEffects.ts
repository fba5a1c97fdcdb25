import type { Task } from "../../scheduling/Task.ts"
import { Keyed } from "../../structure/collections/Equivalence.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { Path } from "../../structure/elements/Path.ts"
import { GraphCopy } from "../../structure/graph/GraphCopy.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { type Closure, ClosureSource } from "../language/Closure.ts"
import { TraversalError } from "../language/Errors.ts"
import type { Run, SideEffectSpec, SideEffects } from "../plan/Run.ts"
import { Profile } from "../profile/Profile.ts"
import { Accumulator } from "../scalars/Accumulator.ts"

// They stay empty.
const NO_VALUES = new Map<string, Accumulator>()
const NOTHING_LENT = new Set<Accumulator>()
const NO_KEYS = new Set<string>()

/** Whether a value contains other values. */
export const isCompound = (value: unknown): boolean =>
  Array.isArray(value) || value instanceof Keyed || value instanceof Path || value instanceof Tree

/** The side effects of one run: named values that steps write, and that cap(), select() and predicates read. */
export class CollectedSideEffects implements SideEffects {
  /** A new map only if there are entries: most runs have none. */
  #values: Map<string, Accumulator> = NO_VALUES
  #specs: ReadonlyMap<string, SideEffectSpec> | null = null
  /** Accumulators whose growing collections traversers may have. */
  #lent: Set<Accumulator> = NOTHING_LENT
  /** Keys that more than one step or withSideEffect() declares. */
  #declaredAgain: Set<string> = NO_KEYS
  /** The traversal changes the graph. */
  readonly #writes: boolean
  readonly #run: Run

  /** @param writes The traversal changes the graph. */
  constructor(specs: readonly SideEffectSpec[], run: Run, writes: boolean) {
    this.#writes = writes
    this.#run = run
    if (specs.length === 0) return
    const known = new Map<string, SideEffectSpec>()
    this.#values = new Map()
    this.#lent = new Set()
    for (const spec of specs) {
      if (!known.has(spec.key)) known.set(spec.key, spec)
      else if (this.#declaredAgain.size > 0) this.#declaredAgain.add(spec.key)
      else this.#declaredAgain = new Set([spec.key])
    }
    this.#specs = known
  }

  has(key: string): boolean {
    return this.#specs?.has(key) === true
  }

  isOfStep(key: string): boolean {
    return this.#specs?.get(key)?.owned === true
  }

  /** As in TinkerPop, a value begins when a step first needs it: a closure of withSideEffect() may have effects. */
  at(key: string): Accumulator {
    const found = this.#values.get(key)
    if (found !== undefined) return found
    const spec = this.#specs?.get(key)
    if (spec === undefined) throw new TraversalError(`The side-effect key does not exist in the traversal: ${key}`)
    const begun = new Accumulator(spec.initial(this.#run), spec.owned)
    this.#values.set(key, begun)
    return begun
  }

  look(key: string): unknown {
    return this.at(key).current
  }

  /**
   * The value for a traverser. As in TinkerPop it may grow until the next {@link settle}. It does not grow if the traversal
   * writes, because properties keep values. For subgraph() it is the graph so far, for profile() the measurements so far.
   */
  read(key: string): unknown {
    const accumulator = this.at(key)
    const { current } = accumulator
    if (current instanceof GraphCopy) return current.result()
    if (current instanceof Profile) return current.metrics()
    if (!accumulator.isOwned) return current
    if (this.#writes) return accumulator.share()
    this.#lent.add(accumulator)
    return current
  }

  /** Whether a traverser may have a collection that still grows. */
  get lends(): boolean {
    return this.#lent.size > 0
  }

  /**
   * Ends the growth of the collections that traversers have read. To be called before a compound value leaves the run (as
   * a result or for a service) or becomes a part of a side effect: results do not change while they are serialized, and no
   * collection contains itself.
   */
  settle(): void {
    for (const accumulator of this.#lent) accumulator.share()
    this.#lent.clear()
  }

  /** To be called before a value becomes a part of a side effect. */
  takes(value: unknown): void {
    if (this.#lent.size > 0 && isCompound(value)) this.settle()
  }

  isOfOneStep(key: string): boolean {
    return this.isOfStep(key) && !this.#declaredAgain.has(key)
  }

  /** The same as {@link read}, with yields: profile() may have measurements of thousands of steps. */
  *readTask(key: string): Task<unknown> {
    const value = this.look(key)
    return value instanceof Profile ? yield* value.metricsTask() : this.read(key)
  }

  operator(key: string): EnumValue | Closure | null {
    const operator = this.#specs?.get(key)?.operator ?? null
    return operator instanceof ClosureSource ? this.#run.closures.of(operator) : operator
  }
}
