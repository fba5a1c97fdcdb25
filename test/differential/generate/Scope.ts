import type { Value } from "../../conformance/Value.ts"
import type { Random } from "../../fuzz/Random.ts"
import type { Key, Model } from "../graphs/Model.ts"
import { type Argument, type Call, type Child, literalArgument, text } from "../syntax/Traversal.ts"
import type { Type } from "./Types.ts"
import { valueFor } from "./Values.ts"

/** Generated calls, and the result type of the last one. */
export interface Made {
  readonly calls: ReadonlyArray<Call>
  readonly type: Type
}

/** Draws a chain of steps for an incoming type. */
export type Chain = (scope: Scope, type: Type, length: number) => Made

/** Settings that are constant within a case. */
interface Setting {
  readonly random: Random
  readonly model: Model
  readonly chain: Chain
  /** True if the case is sent as a script, so that every value needs a literal. */
  readonly written: boolean
  /** True if steps may change the graph. */
  readonly writes: boolean
  /** Probability that a step does not fit its incoming values, 0 to 1. */
  readonly wild: number
  /** Names and types of the side effects of the case. */
  readonly sideEffects: Map<string, Type>
}

/** Differences of a scope from the enclosing scope. */
interface Change {
  readonly labels?: ReadonlyMap<string, Type>
  readonly depth?: number
  readonly loops?: number
  readonly sack?: Type
}

/**
 * The names that a step can use at its position: labels, side effects, the sack and the graph. Also the remaining nesting
 * depth. All random choices of a case come from the one random generator of its scopes.
 */
export class Scope {
  readonly random: Random
  readonly model: Model
  readonly written: boolean
  readonly writes: boolean
  readonly wild: number
  readonly sideEffects: Map<string, Type>
  readonly labels: Map<string, Type>
  /** Remaining levels of nested traversals. */
  readonly depth: number
  /** Number of enclosing repeat() steps. */
  readonly loops: number
  readonly sack: Type | undefined
  readonly #setting: Setting

  constructor(setting: Setting, { labels = new Map(), depth = 3, loops = 0, sack }: Change = {}) {
    this.#setting = setting
    this.random = setting.random
    this.model = setting.model
    this.written = setting.written
    this.writes = setting.writes
    this.wild = setting.wild
    this.sideEffects = setting.sideEffects
    this.labels = new Map(labels)
    this.depth = depth
    this.loops = loops
    this.sack = sack
  }

  /** The scope of a nested traversal. Its labels are not visible outside. */
  inner(loops = this.loops): Scope {
    const { labels, depth, sack } = this
    return new Scope(this.#setting, { labels, depth: depth - 1, loops, ...(sack !== undefined && { sack }) })
  }

  /** The same scope with a sack. */
  withSack(sack: Type): Scope {
    return new Scope(this.#setting, { labels: this.labels, depth: this.depth, loops: this.loops, sack })
  }

  /** Draws a nested traversal of 1 to `length` steps for an incoming type. */
  child(type: Type, length = 2): { readonly child: Child; readonly type: Type } {
    const inner = this.inner()
    const made = this.#setting.chain(inner, type, this.chance(0.6) ? 1 : 1 + this.random.below(length))
    return { child: { kind: "child", steps: made.calls }, type: made.type }
  }

  /** Draws further steps in this scope. */
  chain(type: Type, length: number): Made {
    return this.#setting.chain(this, type, length)
  }

  one<A>(choices: ReadonlyArray<A>): A {
    return this.random.one(choices)
  }

  chance(probability: number): boolean {
    return this.random.chance(probability)
  }

  below(bound: number): number {
    return this.random.below(bound)
  }

  /** Draws a value of a type. */
  value(type: Type): Value {
    return valueFor(type, this.random, this.written)
  }

  argument(type: Type): Argument {
    return literalArgument(this.value(type))
  }

  /** The property keys of vertices, edges or vertex properties. For another type, all keys. */
  keys(type: Type): ReadonlyArray<Key> {
    const found = this.model.keys.filter(({ on }) => on === type.kind)
    return found.length === 0 ? this.model.keys : found
  }

  /** Draws a property key of a type. Some keys do not exist in the graph. */
  key(type: Type): Key {
    if (this.chance(0.03)) return { name: "absent", on: "vertex", type: { kind: "any" }, samples: [] }
    return this.one(this.keys(type))
  }

  /** Draws a value for a key. Most values occur in the graph. */
  sample({ samples, type }: Key): Value {
    return samples.length > 0 && this.chance(0.85) ? this.one(samples) : this.value(type)
  }

  /** Draws 0 to 2 edge labels. */
  edgeLabels(): ReadonlyArray<Argument> {
    if (this.chance(0.65)) return []
    const { edgeLabels } = this.model
    const first = this.chance(0.04) ? "absent" : this.one(edgeLabels)
    const second = this.one(edgeLabels)
    return first === second || this.chance(0.6) ? [text(first)] : [text(first), text(second)]
  }

  vertexId(): Value {
    const { vertexIds } = this.model
    return vertexIds.length === 0 || this.chance(0.03) ? this.value({ kind: "number" }) : this.one(vertexIds)
  }

  edgeId(): Value {
    const { edgeIds } = this.model
    return edgeIds.length === 0 || this.chance(0.03) ? this.value({ kind: "number" }) : this.one(edgeIds)
  }

  /** Draws a step label of as(), with the type of the labelled objects. Undefined if the scope has no label. */
  label(): readonly [string, Type] | undefined {
    return this.labels.size === 0 ? undefined : this.one([...this.labels])
  }

  sideEffect(): readonly [string, Type] | undefined {
    return this.sideEffects.size === 0 ? undefined : this.one([...this.sideEffects])
  }
}
