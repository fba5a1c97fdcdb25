import { lateModule, madeOnce } from "../../services/LateModules.ts"
import type { MetricFamily } from "../../services/Metrics.ts"
import { countersOf, merged } from "../observability/MetricFamilies.ts"
import type { WorkerLink } from "./WorkerLink.ts"
import { exitText } from "./WorkerLink.ts"

/** Time that a worker has to answer, ms. A scrape must not wait for a worker that is busy. */
const ANSWER_MS = 2_000

/**
 * The metrics of the whole server, in the primary process. The counts of a worker that has ended stay: those of its last report or
 * its last answer.
 */
export class ServerMetrics {
  readonly #workers: () => ReadonlyArray<WorkerLink>
  /** The last known counts of each worker. */
  readonly #known = new Map<WorkerLink, ReadonlyArray<MetricFamily>>()
  #ended: ReadonlyArray<MetricFamily> = []
  #starts = 0
  readonly #deaths = new Map<string, number>()
  #replaced = 0
  #failedStarts = 0
  /** Made at the first question: it measures the delay of the event loop, for which the process wakes 100 times a second. */
  readonly #process = madeOnce(async () => {
    const { ProcessMetrics } = await textModule()
    return new ProcessMetrics("primary")
  })
  readonly #blocked: () => number

  /**
   * @param workers the workers that run now
   * @param blocked the number of requests that are refused, because workers died of them
   */
  constructor(workers: () => ReadonlyArray<WorkerLink>, blocked: () => number) {
    this.#workers = workers
    this.#blocked = blocked
  }

  /** Workers that ended without an order after they had served. Those whose start failed replace nothing, and are not replaced. */
  get replaced(): number {
    return this.#replaced
  }

  /**
   * Loads the code of the metrics, and measures nothing yet. No reload replaces the primary process, and its files may be gone after the
   * installation of another version.
   */
  async load(): Promise<void> {
    await textModule()
  }

  /** Counts a worker from its start to its end. */
  attend(link: WorkerLink): void {
    this.#starts++
    link.channel.onNotice("counted", (counts) => this.#learn(link, counts))
    link.channel.onQuestion("metrics", () => this.families())
    void link.ended.then((exit) => {
      this.#ended = merged([this.#ended, this.#known.get(link) ?? []])
      this.#known.delete(link)
      if (exit.isExpected) return
      if (!link.hasServed) {
        this.#failedStarts++
        return
      }
      this.#replaced++
      const how = exitText(exit)
      this.#deaths.set(how, (this.#deaths.get(how) ?? 0) + 1)
    })
  }

  /** A worker that has ended is counted already. */
  #learn(link: WorkerLink, families: ReadonlyArray<MetricFamily>): void {
    if (link.state === "ended") return
    const counters = countersOf(families)
    const names = new Set(counters.map(({ name }) => name))
    const kept = (this.#known.get(link) ?? []).filter(({ name }) => !names.has(name))
    this.#known.set(link, [...kept, ...counters])
  }

  /** The metrics of all workers and of the primary process. */
  async families(): Promise<ReadonlyArray<MetricFamily>> {
    const links = this.#workers().filter(({ state }) => state !== "starting" && state !== "ended")
    const asked = await Promise.all(
      links.map(async (link) => {
        const answer = await link.channel.ask("peer", { name: "metrics", body: null }, ANSWER_MS).catch(() => undefined)
        const families = answer as ReadonlyArray<MetricFamily> | undefined
        if (families !== undefined) this.#learn(link, families)
        return { link, families }
      })
    )
    const own = await (await this.#process()).families()
    // From here on nothing waits: a worker that ends now is counted once, by its last counts.
    const answered = asked.map(({ families, link }) =>
      link.state === "ended" ? [] : (families?.filter(({ type }) => type === "gauge") ?? [])
    )
    return merged([...answered, this.#ended, ...this.#known.values(), own, this.#ofWorkers(asked)])
  }

  #ofWorkers(
    asked: ReadonlyArray<{ readonly link: WorkerLink; readonly families: unknown }>
  ): ReadonlyArray<MetricFamily> {
    const serving = this.#workers().filter(({ state }) => state === "serving").length
    return [
      metric("engine_server_workers", "Workers that take connections.", "gauge", [{ labels: {}, value: serving }]),
      metric(
        "engine_server_worker_answers",
        "1 for a worker that has answered in time, 0 for one whose gauges are missing here.",
        "gauge",
        asked.map(({ families, link }) => ({
          labels: { worker: String(link.number) },
          value: families === undefined ? 0 : 1
        }))
      ),
      metric("engine_server_requests_blocked", "Requests that are refused, because workers died of them.", "gauge", [
        { labels: {}, value: this.#blocked() }
      ]),
      metric("engine_server_worker_starts_total", "Processes that were started as workers.", "counter", [
        { labels: {}, value: this.#starts }
      ]),
      metric(
        "engine_server_worker_failed_starts_total",
        "Processes that ended before they served as workers.",
        "counter",
        [{ labels: {}, value: this.#failedStarts }]
      ),
      // Always there: rate() and increase() do not see the begin of a counter whose first sample is not 0.
      metric(
        "engine_server_workers_died_total",
        "Workers that ended without an order after they had served.",
        "counter",
        [{ labels: {}, value: this.#replaced }]
      ),
      metric(
        "engine_server_worker_deaths_total",
        "Workers that ended without an order after they had served, by how they ended.",
        "counter",
        Array.from(this.#deaths, ([exit, value]) => ({ labels: { exit }, value }))
      )
    ]
  }
}

const textModule = () => lateModule(import("../observability/MetricText.ts"))

const metric = (
  name: string,
  help: string,
  type: MetricFamily["type"],
  values: MetricFamily["values"]
): MetricFamily => ({ name, help, type, across: "max", values })
