/** A measured value with its labels. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads the text format of Prometheus. */
export const readMetrics = (text: string): ReadonlyArray<Sample> => {
  const samples: Array<Sample> = []
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const pairs = Array.from(
      labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g),
      ([, key, text]) => [key ?? "", text ?? ""] as const
    )
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) })
  }
  return samples
}

/** The sum of the samples of a metric, over all its labels. */
export const total = (samples: ReadonlyArray<Sample>, name: string): number =>
  samples.reduce((sum, sample) => (sample.name === name && Number.isFinite(sample.value) ? sum + sample.value : sum), 0)

/** The largest sample of a metric; 0 for none. */
const largest = (samples: ReadonlyArray<Sample>, name: string): number =>
  samples.reduce(
    (most, sample) => (sample.name === name && Number.isFinite(sample.value) ? Math.max(most, sample.value) : most),
    0
  )

/** Requests of one kind that were answered in a time. */
interface Answered {
  readonly count: number
  /** Seconds from arrival to answer, of all together. */
  readonly seconds: number
}

/** Requests by op. */
type Requests = ReadonlyMap<string, Answered>

/** What the server did in a time. */
export interface Moment {
  /** Its end, milliseconds since 1970 by the clock of this machine. */
  readonly at: number
  /** Its length, ms. 0 for the first answer of `/metrics`, which has no one before it. */
  readonly span: number
  /** A figure that is not known is absent. */
  readonly values: Readonly<Partial<Record<Figure, number>>>
  readonly requests: Requests
}

/** The figures of the live page. */
export type Figure = "requests" | "latency" | "lag" | keyof typeof gauges

/** The metrics of the figures that are read as they are. */
const gauges = {
  running: "engine_server_pool_running",
  queued: "engine_server_pool_queued",
  lanes: "engine_server_pool_lanes",
  runQueue: "engine_server_run_queue",
  sessions: "engine_server_sessions",
  connections: "engine_server_connections",
  memory: "engine_server_memory_held_bytes",
  heap: "nodejs_heap_size_used_bytes"
} as const

const BYTES_PER_MEGABYTE = 1_048_576

const gaugesOf = (read: (name: string) => number): Partial<Record<Figure, number>> => {
  const found = Object.fromEntries(Object.entries(gauges).map(([figure, name]) => [figure, read(name)]))
  for (const bytes of ["memory", "heap"]) found[bytes] = (found[bytes] ?? 0) / BYTES_PER_MEGABYTE
  return found
}

const ratesOf = (requests: Requests, span: number): Partial<Record<Figure, number>> => {
  let count = 0
  let seconds = 0
  for (const answered of requests.values()) {
    count += answered.count
    seconds += answered.seconds
  }
  return { requests: count / (span / 1_000), latency: count === 0 ? 0 : (seconds / count) * 1_000 }
}

/** What requests of one kind did over a time. */
interface OpFigures {
  readonly op: string
  readonly count: number
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly mean: number
}

/** The figures by op of all moments. */
export const byOp = (all: ReadonlyArray<Moment>): ReadonlyArray<OpFigures> => {
  const sums = new Map<string, Answered>()
  for (const { requests } of all) {
    for (const [op, { count, seconds }] of requests) {
      const before = sums.get(op) ?? { count: 0, seconds: 0 }
      sums.set(op, { count: before.count + count, seconds: before.seconds + seconds })
    }
  }
  const length = all.reduce((sum, { span }) => sum + span, 0) / 1_000
  return Array.from(sums, ([op, { count, seconds }]) => ({
    op,
    count,
    rate: count / length,
    mean: (seconds / count) * 1_000
  })).filter(({ count }) => count > 0)
}

/** An answer of `/metrics`: requests since the start of the server, and its figures now. */
export interface Reading {
  readonly at: number
  readonly requests: Requests
  readonly values: Partial<Record<Figure, number>>
}

/** Reads an answer of `/metrics` that came at a time. */
export const readingOf = (text: string, at: number): Reading => {
  const samples = readMetrics(text)
  const requests = new Map<string, Answered>()
  for (const { labels, name, value } of samples) {
    const isCount = name === "engine_server_request_seconds_count"
    if (!isCount && name !== "engine_server_request_seconds_sum") continue
    const op = labels.op ?? ""
    const known = requests.get(op) ?? { count: 0, seconds: 0 }
    requests.set(op, isCount ? { ...known, count: value } : { ...known, seconds: value })
  }
  // Of several workers, the one that is delayed most.
  const lag = largest(samples, "nodejs_eventloop_lag_mean_seconds") * 1_000
  return { at, requests, values: { ...gaugesOf((name) => total(samples, name)), lag } }
}

/** The moment between two answers of `/metrics`. */
export const momentOf = ({ at, requests, values }: Reading, before: Reading | undefined): Moment => {
  if (before === undefined) return { at, span: 0, values, requests: new Map() }
  const span = Math.max(1, at - before.at)
  const answered = new Map<string, Answered>()
  for (const [op, { count, seconds }] of requests) {
    const earlier = before.requests.get(op) ?? { count: 0, seconds: 0 }
    // A server that has restarted counts from 0.
    if (count > earlier.count) answered.set(op, { count: count - earlier.count, seconds: seconds - earlier.seconds })
  }
  return { at, span, values: { ...values, ...ratesOf(answered, span) }, requests: answered }
}

/** An interval of the server's last ten minutes. */
export interface Interval {
  /** Its end by the clock of the server, ms since 1970. */
  readonly at: number
  readonly operations: Readonly<Record<string, Answered>>
  readonly gauges: Readonly<Record<string, number>>
}

/** The length of the server's intervals, ms. */
const INTERVAL_MS = 10_000

/** The moment of an interval. `ahead`: how much the clock of this machine is ahead of the server's, ms. */
export const intervalMoment = ({ at, gauges, operations }: Interval, ahead: number): Moment => {
  const requests = new Map(Object.entries(operations))
  return {
    at: at + ahead,
    span: INTERVAL_MS,
    values: { ...gaugesOf((name) => gauges[name] ?? 0), ...ratesOf(requests, INTERVAL_MS) },
    requests
  }
}
