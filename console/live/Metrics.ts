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

/** What the server does at one time. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly values: Readonly<Record<Figure, number>>
  /** Requests and seconds so far, by op: their differences are rates. */
  readonly requests: ReadonlyMap<string, { readonly count: number; readonly seconds: number }>
}

/** The figures of the live page. */
export type Figure =
  | "requests"
  | "latency"
  | "running"
  | "queued"
  | "lanes"
  | "runQueue"
  | "sessions"
  | "connections"
  | "memory"
  | "heap"
  | "lag"

const BYTES_PER_MEGABYTE = 1_048_576

/** What requests of one kind did over a time. */
interface OpFigures {
  readonly op: string
  readonly count: number
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly mean: number
}

/** The figures by op between the first and the last moment. */
export const byOp = (all: ReadonlyArray<Moment>): ReadonlyArray<OpFigures> => {
  const first = all[0]
  const last = all.at(-1)
  if (first === undefined || last === undefined || first === last) return []
  const seconds = (last.at - first.at) / 1_000
  return [...last.requests].flatMap(([op, now]) => {
    const before = first.requests.get(op)
    const count = now.count - (before?.count ?? 0)
    const spent = now.seconds - (before?.seconds ?? 0)
    return count <= 0 ? [] : [{ op, count, rate: count / seconds, mean: (spent / count) * 1_000 }]
  })
}

const requestsOf = (samples: ReadonlyArray<Sample>): Moment["requests"] => {
  const found = new Map<string, { count: number; seconds: number }>()
  for (const { labels, name, value } of samples) {
    const isCount = name === "engine_server_request_seconds_count"
    if (!isCount && name !== "engine_server_request_seconds_sum") continue
    const op = labels.op ?? ""
    const known = found.get(op) ?? { count: 0, seconds: 0 }
    found.set(op, isCount ? { ...known, count: value } : { ...known, seconds: value })
  }
  return found
}

/** The moment of an answer of `/metrics`. `before` is the last moment: rates are the change since then. */
export const momentOf = (text: string, at: number, before: Moment | undefined): Moment => {
  const samples = readMetrics(text)
  const requests = requestsOf(samples)
  let count = 0
  let seconds = 0
  for (const [op, now] of requests) {
    const earlier = before?.requests.get(op)
    count += now.count - (earlier?.count ?? now.count)
    seconds += now.seconds - (earlier?.seconds ?? now.seconds)
  }
  const interval = before === undefined ? 1 : Math.max(0.001, (at - before.at) / 1_000)
  const of = (name: string): number => total(samples, name)
  return {
    at,
    requests,
    values: {
      requests: count / interval,
      latency: count === 0 ? 0 : (seconds / count) * 1_000,
      running: of("engine_server_pool_running"),
      queued: of("engine_server_pool_queued"),
      lanes: of("engine_server_pool_lanes"),
      runQueue: of("engine_server_run_queue"),
      sessions: of("engine_server_sessions"),
      connections: of("engine_server_connections"),
      memory: of("engine_server_memory_held_bytes") / BYTES_PER_MEGABYTE,
      heap: of("nodejs_heap_size_used_bytes") / BYTES_PER_MEGABYTE,
      lag: of("nodejs_eventloop_lag_mean_seconds") * 1_000
    }
  }
}
