import type { MetricFamily, MetricSample } from "../../services/Metrics.ts"

const keyOf = ({ labels, metricName = "" }: MetricSample): string =>
  `${metricName}\n${Object.keys(labels)
    .sort()
    .map((label) => `${label}=${labels[label]}`)
    .join("\n")}`

/** Merges the metrics of several processes. Values with equal labels become one, as `across` says. */
export const merged = (all: ReadonlyArray<ReadonlyArray<MetricFamily>>): ReadonlyArray<MetricFamily> => {
  const families = new Map<string, { readonly family: MetricFamily; readonly samples: Map<string, MetricSample> }>()
  for (const family of all.flat()) {
    const { across, name } = family
    const found = families.get(name) ?? { family, samples: new Map<string, MetricSample>() }
    families.set(name, found)
    for (const sample of family.values) {
      const key = keyOf(sample)
      const before = found.samples.get(key)?.value
      const { value } = sample
      const both = before === undefined ? value : across === "sum" ? before + value : Math.max(before, value)
      found.samples.set(key, { ...sample, value: both })
    }
  }
  return Array.from(families.values(), ({ family, samples }) => ({ ...family, values: [...samples.values()] }))
}

/** The metrics that only grow. They survive the process that counted. */
export const countersOf = (families: ReadonlyArray<MetricFamily>): ReadonlyArray<MetricFamily> =>
  families.filter(({ type }) => type !== "gauge")
