import { Double } from "../numbers/Numbers.ts"
import { text } from "../texts/Text.ts"

/** The fields of {@link Metrics}. */
type MetricsFields = { readonly [Field in keyof Metrics]: Metrics[Field] }

/** The measurements of profile() for one step, and for the steps inside it. */
export class Metrics {
  readonly id: string
  readonly name: string
  /** Nanoseconds. */
  readonly duration: bigint
  /** Counts by name: `traverserCount`, `elementCount`. */
  readonly counts: ReadonlyMap<string, bigint>
  /** Other measurements by name: `percentDur` (a Double), the index that a look-up used. */
  readonly annotations: ReadonlyMap<string, unknown>
  readonly nested: readonly Metrics[]
  constructor({ id, name, duration, counts, annotations, nested }: MetricsFields) {
    this.id = id
    this.name = name
    this.duration = duration
    this.counts = counts
    this.annotations = annotations
    this.nested = nested
  }
}

/** The result of profile(): the time of the whole traversal, and its steps. */
export class TraversalMetrics {
  /** Nanoseconds. */
  readonly duration: bigint
  readonly metrics: readonly Metrics[]
  constructor(duration: bigint, metrics: readonly Metrics[]) {
    this.duration = duration
    this.metrics = metrics
  }
  /** A table with a line for each step, as the console shows it. */
  toString(): string {
    const lines = [columns("Step", "Count", "Traversers", "Time (ms)", "% Dur")]
    lines.push("=".repeat(lines[0]!.length))
    addLines(lines, this.metrics, 0)
    lines.push(columns(">TOTAL".padStart(50), "-", "-", milliseconds(this.duration), "-"))
    return ["Traversal Metrics", ...lines].join("\n")
  }
}

const columns = (name: string, ...cells: readonly string[]): string =>
  name.slice(0, 50).padEnd(50) + cells.map((cell) => cell.padStart(14)).join("")

const milliseconds = (nanoseconds: bigint): string => (Number(nanoseconds) / 1_000_000).toFixed(3)

const addLines = (lines: Array<string>, metrics: readonly Metrics[], depth: number): void => {
  for (const { name, counts, duration, annotations, nested } of metrics) {
    const share = annotations.get("percentDur")
    const percent = share instanceof Double ? share.value : share
    lines.push(
      columns(
        "  ".repeat(depth) + name,
        String(counts.get("elementCount") ?? ""),
        String(counts.get("traverserCount") ?? ""),
        milliseconds(duration),
        typeof percent === "number" ? percent.toFixed(2) : ""
      )
    )
    for (const [key, value] of annotations) {
      if (key !== "percentDur") lines.push(`${"  ".repeat(depth + 1)}\\_${key}=${text(value)}`)
    }
    addLines(lines, nested, depth + 1)
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
  /** A line for each strategy with the steps after it, as the console shows it. */
  toString(): string {
    const line = (name: string, mark: string, steps: readonly string[]): string =>
      `${name.padEnd(36)}${mark.padEnd(5)}[${steps.join(", ")}]`
    return [
      "Traversal Explanation",
      line("Original Traversal", "", this.original),
      ...this.intermediate.map(({ strategy, category, steps }) => line(strategy, `[${category.slice(0, 1)}]`, steps)),
      line("Final Traversal", "", this.final)
    ].join("\n")
  }
}
