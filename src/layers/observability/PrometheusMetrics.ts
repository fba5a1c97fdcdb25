import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Metrics, type OperationName, type Refusal, type Transport } from "../../services/Metrics.ts"

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
}

/** A metric that is computed when it is read. */
interface Gauge {
  readonly name: string
  readonly help: string
  readonly read: () => ReadonlyArray<Sample>
}

/** A value in the form that prom-client's registry prints. */
interface Sample {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  readonly metricName?: string
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

class Counting {
  readonly #operations: Record<OperationName, OperationCounts> = {
    eval: new OperationCounts(),
    bytecode: new OperationCounts(),
    close: new OperationCounts(),
    authentication: new OperationCounts(),
    other: new OperationCounts()
  }
  readonly #refusals: Record<Refusal, number> = {
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

  get gauges(): ReadonlyArray<Gauge> {
    return this.#gauges
  }

  latencySamples(): Array<Sample> {
    const name = "engine_server_request_seconds"
    const samples: Array<Sample> = []
    for (const [op, { latencies }] of Object.entries(this.#operations)) {
      const { counts, sum } = latencies
      if (sum === 0) continue
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

  answerSamples(): Array<Sample> {
    const samples: Array<Sample> = []
    for (const [op, counts] of Object.entries(this.#operations)) {
      for (const transport of ["websocket", "http"] as const) {
        for (const [status, value] of counts[transport].entries()) {
          if (value > 0) samples.push({ labels: { transport, op, status }, value })
        }
      }
    }
    return samples
  }

  refusalSamples(): Array<Sample> {
    return Object.entries(this.#refusals).map(([reason, value]) => ({ labels: { reason }, value }))
  }

  userAgentSamples(): Array<Sample> {
    return Array.from(this.#userAgents, ([userAgent, value]) => ({ labels: { user_agent: userAgent }, value }))
  }

  connectionSamples(): Array<Sample> {
    return Object.entries(this.#connections).map(([transport, value]) => ({ labels: { transport }, value }))
  }
}

type MetricType = "counter" | "gauge" | "histogram"

/**
 * Creates the registry at the first read, so that prom-client and the default metrics of the process (memory, garbage
 * collection, event-loop delay) cost nothing until then.
 */
const makeRegistry = async (counting: Counting) => {
  const { collectDefaultMetrics, Registry } = await import("./PromClient.ts")
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const add = (name: string, help: string, type: MetricType, samples: () => ReadonlyArray<Sample>): void => {
    const metric = {
      name,
      help,
      type,
      aggregator: "sum",
      get: () => Promise.resolve({ name, help, type, aggregator: "sum", values: samples() })
    }
    // The registry uses only these properties of a metric; its type names prom-client's classes.
    registry.registerMetric(metric as unknown as Parameters<typeof registry.registerMetric>[0])
  }
  add("engine_server_request_seconds", "Time from a request's arrival to its final answer.", "histogram", () =>
    counting.latencySamples()
  )
  add("engine_server_answers_total", "Final answers by transport, operation and status.", "counter", () =>
    counting.answerSamples()
  )
  add("engine_server_refusals_total", "Requests and connections turned away, by reason.", "counter", () =>
    counting.refusalSamples()
  )
  add("engine_server_connections", "Open connections.", "gauge", () => counting.connectionSamples())
  add("engine_server_user_agents_total", "Connections by what their clients say they are.", "counter", () =>
    counting.userAgentSamples()
  )
  for (const { help, name, read } of counting.gauges) {
    add(name, help, name.endsWith("_total") ? "counter" : "gauge", read)
  }
  return registry
}

/** Counts requests and connections for Prometheus. */
export const layer: Layer.Layer<Metrics> = Layer.scoped(
  Metrics,
  Effect.gen(function* () {
    const counting = new Counting()
    let registry: ReturnType<typeof makeRegistry> | undefined
    yield* Effect.addFinalizer(() => Effect.promise(async () => (await registry)?.clear()))
    return {
      answered: (transport, op, status, seconds) => counting.answered(transport, op, status, seconds),
      refused: (reason) => counting.refused(reason),
      connected: (transport, change) => counting.connected(transport, change),
      userAgent: (name) => counting.userAgent(name),
      gauge: (name, help, read) => counting.gauge({ name, help, read: () => [{ labels: {}, value: read() }] }),
      gaugeBy: (label, name, help, read) =>
        counting.gauge({
          name,
          help,
          read: () => read().map(([thing, value]) => ({ labels: { [label]: thing }, value }))
        }),
      render: Effect.promise(async () => {
        registry ??= makeRegistry(counting)
        return (await registry).metrics()
      })
    }
  })
)
