import type { Task } from "../../scheduling/Task.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import { GraphCopy } from "../../structure/GraphCopy.ts"
import { TraversalError } from "../language/Errors.ts"
import { Profile } from "../profile/Profile.ts"
import type { TraversalRun } from "./TraversalRun.ts"

/** A side effect as the plan knows it: its key, how each run makes its first value, and how values are merged into it. */
export interface SideEffectSpec {
  readonly key: string
  /** Must give a fresh value each time: runs change it. */
  readonly supplier: (run: TraversalRun) => unknown
  /** The Operator of withSideEffect(key, value, operator); null = the step that writes decides. */
  readonly operator: EnumValue | null
}

/** Stays empty. */
const NONE = new Map<string, unknown>()

/** The side effects of one run: named values that steps write and cap(), select() and predicates read. */
export class SideEffects {
  /** Made with the first entry: most runs have none. */
  #values: Map<string, unknown> = NONE
  #specs: ReadonlyMap<string, SideEffectSpec> | null = null

  constructor(specs: readonly SideEffectSpec[], run: TraversalRun) {
    if (specs.length === 0) return
    const known = new Map<string, SideEffectSpec>()
    for (const spec of specs) {
      if (known.has(spec.key)) continue
      known.set(spec.key, spec)
      this.set(spec.key, spec.supplier(run))
    }
    this.#specs = known
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  /** Throws TraversalError when there is none of this key. */
  get(key: string): unknown {
    if (!this.#values.has(key)) throw new TraversalError(`The side-effect key does not exist in the traversal: ${key}`)
    return this.#values.get(key)
  }

  /** The value as traversals see it: a graph being collected is the graph so far, measurements those made so far. */
  read(key: string): unknown {
    const value = this.get(key)
    if (value instanceof GraphCopy) return value.result()
    return value instanceof Profile ? value.metrics() : value
  }

  /** The same in pieces: there may be measurements of thousands of steps. */
  *readInPieces(key: string): Task<unknown> {
    const value = this.get(key)
    return value instanceof Profile ? yield* value.pieces() : this.read(key)
  }

  set(key: string, value: unknown): void {
    if (this.#values === NONE) this.#values = new Map()
    this.#values.set(key, value)
  }

  /** The operator given with withSideEffect(), or null. */
  operator(key: string): EnumValue | null {
    return this.#specs?.get(key)?.operator ?? null
  }

  keys(): IterableIterator<string> {
    return this.#values.keys()
  }
}
