import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { lateModule, madeOnce } from "../../services/LateModules.ts"
import {
  type AcrossWorkers,
  type MetricFamily,
  type MetricSample,
  Metrics,
  type OperationName,
  type Refusal,
  type Transport
} from "../../services/Metrics.ts"
import { WorkerProcess, type WorkerProcessShape } from "../../services/WorkerProcess.ts"
import { countersOf } from "./MetricFamilies.ts"
import { type ActivityTotals, recentActivity } from "./RecentIntervals.ts"

/** Upper bounds of the latency buckets, seconds. */
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Latencies of one operation. Plain arrays, because prom-client's histogram hashes its labels in each call. */
class Latencies {
  readonly counts = new Float64Array(bounds.length + 1)
  sum = 0

  observe(seconds: number): void {
    let bucket = 0
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
    this.counts[bucket]!++
    this.sum += seconds
  }

  get total(): number {
    return this.counts.reduce((total, count) => total + count, 0)
  }
}

/** A metric that is computed when it is read. */
interface Gauge {
  readonly name: string
  readonly help: string
  readonly across: AcrossWorkers
  readonly read: () => ReadonlyArray<MetricSample>
}

/** User agents that are counted by name, and the length of a name. Clients choose both. */
const MAX_USER_AGENTS = 200
const MAX_USER_AGENT_CHARACTERS = 120

/** Statuses of both transports are below this. */
const STATUSES = 600

/** Counts of one operation. Arrays indexed by status, because they are updated in every request. */
class OperationCounts {
  readonly latencies = new Latencies()
  readonly websocket = new Float64Array(STATUSES)
  readonly http = new Float64Array(STATUSES)
}

const sumOf = (samples: ReadonlyArray<MetricSample>): number => samples.reduce((sum, { value }) => sum + value, 0)

class Counting {
  readonly #operations: Record<OperationName, OperationCounts> = {
    eval: new OperationCounts(),
    bytecode: new OperationCounts(),
    close: new OperationCounts(),
    authentication: new OperationCounts(),
    other: new OperationCounts()
  }
  readonly #refusals: Record<Refusal, number> = {
    blocked: 0,
    pool: 0,
    session: 0,
    origin: 0,
    connections: 0,
    stopping: 0,
    arriving: 0
  }
  readonly #connections: Record<Transport, number> = { websocket: 0, http: 0 }
  readonly #userAgents = new Map<string, number>()
  readonly #gauges: Array<Gauge> = []

  answered(transport: Transport, op: OperationName, status: number, seconds: number): void {
    const counts = this.#operations[op]
    counts.latencies.observe(seconds)
    counts[transport][status]!++
  }

  refused(reason: Refusal): void {
    this.#refusals[reason]++
  }

  connected(transport: Transport, change: 1 | -1): void {
    this.#connections[transport] += change
  }

  userAgent(text: string): void {
    const name = text.slice(0, MAX_USER_AGENT_CHARACTERS)
    const known = this.#userAgents.has(name) || this.#userAgents.size < MAX_USER_AGENTS
    const counted = known ? name : "other"
    this.#userAgents.set(counted, (this.#userAgents.get(counted) ?? 0) + 1)
  }

  gauge(gauge: Gauge): void {
    this.#gauges.push(gauge)
  }

  /** What happened so far, for the intervals of the last ten minutes. */
  totals(names: ReadonlySet<string>): ActivityTotals {
    const gauges = this.#gauges.filter(({ name }) => names.has(name))
    return {
      operations: Object.entries(this.#operations).map(([op, { latencies }]) => ({
        op: op as OperationName,
        count: latencies.total,
        seconds: latencies.sum
      })),
      gauges: [
        ...gauges.map(({ name, read }) => [name, sumOf(read())] as const),
        ["engine_server_connections", sumOf(this.#connectionSamples())]
      ]
    }
  }

  /** All metrics but those of the process. Their values are read when `read` is called. */
  metrics(): ReadonlyArray<Readable> {
    const gauges = this.#gauges.map(({ across, help, name, read }): Readable => {
      const type = name.endsWith("_total") ? "counter" : "gauge"
      return { name, help, type, across, read }
    })
    const counted = (name: string, help: string, type: Readable["type"], read: Readable["read"]): Readable => ({
      name,
      help,
      type,
      across: "sum",
      read
    })
    return [
      counted("engine_server_request_seconds", "Time from a request's arrival to its final answer.", "histogram", () =>
        this.#latencySamples()
      ),
      counted("engine_server_answers_total", "Final answers by transport, operation and status.", "counter", () =>
        this.#answerSamples()
      ),
      counted("engine_server_refusals_total", "Requests and connections turned away, by reason.", "counter", () =>
        this.#refusalSamples()
      ),
      counted("engine_server_connections", "Open connections.", "gauge", () => this.#connectionSamples()),
      counted("engine_server_user_agents_total", "Connections by what their clients say they are.", "counter", () =>
        this.#userAgentSamples()
      ),
      ...gauges
    ]
  }

  #latencySamples(): Array<MetricSample> {
    const name = "engine_server_request_seconds"
    const samples: Array<MetricSample> = []
    for (const [op, { latencies }] of Object.entries(this.#operations)) {
      const { counts, sum } = latencies
      // Refusals take no time.
      if (latencies.total === 0) continue
      let total = 0
      for (let i = 0; i < counts.length; i++) {
        total += counts[i]!
        samples.push({ metricName: `${name}_bucket`, labels: { le: bounds[i] ?? "+Inf", op }, value: total })
      }
      samples.push({ metricName: `${name}_sum`, labels: { op }, value: sum })
      samples.push({ metricName: `${name}_count`, labels: { op }, value: total })
    }
    return samples
  }

  #answerSamples(): Array<MetricSample> {
    const samples: Array<MetricSample> = []
    for (const [op, counts] of Object.entries(this.#operations)) {
      for (const transport of ["websocket", "http"] as const) {
        for (const [status, value] of counts[transport].entries()) {
          if (value > 0) samples.push({ labels: { transport, op, status }, value })
        }
      }
    }
    return samples
  }

  #refusalSamples(): Array<MetricSample> {
    return Object.entries(this.#refusals).map(([reason, value]) => ({ labels: { reason }, value }))
  }

  #userAgentSamples(): Array<MetricSample> {
    return Array.from(this.#userAgents, ([userAgent, value]) => ({ labels: { user_agent: userAgent }, value }))
  }

  #connectionSamples(): Array<MetricSample> {
    return Object.entries(this.#connections).map(([transport, value]) => ({ labels: { transport }, value }))
  }
}

/** A metric without its values. */
interface Readable extends Omit<MetricFamily, "values"> {
  readonly read: () => ReadonlyArray<MetricSample>
}

const readNow = (metrics: ReadonlyArray<Readable>): ReadonlyArray<MetricFamily> =>
  metrics.map(({ read, ...metric }) => ({ ...metric, values: read() }))

/**
 * Creates the registry at the first read, so that prom-client and the default metrics of the process (memory, garbage
 * collection, event-loop delay) cost nothing until then.
 */
const makeRegistry = async (counting: Counting) => {
  const { collectDefaultMetrics, Registry } = await lateModule(import("./PromClient.ts"))
  const { register } = await lateModule(import("./MetricText.ts"))
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const { read, ...metric } of counting.metrics()) register(registry, { ...metric, values: [] }, read)
  return registry
}

/** The metrics of this process alone. */
const ofProcess = (counting: Counting): Effect.Effect<Effect.Effect<string>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const registry = madeOnce(() => makeRegistry(counting))
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => (await registry.made()?.catch(() => undefined))?.clear())
    )
    return Effect.promise(async () => (await registry()).metrics())
  })

/** Time between two reports of the counters to the primary process, ms. A worker that is killed loses the counts since the last one. */
const REPORT_MS = 1_000

/** The metrics of the server of which this process is a worker. */
const ofServer = (
  counting: Counting,
  { number, peers }: WorkerProcessShape
): Effect.Effect<Effect.Effect<string>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const process = madeOnce(async () => {
      const { ProcessMetrics } = await lateModule(import("./MetricText.ts"))
      return new ProcessMetrics(String(number))
    })
    peers.onAsk("metrics", async () => {
      return [...(await (await process()).families()), ...readNow(counting.metrics())]
    })
    let reported = ""
    const report = (): void => {
      const counts = countersOf(readNow(counting.metrics()))
      const text = JSON.stringify(counts)
      if (text === reported) return
      reported = text
      peers.counted(counts)
    }
    const timer = setInterval(report, REPORT_MS).unref()
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        clearInterval(timer)
        report()
      })
    )
    return Effect.promise(async () => {
      const { metricText } = await lateModule(import("./MetricText.ts"))
      return metricText(await peers.metrics())
    })
  })

/** Counts requests and connections for Prometheus. */
export const layer: Layer.Layer<Metrics> = Layer.scoped(
  Metrics,
  Effect.gen(function* () {
    const counting = new Counting()
    const worker = Option.getOrUndefined(yield* Effect.serviceOption(WorkerProcess))
    return {
      answered: (transport, op, status, seconds) => counting.answered(transport, op, status, seconds),
      refused: (reason) => counting.refused(reason),
      connected: (transport, change) => counting.connected(transport, change),
      userAgent: (name) => counting.userAgent(name),
      gauge: (name, help, read, across = "sum") =>
        counting.gauge({ name, help, across, read: () => [{ labels: {}, value: read() }] }),
      gaugeBy: (name, help, read) => counting.gauge({ name, help, across: "max", read }),
      recent: yield* recentActivity((names) => counting.totals(names)),
      render: yield* worker === undefined ? ofProcess(counting) : ofServer(counting, worker)
    }
  })
)
