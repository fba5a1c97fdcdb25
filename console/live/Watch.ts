import { signal } from "@preact/signals"
import { about, messageOf, readJson, readText } from "../shell/Server.ts"
import { type Moment, momentOf } from "./Metrics.ts"

/** A running query, as `/gremlin/status` lists it. */
export interface RunningQuery {
  readonly requestId: string
  readonly state: string
  /** Milliseconds. */
  readonly elapsed: number
  readonly user: string
  readonly step: string
  readonly request: string
}

const POLL_INTERVAL_MS = 2_000
const HISTORY_MS = 600_000
const SLOW_QUERY_MS = 1_000
const MAX_SLOW_QUERIES = 50

/** The last ten minutes, as long as the page watched them. */
export const moments = signal<ReadonlyArray<Moment>>([])
export const queries = signal<ReadonlyArray<RunningQuery>>([])
/** Queries that were seen running for long, the newest first. */
export const slow = signal<ReadonlyArray<RunningQuery>>([])
/** Why the server does not answer; empty while it does. */
export const problem = signal("")

let timer = 0

/** Begins to watch the server. It continues while the console is open, so that the charts have no gaps. */
export const watch = (): void => {
  if (timer !== 0) return
  timer = window.setInterval(() => void look(), POLL_INTERVAL_MS)
  void look()
}

/** Reads the metrics and the running queries once. */
export const look = async (): Promise<void> => {
  if (document.hidden || about.value === null) return
  try {
    const [metrics, status] = await Promise.all([readText("metrics"), readJson("gremlin/status")])
    const now = Date.now()
    const kept = moments.value.filter(({ at }) => now - at < HISTORY_MS)
    moments.value = [...kept, momentOf(metrics, now, kept.at(-1))]
    queries.value = (status as { readonly queries: ReadonlyArray<RunningQuery> }).queries
    noteSlow()
    problem.value = ""
  } catch (error) {
    problem.value = messageOf(error)
  }
}

const noteSlow = (): void => {
  const found = queries.value.filter(({ elapsed }) => elapsed > SLOW_QUERY_MS)
  if (found.length === 0) return
  const ids = new Set(found.map(({ requestId }) => requestId))
  slow.value = [...found, ...slow.value.filter(({ requestId }) => !ids.has(requestId))].slice(0, MAX_SLOW_QUERIES)
}
