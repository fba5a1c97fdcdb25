import type { Registry } from "prom-client"
import type { MetricFamily } from "../../services/Metrics.ts"
import { collectDefaultMetrics, Registry as Registries } from "./PromClient.ts"

/** Adds a metric whose values are read with the others. */
export const register = (
  registry: Registry,
  { help, name, type }: MetricFamily,
  read: () => MetricFamily["values"]
) => {
  const metric = {
    name,
    help,
    type,
    aggregator: "sum",
    get: () => Promise.resolve({ name, help, type, aggregator: "sum", values: read() })
  }
  // The registry uses only these properties of a metric; its type names prom-client's classes.
  registry.registerMetric(metric as unknown as Parameters<typeof registry.registerMetric>[0])
}

/** Metrics of this process: memory, garbage collection, event-loop delay, CPU time. */
export class ProcessMetrics {
  readonly #registry = new Registries()

  /** @param worker the value of the label `worker` */
  constructor(worker: string) {
    collectDefaultMetrics({ register: this.#registry, labels: { worker } })
  }

  async families(): Promise<ReadonlyArray<MetricFamily>> {
    const all = await this.#registry.getMetricsAsJSON()
    return all.map((metric) => ({
      name: metric.name,
      help: metric.help,
      type: String(metric.type) as MetricFamily["type"],
      across: "sum",
      values: (metric as unknown as Pick<MetricFamily, "values">).values
    }))
  }
}

/** The text of Prometheus, format 0.0.4. */
export const metricText = (families: ReadonlyArray<MetricFamily>): Promise<string> => {
  const registry = new Registries()
  for (const family of families) register(registry, family, () => family.values)
  return registry.metrics()
}
