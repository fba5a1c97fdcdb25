import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { LabelSet } from "../../structure/graph/GraphReads.ts"
import { type Meter, valueBytes } from "./Growth.ts"

/** Labels of a graph, at most: their numbers are packed with others into one number in several places. */
const MAX_LABELS = 1 << 20

/** Estimated bytes of a label besides its name. */
const LABEL_BYTES = 160

/** Names of vertex or edge labels and their numbers. It only grows; the number of a name never changes. */
export class Labels {
  readonly #meter: Meter
  readonly #names: Array<string> = []
  readonly #numbers = new Map<string, number>()
  readonly #ranks: Array<number> = []

  constructor(meter: Meter) {
    this.#meter = meter
  }

  get size(): number {
    return this.#names.length
  }

  name(label: number): string {
    return this.#names[label]!
  }

  /** The number of a name, or -1. */
  find(name: string): number {
    return this.#numbers.get(name) ?? -1
  }

  /** The number of a name, which is added when it is new. Throws UnsupportedValue when the graph has too many labels. */
  intern(name: string): number {
    let label = this.#numbers.get(name)
    if (label === undefined) {
      label = this.#names.length
      if (label >= MAX_LABELS) {
        throw new UnsupportedValue(`The graph has ${MAX_LABELS} labels and can have no more; put data into properties.`)
      }
      this.#meter.heap += LABEL_BYTES + valueBytes(name)
      this.#names.push(name)
      this.#numbers.set(name, label)
      this.#ranks.push(bucket(name))
    }
    return label
  }

  /** True when edges of label `a` come before those of `b` at one vertex. */
  before(a: number, b: number): boolean {
    const left = this.#ranks[a]!
    const right = this.#ranks[b]!
    return left < right || (left === right && a < b)
  }
}

/**
 * TinkerGraph keeps the edges of a vertex in a Java HashMap by label, so that its documentation and its tests show
 * them in the order of that map's 16 buckets (v[1] of the modern graph: created before knows). Same order here.
 */
const bucket = (name: string): number => {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0
  return (hash ^ (hash >>> 16)) & 15
}

const NO_FLAGS = new Uint8Array(0)

/** Labels of a query as numbers. Resolved again when there are new labels, as a traversal may create the one that it reads. */
export class MemoryLabelSet implements LabelSet {
  readonly labels: readonly string[]
  readonly #known: Labels
  #resolvedAt = -1
  #single = -1
  #flags = NO_FLAGS

  constructor(labels: readonly string[], known: Labels) {
    this.labels = labels
    this.#known = known
  }

  /** The only label, or -1 when {@link flags} must be asked. */
  get single(): number {
    if (this.#resolvedAt !== this.#known.size) this.#resolve()
    return this.#single
  }

  /** 1 at the number of each label; ask {@link single} first. */
  get flags(): Uint8Array {
    if (this.#resolvedAt !== this.#known.size) this.#resolve()
    return this.#flags
  }

  #resolve(): void {
    this.#resolvedAt = this.#known.size
    this.#flags = NO_FLAGS
    this.#single = this.labels.length === 1 ? this.#known.find(this.labels[0]!) : -1
    if (this.labels.length < 2) return
    const found = new Set(this.labels.map((name) => this.#known.find(name)))
    found.delete(-1)
    if (found.size === 1) this.#single = [...found][0]!
    if (found.size < 2) return
    this.#flags = new Uint8Array(this.#known.size)
    for (const label of found) this.#flags[label] = 1
  }
}
