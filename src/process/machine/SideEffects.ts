import type { Task } from "../../scheduling/Task.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import { Keyed } from "../../structure/Equivalence.ts"
import { GraphCopy } from "../../structure/GraphCopy.ts"
import { Path } from "../../structure/Path.ts"
import { Tree } from "../../structure/Tree.ts"
import { TraversalError } from "../language/Errors.ts"
import type { Run, SideEffectSpec, SideEffects } from "../plan/Run.ts"
import { Profile } from "../profile/Profile.ts"
import { Accumulator } from "../scalars/Accumulator.ts"

/** Both stay empty. */
const NONE = new Map<string, Accumulator>()
const NOTHING_LENT = new Set<Accumulator>()

/** True for values that have other values in them. */
export const isCompound = (value: unknown): boolean =>
  Array.isArray(value) || value instanceof Keyed || value instanceof Path || value instanceof Tree

/** The side effects of one run: named values that steps write and cap(), select() and predicates read. */
export class CollectedSideEffects implements SideEffects {
  /** Made with the first entry: most runs have none. */
  #values: Map<string, Accumulator> = NONE
  #specs: ReadonlyMap<string, SideEffectSpec> | null = null
  /** Those whose collection traversers may have. */
  #lent: Set<Accumulator> = NOTHING_LENT
  /** True for a traversal that changes the graph. */
  readonly #writes: boolean

  /** `writes`: the traversal changes the graph. */
  constructor(specs: readonly SideEffectSpec[], run: Run, writes: boolean) {
    this.#writes = writes
    if (specs.length === 0) return
    const known = new Map<string, SideEffectSpec>()
    this.#values = new Map()
    this.#lent = new Set()
    for (const spec of specs) {
      if (known.has(spec.key)) continue
      known.set(spec.key, spec)
      this.#values.set(spec.key, new Accumulator(spec.initial(run), spec.owned))
    }
    this.#specs = known
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  at(key: string): Accumulator {
    const found = this.#values.get(key)
    if (found === undefined) throw new TraversalError(`The side-effect key does not exist in the traversal: ${key}`)
    return found
  }

  look(key: string): unknown {
    return this.at(key).current
  }

  /**
   * The value as traversers get it, which goes on growing until {@link settle}, as in TinkerPop; it stays as it is where the
   * traversal writes, because properties keep values. A graph being collected is the graph so far, measurements those made so
   * far.
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

  /** True while a traverser may have a collection that still grows. */
  get lends(): boolean {
    return this.#lent.size > 0
  }

  /**
   * Every collection that traversers have stays as it is from now on. To be called before a value that may be one or may hold
   * one leaves the run (for a result, for a service), or becomes a part of a side effect: so results do not change while they are written, and no collection
   * ever contains itself.
   */
  settle(): void {
    for (const accumulator of this.#lent) accumulator.share()
    this.#lent.clear()
  }

  /** A value is about to become a part of a side effect. */
  takes(value: unknown): void {
    if (this.#lent.size > 0 && isCompound(value)) this.settle()
  }

  /** The same in pieces: there may be measurements of thousands of steps. */
  *readInPieces(key: string): Task<unknown> {
    const value = this.look(key)
    return value instanceof Profile ? yield* value.pieces() : this.read(key)
  }

  operator(key: string): EnumValue | null {
    return this.#specs?.get(key)?.operator ?? null
  }
}
