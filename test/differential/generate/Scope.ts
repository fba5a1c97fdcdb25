import type { Value } from "../../conformance/Value.ts"
import type { Random } from "../../fuzz/Random.ts"
import type { Key, Model } from "../graphs/Model.ts"
import { type Argument, type Call, type Child, literalArgument, text } from "../syntax/Traversal.ts"
import type { Type } from "./Types.ts"
import { valueFor } from "./Values.ts"

/** Calls that the generator made, and what comes out of the last of them. */
export interface Made {
  readonly calls: ReadonlyArray<Call>
  readonly type: Type
}

/** Makes a chain of steps for what comes in. */
export type Chain = (scope: Scope, type: Type, length: number) => Made

/** What is the same throughout a case. */
interface Setting {
  readonly random: Random
  readonly model: Model
  readonly chain: Chain
  /** Whether every value must have a literal in the language. */
  readonly written: boolean
  /** Whether steps may change the graph. */
  readonly writes: boolean
  /** How often a step is chosen that does not fit what comes in: 0 to 1. */
  readonly wild: number
  /** Names of side effects and what is in them; a case has one set of them. */
  readonly sideEffects: Map<string, Type>
}

/** How a scope differs from the one around it. */
interface Change {
  readonly labels?: ReadonlyMap<string, Type>
  readonly depth?: number
  readonly loops?: number
  readonly sack?: Type
}

/**
 * What a step can refer to where it stands: labels, side effects, the sack, the graph; and how deep traversals may still be
 * nested. It also draws: every choice of a case comes from its one generator of random numbers.
 */
export class Scope {
  readonly random: Random
  readonly model: Model
  readonly written: boolean
  readonly writes: boolean
  readonly wild: number
  readonly sideEffects: Map<string, Type>
  readonly labels: Map<string, Type>
  /** Levels of traversals that may still be nested. */
  readonly depth: number
  /** How many repeat() are around. */
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

  /** The scope of a traversal inside of this one: what it labels is not seen outside. */
  inner(loops = this.loops): Scope {
    const { labels, depth, sack } = this
    return new Scope(this.#setting, { labels, depth: depth - 1, loops, ...(sack !== undefined && { sack }) })
  }

  /** The same scope with a sack. */
  withSack(sack: Type): Scope {
    return new Scope(this.#setting, { labels: this.labels, depth: this.depth, loops: this.loops, sack })
  }

  /** A traversal inside of this one, of 1 to `length` steps: for what comes in. */
  child(type: Type, length = 2): { readonly child: Child; readonly type: Type } {
    const inner = this.inner()
    const made = this.#setting.chain(inner, type, this.chance(0.6) ? 1 : 1 + this.random.below(length))
    return { child: { kind: "child", steps: made.calls }, type: made.type }
  }

  /** More steps at this place. */
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

  /** A value of a type. */
  value(type: Type): Value {
    return valueFor(type, this.random, this.written)
  }

  argument(type: Type): Argument {
    return literalArgument(this.value(type))
  }

  /** Keys of properties of vertices, of edges or of vertex properties; all of them for anything else. */
  keys(type: Type): ReadonlyArray<Key> {
    const found = this.model.keys.filter(({ on }) => on === type.kind)
    return found.length === 0 ? this.model.keys : found
  }

  /** A key of what comes in; now and then one that is not there. */
  key(type: Type): Key {
    if (this.chance(0.03)) return { name: "absent", on: "vertex", type: { kind: "any" }, samples: [] }
    return this.one(this.keys(type))
  }

  /** A value that a key has somewhere, mostly. */
  sample({ samples, type }: Key): Value {
    return samples.length > 0 && this.chance(0.85) ? this.one(samples) : this.value(type)
  }

  /** Labels of edges for a step from a vertex: none, one or two. */
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

  /** A label that as() gave, with what it is on; undefined where there is none. */
  label(): readonly [string, Type] | undefined {
    return this.labels.size === 0 ? undefined : this.one([...this.labels])
  }

  sideEffect(): readonly [string, Type] | undefined {
    return this.sideEffects.size === 0 ? undefined : this.one([...this.sideEffects])
  }
}
