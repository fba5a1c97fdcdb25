/** What profile() found out about one step, and about the steps inside it. */
export class Metrics {
  readonly id: string
  readonly name: string
  /** Nanoseconds. */
  readonly duration: bigint
  /** How many of what: `traverserCount`, `elementCount`. */
  readonly counts: ReadonlyMap<string, bigint>
  /** Other findings by name: `percentDur` (a Double), the index that a look-up used. */
  readonly annotations: ReadonlyMap<string, unknown>
  readonly nested: readonly Metrics[]
  constructor(
    id: string,
    name: string,
    duration: bigint,
    counts: ReadonlyMap<string, bigint>,
    annotations: ReadonlyMap<string, unknown>,
    nested: readonly Metrics[]
  ) {
    this.id = id
    this.name = name
    this.duration = duration
    this.counts = counts
    this.annotations = annotations
    this.nested = nested
  }
}

/** The result of profile(): the whole traversal's time and its steps. */
export class TraversalMetrics {
  /** Nanoseconds. */
  readonly duration: bigint
  readonly metrics: readonly Metrics[]
  constructor(duration: bigint, metrics: readonly Metrics[]) {
    this.duration = duration
    this.metrics = metrics
  }
}

/** The steps of a traversal after one strategy was applied. */
export interface ExplainedStrategy {
  readonly strategy: string
  /** `DecorationStrategy`, `OptimizationStrategy`, ... */
  readonly category: string
  readonly steps: readonly string[]
}

/** The result of explain(): the steps as written, after each strategy, and as they would run. */
export class TraversalExplanation {
  readonly original: readonly string[]
  readonly intermediate: readonly ExplainedStrategy[]
  constructor(original: readonly string[], intermediate: readonly ExplainedStrategy[]) {
    this.original = original
    this.intermediate = intermediate
  }
  /** The steps that run. */
  get final(): readonly string[] {
    return this.intermediate.at(-1)?.steps ?? this.original
  }
}
