/** Lines of one kind in a second: one client that gives up may end thousands of its requests at once. */
const MOST_LINES = 20

/** Time after which lines that were left out are reported, ms. */
const REPORT_AFTER = 1_000

/** Kinds of failures with a quota of their own; further kinds share one. */
const MOST_KINDS = 64

/** Lines of one kind in the log, of which clients may cause many: how many may be written, and how many were not. */
export class LineQuota {
  readonly #report: ((left: number) => void) | undefined
  #second = 0
  #written = 0
  #left = 0

  /** @param report is told the number of lines left out, a second after the first of them; without it take() tells it */
  constructor(report?: (left: number) => void) {
    this.#report = report
  }

  /** The number of lines left out before this one; undefined when this one is to be left out. */
  take(): number | undefined {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#written = 0
    }
    if (this.#written >= MOST_LINES) {
      if (this.#left === 0 && this.#report !== undefined) setTimeout(() => this.#reportLeft(), REPORT_AFTER).unref()
      this.#left++
      return undefined
    }
    this.#written++
    return this.#report === undefined ? this.#takeLeft() : 0
  }

  #reportLeft(): void {
    this.#report?.(this.#takeLeft())
  }

  #takeLeft(): number {
    const left = this.#left
    this.#left = 0
    return left
  }
}

/** Quotas of lines about failures, one for each kind: a flood of one kind hides no other. */
export class FailureQuotas {
  readonly #quotas = new Map<string, LineQuota>()
  readonly #report: (kind: string, left: number) => void

  /** @param report is told how many failures of a kind were left out */
  constructor(report: (kind: string, left: number) => void) {
    this.#report = report
  }

  /** Whether the failure is to be written. */
  take(error: unknown): boolean {
    const found = kindOf(error)
    const kind = this.#quotas.has(found) || this.#quotas.size < MOST_KINDS ? found : "others"
    let quota = this.#quotas.get(kind)
    if (quota === undefined) {
      quota = new LineQuota((left) => this.#report(kind, left))
      this.#quotas.set(kind, quota)
    }
    return quota.take() !== undefined
  }
}

/** An error's class and the place that threw it; its message may hold what a client sent. */
const kindOf = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${/^ +at .*$/m.exec(error.stack ?? "")?.[0].trim() ?? ""}` : typeof error
