/** Lines of one kind per second. A client that disconnects may end thousands of its requests at once. */
const MAX_LINES_PER_SECOND = 20

/** Time after which omitted lines are reported. */
const REPORT_DELAY_MS = 1_000

/** Kinds of failures with a separate quota; further kinds share one. */
const MAX_KINDS = 64

/** Limits the log lines of one kind, which clients can cause in large numbers, and counts the omitted ones. */
export class LineQuota {
  readonly #report: ((left: number) => void) | undefined
  #second = 0
  #written = 0
  #left = 0

  /** @param report receives the number of omitted lines, a second after the first of them. Without it take() returns the number. */
  constructor(report?: (left: number) => void) {
    this.#report = report
  }

  /** Returns the number of lines omitted before this one, or undefined when this one must be omitted. */
  take(): number | undefined {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#written = 0
    }
    if (this.#written >= MAX_LINES_PER_SECOND) {
      if (this.#left === 0 && this.#report !== undefined) setTimeout(() => this.#reportLeft(), REPORT_DELAY_MS).unref()
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

/** Limits the log lines of failures, with a quota for each kind, so that many failures of one kind do not hide others. */
export class FailureQuotas {
  readonly #quotas = new Map<string, LineQuota>()
  readonly #report: (kind: string, left: number) => void

  /** @param report receives how many failures of a kind were omitted */
  constructor(report: (kind: string, left: number) => void) {
    this.#report = report
  }

  /** True when the failure is to be logged. */
  take(error: unknown): boolean {
    const found = kindOf(error)
    const kind = this.#quotas.has(found) || this.#quotas.size < MAX_KINDS ? found : "others"
    let quota = this.#quotas.get(kind)
    if (quota === undefined) {
      quota = new LineQuota((left) => this.#report(kind, left))
      this.#quotas.set(kind, quota)
    }
    return quota.take() !== undefined
  }
}

/**
 * The kind of an error: its class and the place that threw it. The message is excluded, because it may contain data of a
 * client.
 */
const kindOf = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${/^ +at .*$/m.exec(error.stack ?? "")?.[0].trim() ?? ""}` : typeof error
